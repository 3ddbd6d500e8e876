// The page: display, playback and input.

/** @typedef {'bones' | 'names' | 'wire' | 'normals' | 'box' | 'grid'} Shown */

class Viewer {
  /** @param {Info} info @param {Model} model */
  constructor(info, model) {
    this.info = info;
    this.model = model;
    this.pose = new Pose(model);
    this.camera = new Camera();
    this.canvas = /** @type {HTMLCanvasElement} */ (find('canvas'));
    this.painter = new Painter(this.canvas, model);
    this.clip = -1;
    this.time = 0;
    this.playing = false;
    this.chosen = -1;
    /** @type {number[][]} */
    this.marks = [];
    // Without positions, joints are only distinguished by their names.
    this.show = { bones: !model.indices.length, names: this.pose.isFlat, wire: false, normals: false, box: false, grid: true };
    this.look = model.materials.some(({ image }) => image) ? 1 : 0;
    this.isAsked = false;
    this.last = 0;
    const points = model.positions.length ? this.pose.positions() : this.pose.places();
    this.box = boxOf(points);
    this.camera.fit(this.box);
    this.fill();
    steer(this.canvas, this.camera, () => this.redraw());
    new ResizeObserver(() => this.redraw()).observe(this.canvas);
    this.painter.load(() => this.redraw());
    // The first clip plays, unless the system asks for little motion.
    const first = model.clips.length ? 0 : -1;
    if (matchMedia('(prefers-reduced-motion: reduce)').matches) this.select(first);
    else this.play(first);
  }

  /** Fills the panel and the bars. */
  fill() {
    const panel = find('panel');
    addAbout(panel, this.info);
    this.mark = this.model.clips.length ? addClips(panel, this.info, this.model.clips, (index) => this.play(index)) : () => {};
    addFindings(panel, this.info, (index) => this.highlight(index));
    addFacts(panel, this.info);
    addMaterials(panel, this.model, () => this.dye(0));
    addQuirks(panel, this.info);
    const tools = find('tools');
    for (const [key, name] of /** @type {[Shown, string][]} */ (
      [['bones', 'Bones'], ['names', 'Names'], ['wire', 'Wireframe'], ['normals', 'Normals'], ['box', 'Box'], ['grid', 'Grid']])) {
      const own = button(name, () => this.toggle(key));
      own.dataset.key = key;
      own.setAttribute('aria-pressed', String(this.show[key]));
      tools.append(own);
    }
    const looks = document.createElement('select');
    looks.id = 'look';
    looks.setAttribute('aria-label', 'Shading');
    LOOKS.forEach((name, index) => {
      const own = new Option(name, String(index), false, index === this.look);
      own.disabled = index === 1 && !this.model.materials.some(({ image }) => image);
      looks.append(own);
    });
    looks.addEventListener('change', () => this.dye(Number(looks.value)));
    tools.append(looks, button('Frame', () => this.fit()), button('Theme', () => this.theme()), button('?', () => this.help()));
    find('player').hidden = !this.model.clips.length;
    find('play').addEventListener('click', () => this.toggleTime());
    find('time').addEventListener('input', () => {
      this.playing = false;
      this.seek(Number(/** @type {HTMLInputElement} */ (find('time')).value));
    });
    document.addEventListener('keydown', (event) => this.key(event));
    this.canvas.addEventListener('pointermove', (event) => this.hover(event));
    this.canvas.addEventListener('pointerleave', () => { find('tip').hidden = true; });
  }

  /** @param {Shown} key */
  toggle(key) {
    this.show[key] = !this.show[key];
    document.querySelector(`[data-key=${key}]`)?.setAttribute('aria-pressed', String(this.show[key]));
    this.redraw();
  }

  /** @param {number} look */
  dye(look) {
    this.look = look;
    /** @type {HTMLSelectElement} */ (find('look')).value = String(look);
    this.forget();
  }

  /** Hides the finding. */
  forget() {
    [this.chosen, this.marks] = [-1, []];
    this.redraw();
  }

