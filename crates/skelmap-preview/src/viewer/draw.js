// Draws the model and its overlays.

/** The colours of materials, used in rotation. */
const COLORS = [
  [201, 206, 214], [222, 178, 120], [130, 176, 214], [164, 196, 130], [214, 146, 146], [176, 156, 212],
  [128, 196, 188], [226, 204, 128], [200, 158, 190], [168, 172, 148], [154, 186, 232], [220, 190, 174],
].map((color) => color.map((part) => part / 255));

/** The shading modes, in the order of the shader. */
const LOOKS = ['materials', 'texture', 'UV pattern', 'normals'];

/** @typedef {{points: number[], colors: number[]}} Ink */

class Painter {
  /** @param {HTMLCanvasElement} canvas @param {Model} model */
  constructor(canvas, model) {
    const gl = canvas.getContext('webgl2', { antialias: true, preserveDrawingBuffer: true });
    if (!gl) throw new Error('this browser has no WebGL 2: the model cannot be drawn');
    this.canvas = canvas;
    this.gl = gl;
    this.model = model;
    this.surface = program(gl, SURFACE);
    this.lines = program(gl, LINES);
    this.shape = this.shapeOf(model);
    this.overlay = gl.createVertexArray();
    this.ink = [gl.createBuffer(), gl.createBuffer()];
    gl.bindVertexArray(this.overlay);
    this.ink.forEach((buffer, index) => {
      gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
      gl.enableVertexAttribArray(index);
      gl.vertexAttribPointer(index, 3, gl.FLOAT, false, 0, 0);
    });
    this.matrices = gl.createTexture();
    /** @type {(WebGLTexture | null)[]} */
    this.images = model.materials.map(() => null);
    gl.bindVertexArray(null);
  }

