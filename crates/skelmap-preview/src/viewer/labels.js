// Bone names, beside the bones in the picture.

/** The maximum number of names: more would hide the model. */
const MOST_LABELS = 400;

/** The space of a name in pixels, so that names do not overlap. */
const LABEL = { width: 76, height: 15 };

/**
 * Where a place is in the picture, in pixels from the left and the top; `null` for one behind the camera or outside of the picture.
 * @param {Numbers} matrix @param {number[]} place @param {number} width @param {number} height @returns {[number, number] | null}
 */
function onScreen(matrix, [x, y, z], width, height) {
  const depth = matrix[3] * x + matrix[7] * y + matrix[11] * z + matrix[15];
  const [right, up] = moved(matrix, 0, x, y, z);
  const [left, top] = [(right / depth + 1) / 2 * width, (1 - up / depth) / 2 * height];
  return depth > 0 && left >= 0 && left <= width && top >= 0 && top <= height ? [left, top] : null;
}

/**
 * Writes the names of the joints into a layer above the picture.
 * @param {HTMLElement} layer @param {Pose} pose @param {Camera} camera @param {boolean} isShown
 */
function addLabels(layer, pose, camera, isShown) {
  layer.replaceChildren();
  if (!isShown) return;
  const { clientWidth: width, clientHeight: height } = layer;
  const matrix = camera.matrix(width, height);
  const { joints, nodes } = pose.model;
  /** @type {Set<string>} */
  const taken = new Set();
  for (let joint = 0; joint < joints.length && layer.childElementCount < MOST_LABELS; joint++) {
    const place = onScreen(matrix, pose.joint(joint), width, height);
    if (!place) continue;
    const [left, top] = place;
    const cell = `${Math.floor(left / LABEL.width)} ${Math.floor(top / LABEL.height)}`;
    if (taken.has(cell)) continue;
    taken.add(cell);
    const own = element('span', nodes[joints[joint]].name);
    [own.style.left, own.style.top] = [`${left + 6}px`, `${top - 8}px`];
    layer.append(own);
  }
}