  theme() {
    const root = document.documentElement;
    root.dataset.theme = root.dataset.theme === 'dark' ? 'light' : 'dark';
    this.redraw();
  }

  help() {
    /** @type {HTMLDialogElement} */ (find('help')).showModal();
  }

  fit() {
    this.camera.fit(this.box);
    this.redraw();
  }

  /** Selects a clip, or -1 for the rest pose, at its beginning. @param {number} index */
  select(index) {
    this.clip = index;
    this.mark?.(index);
    this.seek(0);
  }

  /** Plays a clip. @param {number} index */
  play(index) {
    this.forget();
    this.select(index);
    this.playing = index >= 0;
    this.last = 0;
    this.redraw();
  }

  toggleTime() {
    if (this.clip < 0) return this.play(0);
    this.playing = !this.playing;
    this.last = 0;
    this.redraw();
  }

  /** @param {number} seconds */
  seek(seconds) {
    const clip = this.model.clips[this.clip];
    this.time = clip ? Math.max(0, Math.min(clip.seconds, seconds)) : 0;
    this.pose.take(clip ?? null, this.time);
    this.redraw();
  }

  /** Frames per second of the clip. */
  rate() {
    return this.info.clips[this.clip]?.rate ?? 30;
  }

  /** Moves by frames. @param {number} frames */
  step(frames) {
    this.playing = false;
    this.seek((Math.round(this.time * this.rate()) + frames) / this.rate());
  }

  /** Shows the location of a finding: the bone with its weights, or the position at rest. @param {number} index */
  highlight(index) {
    const { bone, points } = this.info.findings[index];
    this.playing = false;
    this.select(-1);
    this.chosen = bone ?? -1;
    this.marks = points ?? [];
    if (bone !== null && !this.show.bones) this.toggle('bones');
    const place = bone !== null && this.model.joints[bone] !== undefined ? this.pose.joint(bone) : this.marks[0];
    if (place?.every((value) => Math.abs(value) < 1e9)) {
      this.camera.fit(this.box);
      this.camera.target = place;
      this.camera.distance = this.camera.size * 1.2;
    }
    this.redraw();
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    if (event.target instanceof HTMLInputElement && event.target.type === 'search' || event.ctrlKey || event.metaKey || event.altKey) return;
    const count = this.model.clips.length;
    /** @type {Record<string, () => void>} */
    const keys = {
      ' ': () => this.toggleTime(), ',': () => this.step(-1), '.': () => this.step(1), f: () => this.fit(), b: () => this.toggle('bones'),
      l: () => this.toggle('names'), w: () => this.toggle('wire'), m: () => this.dye((this.look + 1) % LOOKS.length), '?': () => this.help(),
      n: () => this.play(Math.min(count - 1, this.clip + 1)), p: () => this.play(Math.max(-1, this.clip - 1)),
      ArrowLeft: () => this.camera.turn(0.1, 0), ArrowRight: () => this.camera.turn(-0.1, 0), ArrowUp: () => this.camera.turn(0, 0.1),
      ArrowDown: () => this.camera.turn(0, -0.1), '+': () => this.camera.zoom(0.9), '-': () => this.camera.zoom(1.1),
    };
    const isOnControl = event.target instanceof HTMLButtonElement || event.target instanceof HTMLSelectElement || event.target instanceof HTMLInputElement;
    const action = keys[event.key.length === 1 ? event.key.toLowerCase() : event.key];
    if (!action || isOnControl && (event.key === ' ' || event.key.startsWith('Arrow'))) return;
    event.preventDefault();
    action();
    this.redraw();
  }

