// Poses: the transforms of the nodes at a time, and the skinned vertices.

/** The model in a pose. */
class Pose {
  /** @param {Model} model */
  constructor(model) {
    this.model = model;
    this.world = new Float32Array(model.nodes.length * 16);
    /** The skinning matrices: one for each joint. */
    this.skin = new Float32Array(Math.max(1, model.joints.length) * 16);
    this.rest();
    /** Whether all joints share one position, because only their rotations are known. */
    this.isFlat = this.hasOnePlace();
    this.rest();
  }

  rest() {
    this.take(null, 0);
  }

  /** Sets the pose of a clip at a time. @param {Clip | null} clip @param {number} seconds */
  take(clip, seconds) {
    const { nodes, order, joints, inverse } = this.model;
    const locals = nodes.map((node) => ({ t: node.t, r: node.r, s: node.s }));
    for (const channel of clip?.channels ?? []) {
      const value = sample(channel, seconds);
      const local = locals[channel.node];
      if (channel.path === 'translation') local.t = value;
      else if (channel.path === 'rotation') local.r = value;
      else local.s = value;
    }
    const own = new Float32Array(16);
    for (const index of order) {
      const { t, r, s } = locals[index];
      compose(own, t, r, s);
      const parent = nodes[index].parent;
      if (parent < 0) this.world.set(own, index * 16);
      else multiply(this.world, index * 16, this.world, parent * 16, own, 0);
    }
    if (this.isFlat) this.spread();
    joints.forEach((node, joint) => {
      if (inverse.length) multiply(this.skin, joint * 16, this.world, node * 16, inverse, joint * 16);
    });
    if (!joints.length) compose(this.skin, [0, 0, 0], [0, 0, 0, 1], [1, 1, 1]);
  }

  hasOnePlace() {
    const { joints, positions } = this.model;
    return positions.length === 0 && joints.length > 1 && joints.every((node) => [0, 1, 2].every((part) => this.world[node * 16 + 12 + part] === 0));
  }

  /** Places the joints side by side, in rows. */
  spread() {
    const row = Math.max(1, Math.ceil(Math.sqrt(this.model.joints.length)));
    this.model.joints.forEach((node, joint) => {
      this.world.set([(joint % row) * 2.5, Math.floor(joint / row) * -2.5, 0], node * 16 + 12);
    });
  }

  /** The position of a joint. @param {number} joint @returns {number[]} */
  joint(joint) {
    const at = this.model.joints[joint] * 16 + 12;
    return [this.world[at], this.world[at + 1], this.world[at + 2]];
  }

  /** The positions of all joints, one after the other. @returns {Float32Array} */
  places() {
    return Float32Array.from(this.model.joints.flatMap((_, joint) => this.joint(joint)));
  }

  /** The positions of all vertices, as the GPU computes them. @returns {Float32Array} */
  positions() {
    const { positions, bones, weights, sets } = this.model;
    const out = new Float32Array(positions.length);
    for (let vertex = 0; vertex * 3 < positions.length; vertex++) {
      const [x, y, z] = [positions[vertex * 3], positions[vertex * 3 + 1], positions[vertex * 3 + 2]];
      let sum = sets ? [0, 0, 0] : [x, y, z];
      for (let part = 0; part < sets * 4; part++) {
        const weight = weights[vertex * 8 + part];
        if (!weight) continue;
        const point = moved(this.skin, bones[vertex * 8 + part] * 16, x, y, z);
        sum = sum.map((value, axis) => value + point[axis] * weight);
      }
      out.set(sum, vertex * 3);
    }
    return out;
  }
}

/** The value of a channel at a time. @param {Channel} channel @param {number} seconds @returns {number[]} */
function sample({ times, values, size, isStep }, seconds) {
  const at = (/** @type {number} */ key) => Array.from(values.subarray(key * size, key * size + size));
  let [low, high] = [0, times.length - 1];
  if (seconds <= times[0] || high <= 0) return at(0);
  if (seconds >= times[high]) return at(high);
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (times[middle] <= seconds) low = middle;
    else high = middle;
  }
  const weight = (seconds - times[low]) / (times[high] - times[low]);
  const [before, after] = [at(low), at(high)];
  if (isStep || !(weight > 0)) return before;
  return size === 4 ? slerp(before, after, weight) : before.map((value, part) => value + (after[part] - value) * weight);
}
