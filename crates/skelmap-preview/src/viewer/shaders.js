// The shader programs.

const SURFACE = [`#version 300 es
precision highp float;
precision highp int;
layout(location = 0) in vec3 position;
layout(location = 1) in vec3 normal;
layout(location = 2) in vec2 uv;
layout(location = 3) in uvec4 bones;
layout(location = 4) in vec4 weights;
layout(location = 5) in uvec4 more_bones;
layout(location = 6) in vec4 more_weights;
uniform mat4 camera;
uniform sampler2D matrices;
uniform int sets;
uniform int chosen;
out vec3 turned;
out vec3 place;
out vec2 at;
out float share;
mat4 bone(uint index) {
  ivec2 texel = ivec2(int(index % 256u) * 4, int(index / 256u));
  return mat4(texelFetch(matrices, texel, 0), texelFetch(matrices, texel + ivec2(1, 0), 0),
    texelFetch(matrices, texel + ivec2(2, 0), 0), texelFetch(matrices, texel + ivec2(3, 0), 0));
}
void main() {
  mat4 moving = mat4(1.0);
  share = 0.0;
  if (sets > 0) {
    moving = mat4(0.0);
    for (int part = 0; part < 4; part++) {
      if (weights[part] > 0.0) moving += weights[part] * bone(bones[part]);
      if (int(bones[part]) == chosen) share += weights[part];
      if (sets > 1 && more_weights[part] > 0.0) moving += more_weights[part] * bone(more_bones[part]);
      if (sets > 1 && int(more_bones[part]) == chosen) share += more_weights[part];
    }
  }
  vec4 world = moving * vec4(position, 1.0);
  place = world.xyz;
  turned = mat3(moving) * normal;
  at = uv;
  gl_Position = camera * world;
}`, `#version 300 es
precision highp float;
in vec3 turned;
in vec3 place;
in vec2 at;
in float share;
uniform vec3 eye;
uniform vec3 color;
uniform int look;
uniform bool is_cut;
uniform bool is_chosen;
uniform sampler2D image;
out vec4 pixel;
void main() {
  vec3 normal = normalize(turned);
  vec3 back = normalize(eye - place);
  if (dot(normal, normal) < 0.5) normal = back;
  float side = dot(normal, back) < 0.0 ? -1.0 : 1.0;
  vec3 right = normalize(cross(vec3(0.0, 1.0, 0.0), back) + vec3(1e-6, 0.0, 0.0));
  vec3 lamp = normalize(back * 0.69 + cross(back, right) * 0.62 - right * 0.38);
  float light = 0.36 + 0.64 * max(0.0, dot(normal * side, lamp));
  vec4 base = vec4(color, 1.0);
  if (look == 1) base = texture(image, at);
  if (look == 2) {
    vec2 cell = floor(at * 8.0);
    bool odd = mod(cell.x + cell.y, 2.0) > 0.5;
    base.rgb = odd ? vec3(fract(at), 0.35) : vec3(0.94);
  }
  if (look == 3) { base.rgb = normal * 0.5 + 0.5; light = 1.0; }
  if (is_cut && base.a < 0.5) discard;
  if (is_chosen) base.rgb = mix(vec3(0.55, 0.57, 0.6), vec3(0.93, 0.36, 0.1), clamp(share, 0.0, 1.0));
  pixel = vec4(base.rgb * light * (side < 0.0 ? 0.8 : 1.0), 1.0);
}`];

const LINES = [`#version 300 es
precision highp float;
layout(location = 0) in vec3 position;
layout(location = 1) in vec3 color;
uniform mat4 camera;
uniform float size;
out vec3 ink;
void main() {
  gl_Position = camera * vec4(position, 1.0);
  gl_PointSize = size;
  ink = color;
}`, `#version 300 es
precision highp float;
in vec3 ink;
uniform bool is_dot;
out vec4 pixel;
void main() {
  if (is_dot && length(gl_PointCoord - 0.5) > 0.5) discard;
  pixel = vec4(ink, 1.0);
}`];

/** @param {WebGL2RenderingContext} gl @param {string[]} sources */
function program(gl, [vertex, fragment]) {
  const made = gl.createProgram();
  for (const [kind, source] of /** @type {[number, string][]} */ ([[gl.VERTEX_SHADER, vertex], [gl.FRAGMENT_SHADER, fragment]])) {
    const shader = /** @type {WebGLShader} */ (gl.createShader(kind));
    gl.shaderSource(shader, source);
    gl.compileShader(shader);
    gl.attachShader(made, shader);
  }
  gl.linkProgram(made);
  if (!gl.getProgramParameter(made, gl.LINK_STATUS) && !gl.isContextLost()) throw new Error(`the graphics card refuses a program: ${gl.getProgramInfoLog(made)}`);
  return made;
}