  /** Names the joint under the pointer. @param {PointerEvent} event */
  hover(event) {
    const tip = find('tip');
    tip.hidden = true;
    if (!this.show.bones) return;
    const { clientWidth: width, clientHeight: height } = this.canvas;
    const matrix = this.camera.matrix(width, height);
    let nearest = { away: 10, joint: -1, x: 0, y: 0 };
    this.model.joints.forEach((_, joint) => {
      const place = onScreen(matrix, this.pose.joint(joint), width, height);
      const away = place ? Math.hypot(place[0] - event.offsetX, place[1] - event.offsetY) : Infinity;
      if (place && away < nearest.away) nearest = { away, joint, x: place[0], y: place[1] };
    });
    if (nearest.joint < 0) return;
    tip.replaceChildren(element('span', `${nearest.joint}: ${this.model.nodes[this.model.joints[nearest.joint]].name}`));
    [tip.style.left, tip.style.top, tip.hidden] = [`${nearest.x + 10}px`, `${Math.max(0, nearest.y - 26)}px`, false];
  }

  /** Requests one redraw. */
  redraw() {
    if (this.isAsked) return;
    this.isAsked = true;
    requestAnimationFrame((now) => this.frame(now));
  }

  /** @param {number} now */
  frame(now) {
    this.isAsked = false;
    const clip = this.model.clips[this.clip];
    if (this.playing && clip) {
      const speed = Number(/** @type {HTMLSelectElement} */ (find('speed')).value);
      const next = this.time + (this.last ? (now - this.last) / 1000 * speed : 0);
      this.last = now;
      this.seek(clip.seconds > 0 ? next % clip.seconds : 0);
    }
    this.draw();
    if (this.playing) this.redraw();
  }

  draw() {
    const style = getComputedStyle(find('stage')).backgroundColor.match(/[\d.]+/g) ?? [];
    const background = style.slice(0, 3).map((part) => Number(part) / 255);
    const faint = background.map((part) => part * 0.8 + (part > 0.5 ? 0 : 0.2));
    const [behind, above, dots] = [noInk(), noInk(), noInk()];
    if (this.show.grid && !this.pose.isFlat) addGrid(behind, this.box, faint);
    if (this.show.box) addBox(behind, this.box, BONE);
    if (this.show.normals) addNormals(behind, this.pose, this.camera.size / 60);
    if (this.show.bones) addBones(above, dots, this.pose, this.chosen);
    addMarks(above, dots, this.marks, this.camera.size);
    this.painter.draw(this.camera, this.pose, this.look, this.chosen, this.show.wire, behind, above, dots, background);
    addLabels(find('names'), this.pose, this.camera, this.show.names);
    const clip = this.model.clips[this.clip];
    const time = /** @type {HTMLInputElement} */ (find('time'));
    [time.max, time.value] = [String(clip?.seconds || 1), String(this.time)];
    find('play').textContent = this.playing ? '\u275a\u275a' : '\u25b6';
    const frame = Math.round(this.time * this.rate());
    find('clock').textContent = clip ? `frame ${frame}, ${inSeconds(this.time)}` : 'at rest';
  }
}

/** @param {string} id @returns {HTMLElement} */
function find(id) {
  return /** @type {HTMLElement} */ (document.getElementById(id));
}

/** Shows a message instead of the picture. @param {string} text */
function say(text) {
  const message = find('message');
  message.replaceChildren(element('span', text));
  message.classList.add('error');
  message.hidden = false;
  find('tools').hidden = true;
}

async function start() {
  if (matchMedia('(prefers-color-scheme: dark)').matches) document.documentElement.dataset.theme = 'dark';
  /** @type {Info} */
  const info = JSON.parse(find('info').textContent ?? '');
  const packed = (find('model').textContent ?? '').trim();
  let viewer = null;
  try {
    if (info.error) throw new Error(info.error);
    if (!packed) throw new Error('this page has no model');
    viewer = new Viewer(info, read(await unpack(packed)));
  } catch (error) {
    say(error instanceof Error ? error.message : String(error));
    const panel = find('panel');
    panel.replaceChildren();
    addAbout(panel, info);
    if (info.findings.length) addFindings(panel, info, () => {});
    addFacts(panel, info);
    addQuirks(panel, info);
  }
  return viewer;
}

// For tests and for the console.
Object.assign(globalThis, { skelmap: { ready: start() } });
