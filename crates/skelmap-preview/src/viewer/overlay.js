// Lines and dots over the model: grid, box, bones, normals, marks.

const BONE = [0.94, 0.6, 0.14];
const MARK = [0.93, 0.2, 0.12];
const AXES = [[0.87, 0.28, 0.28], [0.32, 0.67, 0.3], [0.28, 0.47, 0.9]];

/** @returns {Ink} */
const noInk = () => ({ points: [], colors: [] });

/** @param {Ink} ink @param {number[]} from @param {number[]} to @param {number[]} color */
function line(ink, from, to, color) {
  if (![...from, ...to].every((value) => Math.abs(value) < 1e9)) return;
  ink.points.push(...from, ...to);
  ink.colors.push(...color, ...color);
}

/** @param {Ink} ink @param {number[]} place @param {number[]} color */
function dot(ink, place, color) {
  if (!place.every((value) => Math.abs(value) < 1e9)) return;
  ink.points.push(...place);
  ink.colors.push(...color);
}

/** The ground with the axes x and z, and y. @param {Ink} ink @param {{min: number[], max: number[]}} box @param {number[]} color */
function addGrid(ink, { min, max }, color) {
  const size = Math.max(max[0] - min[0], max[2] - min[2], (max[1] - min[1]) / 2, 1e-6);
  const step = 10 ** Math.round(Math.log10(size / 4));
  const half = Math.ceil(size / step) * step;
  const [x, z] = [0, 2].map((axis) => Math.round((min[axis] + max[axis]) / 2 / step) * step);
  for (let at = -half; at <= half + step / 2; at += step) {
    line(ink, [x + at, 0, z - half], [x + at, 0, z + half], color);
    line(ink, [x - half, 0, z + at], [x + half, 0, z + at], color);
  }
  AXES.forEach((own, axis) => line(ink, [0, 0, 0], [0, 1, 2].map((part) => (part === axis ? step : 0)), own));
}

/** The edges of a box. @param {Ink} ink @param {{min: number[], max: number[]}} box @param {number[]} color */
function addBox(ink, { min, max }, color) {
  for (let corner = 0; corner < 8; corner++) {
    const place = [0, 1, 2].map((axis) => (corner >> axis & 1 ? max[axis] : min[axis]));
    for (let axis = 0; axis < 3; axis++) {
      if (corner >> axis & 1) continue;
      line(ink, place, place.map((value, part) => (part === axis ? max[axis] : value)), color);
    }
  }
}

/** Lines from parents to children, or the axes of joints without known positions. @param {Ink} ink @param {Ink} dots @param {Pose} pose @param {number} chosen */
function addBones(ink, dots, pose, chosen) {
  const { joints, nodes } = pose.model;
  const known = new Map(joints.map((node, joint) => [node, joint]));
  joints.forEach((node, joint) => {
    const place = pose.joint(joint);
    const parent = known.get(nodes[node].parent);
    const color = joint === chosen ? MARK : BONE;
    if (pose.isFlat) {
      AXES.forEach((own, axis) => {
        const end = place.map((value, part) => value + pose.world[node * 16 + axis * 4 + part]);
        line(ink, place, end, own);
      });
    } else if (parent !== undefined) {
      line(ink, pose.joint(parent), place, color);
    }
    dot(dots, place, color);
  });
}

/** A line along the normal of each vertex, in the pose. @param {Ink} ink @param {Pose} pose @param {number} length */
function addNormals(ink, pose, length) {
  const { positions, normals, bones, sets } = pose.model;
  const places = pose.positions();
  const step = Math.max(1, Math.ceil(positions.length / 3 / 20000));
  for (let vertex = 0; vertex * 3 < positions.length; vertex += step) {
    const normal = [0, 1, 2].map((part) => normals[vertex * 3 + part]);
    const at = sets ? bones[vertex * 8] * 16 : 0;
    // The strongest bone rotates the normal.
    const turned = [0, 1, 2].map((row) => pose.skin[at + row] * normal[0] + pose.skin[at + 4 + row] * normal[1] + pose.skin[at + 8 + row] * normal[2]);
    const place = [0, 1, 2].map((part) => places[vertex * 3 + part]);
    line(ink, place, place.map((value, part) => value + turned[part] * length), [0.2, 0.55, 0.9]);
  }
}

/** Marks some points: the corners of a face, or one. @param {Ink} ink @param {Ink} dots @param {number[][]} points @param {number} size */
function addMarks(ink, dots, points, size) {
  points.forEach((point, index) => {
    dot(dots, point, MARK);
    line(ink, point, points[(index + 1) % points.length], MARK);
    for (let axis = 0; axis < 3; axis++) {
      const arm = [0, 1, 2].map((part) => (part === axis ? size / 30 : 0));
      line(ink, point.map((value, part) => value - arm[part]), point.map((value, part) => value + arm[part]), MARK);
    }
  });
}