  /** Loads the textures. @param {() => void} redraw */
  async load(redraw) {
    const { gl } = this;
    await Promise.all(this.model.materials.map(async ({ image }, index) => {
      if (!image) return;
      try {
        const bitmap = await createImageBitmap(image);
        const texture = gl.createTexture();
        gl.bindTexture(gl.TEXTURE_2D, texture);
        gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA, gl.RGBA, gl.UNSIGNED_BYTE, bitmap);
        gl.generateMipmap(gl.TEXTURE_2D);
        gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, gl.LINEAR_MIPMAP_LINEAR);
        this.images[index] = texture;
        redraw();
      } catch { /* An image that the browser does not read: the colour of the material stays. */ }
    }));
  }

  /** @param {Model} model */
  shapeOf(model) {
    const { gl } = this;
    const array = gl.createVertexArray();
    gl.bindVertexArray(array);
    const put = (/** @type {number} */ at, /** @type {any} */ data, /** @type {number} */ size, stride = 0, offset = 0) => {
      gl.enableVertexAttribArray(at);
      if (data) {
        gl.bindBuffer(gl.ARRAY_BUFFER, gl.createBuffer());
        gl.bufferData(gl.ARRAY_BUFFER, data, gl.STATIC_DRAW);
      }
      if (at === 3 || at === 5) gl.vertexAttribIPointer(at, size, gl.UNSIGNED_SHORT, stride, offset);
      else gl.vertexAttribPointer(at, size, gl.FLOAT, false, stride, offset);
    };
    put(0, model.positions, 3);
    put(1, model.normals, 3);
    put(2, model.uvs, 2);
    put(3, model.bones, 4, 16);
    put(5, null, 4, 16, 8);
    put(4, model.weights, 4, 32);
    put(6, null, 4, 32, 16);
    const faces = gl.createBuffer();
    gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, faces);
    gl.bufferData(gl.ELEMENT_ARRAY_BUFFER, model.indices, gl.STATIC_DRAW);
    /** Each triangle as three lines, computed on demand. */
    const edges = /** @type {WebGLBuffer | null} */ (null);
    gl.bindVertexArray(null);
    return { array, faces, edges };
  }

  edges() {
    const { gl, shape, model: { indices } } = this;
    if (!shape.edges) {
      const list = new Uint32Array(indices.length * 2);
      for (let at = 0; at < indices.length; at += 3) {
        const [a, b, c] = [indices[at], indices[at + 1], indices[at + 2]];
        list.set([a, b, b, c, c, a], at * 2);
      }
      const buffer = gl.createBuffer();
      gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, buffer);
      gl.bufferData(gl.ELEMENT_ARRAY_BUFFER, list, gl.STATIC_DRAW);
      this.shape = { ...shape, edges: buffer };
    }
    return this.shape.edges;
  }

  /**
   * @param {Camera} camera @param {Pose} pose @param {number} look @param {number} chosen
   * @param {boolean} wire @param {Ink} behind @param {Ink} above @param {Ink} dots @param {number[]} background
   */
  draw(camera, pose, look, chosen, wire, behind, above, dots, background) {
    const { gl, canvas } = this;
    const scale = Math.min(2, devicePixelRatio || 1);
    const [width, height] = [canvas.clientWidth * scale, canvas.clientHeight * scale].map((edge) => Math.max(1, Math.round(edge)));
    if (canvas.width !== width || canvas.height !== height) [canvas.width, canvas.height] = [width, height];
    gl.viewport(0, 0, width, height);
    gl.clearColor(background[0], background[1], background[2], 1);
    gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
    gl.enable(gl.DEPTH_TEST);
    const matrix = camera.matrix(width, height);
    this.paint(matrix, behind, gl.LINES, 1);
    this.surfaces(matrix, camera, pose, look, chosen, wire);
    gl.disable(gl.DEPTH_TEST);
    this.paint(matrix, above, gl.LINES, 1);
    this.paint(matrix, dots, gl.POINTS, 6 * scale);
  }

  /** @param {Float32Array} matrix @param {Camera} camera @param {Pose} pose @param {number} look @param {number} chosen @param {boolean} wire */
  surfaces(matrix, camera, pose, look, chosen, wire) {
    const { gl, model, surface } = this;
    if (!model.indices.length) return;
    gl.useProgram(surface);
    const at = (/** @type {string} */ name) => gl.getUniformLocation(surface, name);
    gl.uniformMatrix4fv(at('camera'), false, matrix);
    gl.uniform3fv(at('eye'), camera.eye());
    gl.uniform1i(at('sets'), model.sets);
    gl.uniform1i(at('chosen'), chosen);
    gl.uniform1i(at('is_chosen'), chosen >= 0 ? 1 : 0);
    gl.uniform1i(at('matrices'), 0);
    gl.uniform1i(at('image'), 1);
    this.send(pose.skin);
    gl.bindVertexArray(this.shape.array);
    gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, wire ? this.edges() : this.shape.faces);
    for (const { first, count, material } of model.parts) {
      const image = this.images[material];
      gl.activeTexture(gl.TEXTURE1);
      gl.bindTexture(gl.TEXTURE_2D, image ?? null);
      gl.uniform3fv(at('color'), COLORS[Math.max(0, material) % COLORS.length]);
      gl.uniform1i(at('look'), look === 1 && !image ? 0 : look);
      gl.uniform1i(at('is_cut'), look === 1 && model.materials[material]?.isCut ? 1 : 0);
      const bytes = 4 * (wire ? 2 : 1);
      gl.drawElements(wire ? gl.LINES : gl.TRIANGLES, count * (wire ? 2 : 1), gl.UNSIGNED_INT, first * bytes);
    }
    gl.bindVertexArray(null);
  }

  /** Sends the matrices of the joints: four texels each, 256 joints in a row. @param {Float32Array} skin */
  send(skin) {
    const { gl } = this;
    const rows = Math.ceil(skin.length / 16 / 256);
    const data = new Float32Array(rows * 256 * 16);
    data.set(skin);
    gl.activeTexture(gl.TEXTURE0);
    gl.bindTexture(gl.TEXTURE_2D, this.matrices);
    gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA32F, 1024, rows, 0, gl.RGBA, gl.FLOAT, data);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, gl.NEAREST);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MAG_FILTER, gl.NEAREST);
  }

  /** Draws lines or dots. @param {Float32Array} matrix @param {Ink} ink @param {number} mode @param {number} size */
  paint(matrix, { points, colors }, mode, size) {
    const { gl, lines } = this;
    if (!points.length) return;
    gl.useProgram(lines);
    gl.uniformMatrix4fv(gl.getUniformLocation(lines, 'camera'), false, matrix);
    gl.uniform1f(gl.getUniformLocation(lines, 'size'), size);
    gl.uniform1i(gl.getUniformLocation(lines, 'is_dot'), mode === gl.POINTS ? 1 : 0);
    gl.bindVertexArray(this.overlay);
    [points, colors].forEach((values, index) => {
      gl.bindBuffer(gl.ARRAY_BUFFER, this.ink[index]);
      gl.bufferData(gl.ARRAY_BUFFER, new Float32Array(values), gl.DYNAMIC_DRAW);
    });
    gl.drawArrays(mode, 0, points.length / 3);
    gl.bindVertexArray(null);
  }
}
