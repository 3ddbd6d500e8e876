// The model of the page: a compressed GLB in base64.

/** @typedef {{node: number, path: string, times: Float32Array, values: Float32Array, size: number, isStep: boolean}} Channel */
/** @typedef {{name: string, seconds: number, channels: Channel[]}} Clip */
/** @typedef {{name: string, parent: number, t: number[], r: number[], s: number[]}} Bone */
/** @typedef {{first: number, count: number, material: number}} Part */
/**
 * @typedef {{
 *   nodes: Bone[], order: number[], joints: number[], inverse: Float32Array, clips: Clip[], parts: Part[],
 *   materials: {name: string, image: Blob | null, isTwoSided: boolean, isCut: boolean}[],
 *   positions: Float32Array, normals: Float32Array, uvs: Float32Array, indices: Uint32Array,
 *   bones: Uint16Array, weights: Float32Array, sets: number
 * }} Model
 */

/** The numbers of a component type, and the bytes of one. @type {Record<number, [any, number]>} */
const COMPONENTS = {
  5120: [Int8Array, 1], 5121: [Uint8Array, 1], 5122: [Int16Array, 2], 5123: [Uint16Array, 2], 5125: [Uint32Array, 4], 5126: [Float32Array, 4],
};
/** @type {Record<string, number>} */
const SIZES = { SCALAR: 1, VEC2: 2, VEC3: 3, VEC4: 4, MAT4: 16 };

/** Decodes and unpacks the bytes. @param {string} text @returns {Promise<ArrayBuffer>} */
async function unpack(text) {
  const letters = atob(text);
  const packed = new Uint8Array(letters.length);
  for (let at = 0; at < letters.length; at++) packed[at] = letters.charCodeAt(at);
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream('gzip'));
  return new Response(stream).arrayBuffer();
}

/** Reads a GLB. @param {ArrayBuffer} bytes @returns {Model} */
function read(bytes) {
  const head = new DataView(bytes);
  const length = head.getUint32(12, true);
  const root = JSON.parse(new TextDecoder().decode(new Uint8Array(bytes, 20, length)));
  const start = 28 + length;

  /** The values of an accessor, one after the other. @param {number} index @returns {any} */
  const values = (index) => {
    const { bufferView, byteOffset = 0, componentType, count, type, normalized } = root.accessors[index];
    const [Kind, width] = COMPONENTS[componentType];
    const size = SIZES[type];
    const view = root.bufferViews[bufferView];
    const at = start + (view.byteOffset ?? 0) + byteOffset;
    const stride = view.byteStride ?? size * width;
    const out = new Kind(count * size);
    if (stride === size * width) {
      new Uint8Array(out.buffer).set(new Uint8Array(bytes, at, count * stride));
    } else {
      const raw = new Uint8Array(out.buffer);
      for (let item = 0; item < count; item++) raw.set(new Uint8Array(bytes, at + item * stride, size * width), item * size * width);
    }
    return normalized ? Float32Array.from(out, (/** @type {number} */ value) => Math.max(-1, value / 32767)) : out;
  };

  const nodes = nodesOf(root);
  const skin = root.skins?.[0];
  const model = {
    nodes,
    order: orderOf(nodes),
    joints: skin?.joints ?? [],
    inverse: skin ? values(skin.inverseBindMatrices) : new Float32Array(),
    clips: (root.animations ?? []).map((/** @type {any} */ own) => clipOf(own, values)),
    materials: (root.materials ?? []).map((/** @type {any} */ own) => materialOf(own, root, bytes, start)),
    ...shapeOf(root.meshes?.[0]?.primitives ?? [], values),
  };
  if (!model.joints.length) model.joints = nodes.flatMap((node, index) => (node.isBone ? [index] : []));
  return model;
}

/** @param {any} root @returns {(Bone & {isBone: boolean})[]} */
function nodesOf(root) {
  const nodes = (root.nodes ?? []).map((/** @type {any} */ node) => ({
    name: node.name ?? '', parent: -1, t: node.translation ?? [0, 0, 0], r: node.rotation ?? [0, 0, 0, 1], s: node.scale ?? [1, 1, 1],
    isBone: node.mesh === undefined && node.name !== 'armature' && (node.extras === undefined || node.extras.bone !== undefined),
  }));
  (root.nodes ?? []).forEach((/** @type {any} */ node, /** @type {number} */ index) => {
    for (const child of node.children ?? []) nodes[child].parent = index;
  });
  return nodes;
}

