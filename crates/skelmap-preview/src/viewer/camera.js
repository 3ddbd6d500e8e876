// A camera that orbits a point.

class Camera {
  constructor() {
    this.around = 0.52;
    this.above = 0.26;
    this.distance = 3;
    this.target = [0, 0, 0];
    this.size = 1;
  }

  /** Shows a whole box. @param {{min: number[], max: number[]}} box */
  fit({ min, max }) {
    const middle = min.map((low, axis) => (low + max[axis]) / 2);
    const size = Math.hypot(...min.map((low, axis) => max[axis] - low));
    this.target = middle.every(Number.isFinite) ? middle : [0, 0, 0];
    this.size = size > 0 && Number.isFinite(size) ? size : 1;
    this.distance = this.size * 1.75;
  }

  /** @returns {number[]} */
  back() {
    return [Math.sin(this.around) * Math.cos(this.above), Math.sin(this.above), Math.cos(this.around) * Math.cos(this.above)];
  }

  /** @returns {number[]} */
  eye() {
    return this.back().map((part, axis) => this.target[axis] + part * this.distance);
  }

  /** The right and up axes in view space. @returns {number[][]} */
  axes() {
    const [x, y, z] = this.back();
    const right = [Math.cos(this.around), 0, -Math.sin(this.around)];
    return [right, [y * right[2] - z * right[1], z * right[0] - x * right[2], x * right[1] - y * right[0]]];
  }

  /** From the world to the picture. @param {number} width @param {number} height @returns {Float32Array} */
  matrix(width, height) {
    const [right, up] = this.axes();
    const [back, eye] = [this.back(), this.eye()];
    const dot = (/** @type {number[]} */ a, /** @type {number[]} */ b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
    const rows = [right, up, back];
    const view = [0, 1, 2].flatMap((column) => [...rows.map((row) => row[column]), 0]).concat([...rows.map((row) => -dot(row, eye)), 1]);
    const [near, far] = [this.distance / 100, this.distance + this.size * 20];
    // A portrait picture shows the whole width.
    const zoom = 1 / Math.tan(0.31) * Math.min(1, width / height);
    const lens = new Float32Array(16);
    [lens[0], lens[5], lens[10], lens[11], lens[14]] = [zoom * height / width, zoom, -(far + near) / (far - near), -1, -2 * far * near / (far - near)];
    const out = new Float32Array(16);
    multiply(out, 0, lens, 0, view, 0);
    return out;
  }

  /** @param {number} x @param {number} y */
  turn(x, y) {
    this.around -= x;
    this.above = Math.max(-1.55, Math.min(1.55, this.above + y));
  }

  /** Pans, by fractions of the picture's height. @param {number} x @param {number} y */
  pan(x, y) {
    const [right, up] = this.axes();
    const scale = this.distance * 0.64;
    this.target = this.target.map((value, axis) => value + (up[axis] * y - right[axis] * x) * scale);
  }

  /** @param {number} factor */
  zoom(factor) {
    this.distance = Math.max(this.size / 500, Math.min(this.size * 20, this.distance * factor));
  }
}

/** Turns drags, wheels, fingers and keys into movements. @param {HTMLElement} canvas @param {Camera} camera @param {() => void} redraw */
function steer(canvas, camera, redraw) {
  /** @type {Map<number, {x: number, y: number}>} */
  const fingers = new Map();
  const spread = () => {
    const [a, b] = [...fingers.values()];
    return { x: (a.x + b.x) / 2, y: (a.y + b.y) / 2, wide: Math.hypot(a.x - b.x, a.y - b.y) || 1 };
  };
  canvas.addEventListener('pointerdown', (event) => {
    canvas.setPointerCapture(event.pointerId);
    fingers.set(event.pointerId, { x: event.clientX, y: event.clientY });
  });
  canvas.addEventListener('pointermove', (event) => {
    const last = fingers.get(event.pointerId);
    if (!last) return;
    const before = fingers.size === 2 ? spread() : null;
    const [x, y] = [(event.clientX - last.x) / canvas.clientHeight, (event.clientY - last.y) / canvas.clientHeight];
    [last.x, last.y] = [event.clientX, event.clientY];
    if (before) {
      const now = spread();
      camera.zoom(before.wide / now.wide);
      camera.pan((now.x - before.x) / canvas.clientHeight, (now.y - before.y) / canvas.clientHeight);
    } else if (event.buttons & 6 || event.shiftKey) {
      camera.pan(x, y);
    } else {
      camera.turn(x * 4, y * 4);
    }
    redraw();
  });
  for (const end of ['pointerup', 'pointercancel']) {
    canvas.addEventListener(end, (event) => fingers.delete(/** @type {PointerEvent} */ (event).pointerId));
  }
  canvas.addEventListener('contextmenu', (event) => event.preventDefault());
  canvas.addEventListener('wheel', (event) => {
    event.preventDefault();
    camera.zoom(Math.exp(Math.max(-60, Math.min(60, event.deltaY)) / 300));
    redraw();
  }, { passive: false });
}
