// The panel beside the picture: all text of the file goes into the page as text, never as markup.

/**
 * @typedef {{severity: string, code: string, message: string, count: number, bone: number | null, points: number[][] | null}} Finding
 * @typedef {{
 *   title: string, path: string, format: string | null, size: number | null, facts: [string, string][], unit: string,
 *   bounds: {min: number[], max: number[]} | null, findings: Finding[], quirks: {code: string, message: string}[],
 *   notes: string[], error: string | null,
 *   clips: {name: string, source: string | null, frames: number, rate: number | null, seconds: number | null}[]
 * }} Info
 */

/** Text with invisible characters, and those that change its direction, made visible. @param {string} text @returns {string} */
function visible(text) {
  return text.replace(/[\u0000-\u001f\u007f-\u009f\u00ad\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]/g, (letter) => {
    return `\u27e8U+${letter.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}\u27e9`;
  });
}

/** An element with text. @param {string} kind @param {string} [text] @param {string} [style] @returns {HTMLElement} */
function element(kind, text, style) {
  const made = document.createElement(kind);
  if (text !== undefined) {
    const own = document.createElement('bdi');
    own.textContent = visible(text);
    made.append(own);
  }
  if (style) made.className = style;
  return made;
}

/** @param {string} text @param {() => void} click @returns {HTMLButtonElement} */
function button(text, click) {
  const made = /** @type {HTMLButtonElement} */ (element('button', text));
  made.type = 'button';
  made.addEventListener('click', click);
  return made;
}

/** @param {number} seconds @returns {string} */
const inSeconds = (seconds) => `${seconds.toFixed(2)} s`;

/** A length with three significant digits. @param {number} length @returns {string} */
const short = (length) => String(Number(length.toPrecision(3)));

/**
 * The list of animations, with a search. Returns a function that marks the current one.
 * @param {HTMLElement} panel @param {Info} info @param {Clip[]} clips @param {(index: number) => void} choose
 */
function addClips(panel, info, clips, choose) {
  panel.append(element('h2', `${clips.length} animation${clips.length === 1 ? '' : 's'}`));
  const search = document.createElement('input');
  search.type = 'search';
  search.placeholder = 'Search';
  search.setAttribute('aria-label', 'Search animations');
  const list = element('ul');
  list.id = 'clips';
  const entries = [{ name: 'at rest', about: '' }, ...clips.map((clip, index) => {
    const own = info.clips.find((known, at) => at === index && known.name === clip.name) ?? info.clips.find((known) => known.name === clip.name);
    const length = own?.seconds ?? clip.seconds;
    return { name: clip.name || `animation ${index}`, about: own ? `${own.frames} frames, ${inSeconds(length)}` : inSeconds(length) };
  })];
  const rows = entries.map(({ name, about }, index) => {
    const row = element('li');
    const own = button(name, () => choose(index - 1));
    if (about) own.append(element('small', about));
    row.append(own);
    list.append(row);
    return { row, own, name: name.toLowerCase() };
  });
  search.addEventListener('input', () => {
    const wanted = search.value.toLowerCase();
    for (const { row, name } of rows) row.hidden = !name.includes(wanted);
  });
  if (clips.length > 8) panel.append(search);
  panel.append(list);
  return (/** @type {number} */ index) => {
    rows.forEach(({ own }, at) => own.setAttribute('aria-current', String(at === index + 1)));
    rows[index + 1]?.row.scrollIntoView({ block: 'nearest' });
  };
}

/** @param {HTMLElement} panel @param {Info} info @param {(index: number) => void} show */
function addFindings(panel, info, show) {
  panel.append(element('h2', info.findings.length ? 'Findings' : 'No findings'));
  info.findings.forEach((finding, index) => {
    const { severity, code, message, count, bone, points } = finding;
    const text = count > 1 ? `${message} (and ${count - 1} more like this)` : message;
    const isPlaced = bone !== null || !!points;
    const own = button('', () => show(index));
    own.textContent = '';
    own.append(element('b', severity), element('code', code), document.createElement('br'), element('span', text));
    own.classList.add('finding', ...(['error', 'warning', 'note'].includes(severity) ? [severity] : []));
    own.disabled = !isPlaced;
    own.title = isPlaced ? 'Show location' : '';
    panel.append(own);
  });
}

/** @param {HTMLElement} panel @param {Info} info */
function addAbout(panel, info) {
  const heading = element('h1', info.title);
  panel.append(heading, element('p', info.path, 'path'));
  for (const note of info.notes) panel.append(element('p', note, 'path'));
}

/** @param {HTMLElement} panel @param {Info} info */
function addFacts(panel, info) {
  /** @type {[string, string][]} */
  const facts = [];
  if (info.format) facts.push(['format', info.format]);
  if (info.size !== null) facts.push(['bytes', info.size.toLocaleString('en')]);
  facts.push(...info.facts);
  if (info.bounds) {
    const { min, max } = info.bounds;
    const size = ['x', 'y', 'z'].map((name, axis) => `${name} ${short(max[axis] - min[axis])}`).join(', ');
    facts.push(['box', size], ['unit', info.unit]);
  }
  if (facts.length) panel.append(element('h2', 'File'));
  const list = element('dl');
  for (const [name, value] of facts) list.append(element('dt', name), element('dd', value));
  panel.append(list);
}

/**
 * The materials, with their colours and textures. A click shades the model by them.
 * @param {HTMLElement} panel @param {Model} model @param {() => void} dye
 */
function addMaterials(panel, model, dye) {
  if (!model.materials.length) return;
  panel.append(element('h2', model.materials.length === 1 ? 'Material' : `${model.materials.length} materials`));
  const list = element('ul');
  list.id = 'materials';
  model.materials.forEach(({ name, image, isTwoSided, isCut }, index) => {
    const own = button(name || `material ${index}`, dye);
    const swatch = element('span', undefined, 'swatch');
    swatch.style.background = `rgb(${COLORS[index % COLORS.length].map((part) => Math.round(part * 255)).join(' ')})`;
    own.prepend(swatch);
    const count = model.parts.reduce((sum, part) => sum + (part.material === index ? part.count / 3 : 0), 0);
    const about = [`${count} triangle${count === 1 ? '' : 's'}`];
    if (image) about.push('texture');
    if (isTwoSided) about.push('two-sided');
    if (isCut) about.push('alpha mask');
    own.append(element('small', about.join(', ')));
    const row = element('li');
    row.append(own);
    list.append(row);
  });
  panel.append(list);
}

/** @param {HTMLElement} panel @param {Info} info */
function addQuirks(panel, info) {
  if (!info.quirks.length) return;
  panel.append(element('h2', 'Quirks'));
  const list = element('ul');
  for (const { code, message } of info.quirks) {
    const own = element('li');
    own.append(element('code', code), document.createTextNode(' '), element('span', message));
    list.append(own);
  }
  panel.append(list);
}