/** Every node after its parent. @param {Bone[]} nodes @returns {number[]} */
function orderOf(nodes) {
  /** @type {number[][]} */
  const children = nodes.map(() => []);
  /** @type {number[]} */
  const order = [];
  nodes.forEach((node, index) => (node.parent < 0 ? order.push(index) : children[node.parent].push(index)));
  for (let at = 0; at < order.length; at++) order.push(...children[order[at]]);
  return order;
}

/** @param {any} own @param {(index: number) => any} values @returns {Clip} */
function clipOf(own, values) {
  /** @type {Map<number, Float32Array>} */
  const known = new Map();
  let seconds = 0;
  const channels = own.channels.map((/** @type {any} */ channel) => {
    const sampler = own.samplers[channel.sampler];
    if (!known.has(sampler.input)) known.set(sampler.input, values(sampler.input));
    const times = /** @type {Float32Array} */ (known.get(sampler.input));
    seconds = Math.max(seconds, times[times.length - 1] ?? 0);
    const path = channel.target.path;
    const size = path === 'rotation' ? 4 : 3;
    return { node: channel.target.node, path, times, values: values(sampler.output), size, isStep: sampler.interpolation === 'STEP' };
  });
  return { name: own.name ?? '', seconds, channels };
}

/** @param {any} own @param {any} root @param {ArrayBuffer} bytes @param {number} start */
function materialOf(own, root, bytes, start) {
  const texture = own.pbrMetallicRoughness?.baseColorTexture;
  const image = texture && root.images[root.textures[texture.index].source];
  const view = image && root.bufferViews[image.bufferView];
  const blob = view ? new Blob([new Uint8Array(bytes, start + (view.byteOffset ?? 0), view.byteLength)], { type: image.mimeType }) : null;
  return { name: own.name ?? '', image: blob, isTwoSided: !!own.doubleSided, isCut: !!own.alphaMode && own.alphaMode !== 'OPAQUE' };
}

/** All primitives as one list of vertices. @param {any[]} primitives @param {(index: number) => any} values */
function shapeOf(primitives, values) {
  const count = primitives.map((own) => values(own.attributes.POSITION).length / 3);
  const all = count.reduce((sum, own) => sum + own, 0);
  const sets = primitives.some((own) => 'JOINTS_1' in own.attributes) ? 2 : primitives.some((own) => 'JOINTS_0' in own.attributes) ? 1 : 0;
  const [positions, normals, uvs] = [new Float32Array(all * 3), new Float32Array(all * 3), new Float32Array(all * 2)];
  const [bones, weights] = [new Uint16Array(all * 8), new Float32Array(all * 8)];
  /** @type {Part[]} */
  const parts = [];
  /** @type {Uint32Array[]} */
  const lists = [];
  let [first, corner] = [0, 0];
  primitives.forEach((own, index) => {
    const { POSITION, NORMAL, TEXCOORD_0 } = own.attributes;
    positions.set(values(POSITION), first * 3);
    normals.set(values(NORMAL), first * 3);
    if (TEXCOORD_0 !== undefined) uvs.set(values(TEXCOORD_0), first * 2);
    for (let set = 0; set < sets; set++) {
      const [joints, shares] = [values(own.attributes[`JOINTS_${set}`]), values(own.attributes[`WEIGHTS_${set}`])];
      for (let vertex = 0; vertex < count[index]; vertex++) {
        for (let part = 0; part < 4; part++) {
          bones[(first + vertex) * 8 + set * 4 + part] = joints[vertex * 4 + part];
          weights[(first + vertex) * 8 + set * 4 + part] = shares[vertex * 4 + part];
        }
      }
    }
    const own_first = first;
    const list = Uint32Array.from(values(own.indices), (/** @type {number} */ vertex) => vertex + own_first);
    parts.push({ first: corner, count: list.length, material: own.material ?? -1 });
    lists.push(list);
    corner += list.length;
    first += count[index];
  });
  const indices = new Uint32Array(corner);
  let at = 0;
  for (const list of lists) {
    indices.set(list, at);
    at += list.length;
  }
  return { positions, normals, uvs, bones, weights, sets, parts, indices };
}
