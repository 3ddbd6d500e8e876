// Checks converted files with programs that share nothing with skelmap: the validator of glTF, and three.js.
//
//   node check.mjs FOLDER
//
// Every .glb and .gltf below the folder must have no error and no warning. Beside a file there may be NAME.expected.json, with the points of
// the mesh at rest and in poses of an animation, as `skelmap skin` gives them: [{ "animation": 0, "at_s": 0.5, "positions": [[x, y, z]] }],
// the rest first, with "animation": null. three.js must find each vertex of the file at one of the places of its point.
import fs from 'node:fs';
import path from 'node:path';
import validator from 'gltf-validator';
import * as THREE from 'three';
import { GLTFLoader } from 'three/addons/loaders/GLTFLoader.js';

const files = [];
const walk = (place) => {
  for (const name of fs.readdirSync(place).sort()) {
    const file = path.join(place, name);
    if (fs.statSync(file).isDirectory()) walk(file);
    else if (/\.(glb|gltf)$/.test(name)) files.push(file);
  }
};
walk(process.argv[2]);

let failed = 0;
const fail = (message) => { console.log(message); failed += 1; };
let worst = 0, compared = 0, withLevels = 0;

for (const file of files) {
  const bytes = new Uint8Array(fs.readFileSync(file));
  const beside = (uri) => new Uint8Array(fs.readFileSync(path.join(path.dirname(file), decodeURIComponent(uri))));
  const report = await validator.validateBytes(bytes, {
    uri: path.basename(file),
    maxIssues: 10,
    externalResourceFunction: async (uri) => beside(uri),
  });
  // A skeleton alone has a skin, without which programs take its bones for empty nodes.
  const isAlone = !report.info.drawCallCount;
  // Coarser levels of detail are nodes of no scene, which an extension names that the validator does not know.
  const levels = new Set(root(file, bytes).nodes?.flatMap((node) => node.extensions?.MSFT_lod?.ids ?? []));
  const isMeant = ({ code, message, pointer }) =>
    (code === 'UNUSED_OBJECT' && ((isAlone && pointer === '/skins/0') || levels.has(Number(pointer.match(/^\/nodes\/(\d+)$/)?.[1])))) ||
    (code === 'UNSUPPORTED_EXTENSION' && levels.size > 0 && message.includes("'MSFT_lod'"));
  const messages = report.issues.messages.filter((message) => message.severity < 3 && !isMeant(message));
  if (messages.length > 0) {
    fail(`${file}: ${messages.map((message) => `${message.code} ${message.message} ${message.pointer}`).join('; ')}`);
  }
  if (levels.size > 0) await compareLevels(file, bytes, levels);
  const expected = `${file.replace(/\.\w+$/, '')}.expected.json`;
  if (fs.existsSync(expected)) await compare(file, bytes, JSON.parse(fs.readFileSync(expected, 'utf8')));
}

// The JSON of a file.
function root(file, bytes) {
  const length = new DataView(bytes.buffer, bytes.byteOffset).getUint32(12, true);
  return JSON.parse(new TextDecoder().decode(file.endsWith('.glb') ? bytes.subarray(20, 20 + length) : bytes));
}

// A program that does not know levels of detail shows the finest alone.
async function compareLevels(file, bytes, levels) {
  const { nodes } = root(file, bytes);
  const gltf = await new GLTFLoader().parseAsync(bytes.buffer, '');
  let shown = 0;
  gltf.scene.traverse((node) => {
    if (node.isMesh) shown += 1;
    if ([...levels].some((level) => nodes[level].name && THREE.PropertyBinding.sanitizeNodeName(nodes[level].name) === node.name)) fail(`${file}: three.js shows ${node.name}`);
  });
  if (shown === 0) fail(`${file}: three.js shows no mesh`);
  withLevels += 1;
}

// The posed positions of three.js against the expected ones.
async function compare(file, bytes, [rest, ...poses]) {
  const gltf = await new GLTFLoader().parseAsync(bytes.buffer, '');
  const meshes = [];
  gltf.scene.traverse((node) => { if (node.isMesh) meshes.push(node); });
  const size = new THREE.Box3().setFromPoints(rest.positions.map((point) => new THREE.Vector3(...point))).getSize(new THREE.Vector3()).length();
  // Points by their place at rest: several points may share one.
  const key = (x, y, z) => [x, y, z].map((value) => Math.round(value / size * 2e4)).join();
  const near = new Map();
  rest.positions.forEach(([x, y, z], point) => {
    for (const dx of [-1, 0, 1]) for (const dy of [-1, 0, 1]) for (const dz of [-1, 0, 1]) {
      const step = size / 2e4;
      const place = key(x + dx * step, y + dy * step, z + dz * step);
      if (!near.has(place)) near.set(place, []);
      near.get(place).push(point);
    }
  });
  // What a compact file may be off, and its rounded weights.
  const tolerance = file.includes('compact') ? size / 18000 + 2e-5 * size : Math.max(2e-5, 1e-5 * size);
  gltf.scene.updateMatrixWorld(true);
  const atRest = meshes.map((mesh) => {
    const place = (_, vertex) => mesh.getVertexPosition(vertex, new THREE.Vector3()).applyMatrix4(mesh.matrixWorld);
    return Array.from({ length: mesh.geometry.getAttribute('position').count }, place);
  });
  const mixer = new THREE.AnimationMixer(gltf.scene);
  for (const pose of poses) {
    mixer.stopAllAction();
    const action = mixer.clipAction(gltf.animations[pose.animation]);
    action.setLoop(THREE.LoopOnce);
    action.clampWhenFinished = true;
    action.reset().play();
    mixer.setTime(pose.at_s);
    gltf.scene.updateMatrixWorld(true);
    let largest = 0;
    const at = new THREE.Vector3();
    for (const [index, mesh] of meshes.entries()) {
      for (let vertex = 0; vertex < atRest[index].length; vertex += 1) {
        const points = near.get(key(...atRest[index][vertex]));
        if (!points) { largest = Infinity; break; }
        mesh.getVertexPosition(vertex, at).applyMatrix4(mesh.matrixWorld);
        const distances = points.map((point) => at.distanceTo(new THREE.Vector3(...pose.positions[point])));
        largest = Math.max(largest, Math.min(...distances));
      }
    }
    compared += 1;
    worst = Math.max(worst, largest);
    if (!(largest <= tolerance)) fail(`${file}: animation ${pose.animation} at ${pose.at_s} s is ${largest} m off, allowed ${tolerance}`);
  }
}

if (files.length === 0 || compared === 0 || withLevels === 0) fail('nothing was compared');
console.log(`${files.length} files valid but for ${failed}; ${compared} poses compared with three.js, largest distance ${worst.toExponential(2)} m; ${withLevels} with levels of detail, of which three.js shows the finest`);
process.exit(failed ? 1 : 0);
