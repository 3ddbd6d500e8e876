'use strict';
// Matrices are in columns, as in glTF; rotations are x, y, z, w.

/** @typedef {Float32Array | number[]} Numbers */

/** Writes the product of two matrices into a list. @param {Numbers} out @param {number} at @param {Numbers} a @param {number} aAt @param {Numbers} b @param {number} bAt */
function multiply(out, at, a, aAt, b, bAt) {
  for (let column = 0; column < 4; column++) {
    const [x, y, z, w] = [b[bAt + column * 4], b[bAt + column * 4 + 1], b[bAt + column * 4 + 2], b[bAt + column * 4 + 3]];
    for (let row = 0; row < 4; row++) {
      out[at + column * 4 + row] = a[aAt + row] * x + a[aAt + 4 + row] * y + a[aAt + 8 + row] * z + a[aAt + 12 + row] * w;
    }
  }
}

/** The matrix of a translation, a rotation and a scale. @param {Numbers} out @param {Numbers} t @param {Numbers} r @param {Numbers} s */
function compose(out, t, r, s) {
  const [x, y, z, w] = r;
  const rows = [
    1 - 2 * (y * y + z * z), 2 * (x * y + z * w), 2 * (x * z - y * w),
    2 * (x * y - z * w), 1 - 2 * (x * x + z * z), 2 * (y * z + x * w),
    2 * (x * z + y * w), 2 * (y * z - x * w), 1 - 2 * (x * x + y * y),
  ];
  for (let column = 0; column < 3; column++) {
    for (let row = 0; row < 3; row++) out[column * 4 + row] = rows[column * 3 + row] * s[column];
    out[column * 4 + 3] = 0;
  }
  [out[12], out[13], out[14], out[15]] = [t[0], t[1], t[2], 1];
}

/** A point transformed by a matrix. @param {Numbers} m @param {number} at @param {number} x @param {number} y @param {number} z @returns {number[]} */
function moved(m, at, x, y, z) {
  return [0, 1, 2].map((row) => m[at + row] * x + m[at + 4 + row] * y + m[at + 8 + row] * z + m[at + 12 + row]);
}

/** Interpolates two rotations, the shorter way. @param {Numbers} a @param {Numbers} b @param {number} weight @returns {number[]} */
function slerp(a, b, weight) {
  let cosine = a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3];
  const sign = cosine < 0 ? -1 : 1;
  cosine = Math.min(1, cosine * sign);
  let [left, right] = [1 - weight, weight];
  if (cosine < 0.9999) {
    const angle = Math.acos(cosine);
    [left, right] = [Math.sin(left * angle) / Math.sin(angle), Math.sin(right * angle) / Math.sin(angle)];
  }
  const mixed = [0, 1, 2, 3].map((part) => a[part] * left + b[part] * right * sign);
  const length = Math.hypot(...mixed) || 1;
  return mixed.map((part) => part / length);
}

/** The minimum and maximum of values, without outliers: a damaged file may have a few. @param {number[]} values @returns {[number, number]} */
function extent(values) {
  values.sort((a, b) => a - b);
  const at = (/** @type {number} */ share) => values[Math.min(values.length - 1, Math.floor(values.length * share))];
  const [low, high] = [at(0.05), at(0.95)];
  const spread = (high - low) * 20;
  const near = spread > 0 ? values.filter((value) => value >= low - spread && value <= high + spread) : values;
  return [near[0] ?? 0, near[near.length - 1] ?? 0];
}

/** The box around points. @param {Float32Array} points @returns {{min: number[], max: number[]}} */
function boxOf(points) {
  const step = Math.max(1, Math.ceil(points.length / 3 / 8192)) * 3;
  /** @type {number[][]} */
  const axes = [[], [], []];
  for (let at = 0; at + 2 < points.length; at += step) {
    const point = [points[at], points[at + 1], points[at + 2]];
    if (point.every((value) => Math.abs(value) < 1e9)) axes.forEach((axis, part) => axis.push(point[part]));
  }
  const ranges = axes.map(extent);
  return { min: ranges.map((range) => range[0]), max: ranges.map((range) => range[1]) };
}
