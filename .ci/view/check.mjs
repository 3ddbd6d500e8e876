// Opens each page in a browser and proves what it says of itself: node check.mjs BROWSER FOLDER
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import puppeteer from 'puppeteer-core';

const [, , executablePath, folder] = process.argv;
const profile = mkdtempSync(join(tmpdir(), 'profile-'));
const browser = await puppeteer.launch({
  executablePath, headless: true, userDataDir: profile,
  args: ['--no-sandbox', '--disable-gpu', '--use-angle=swiftshader', '--enable-unsafe-swiftshader', '--disable-quic', '--no-first-run',
    '--disable-background-networking', '--disable-component-update', '--disable-sync'],
});
let facts = 0;

/** Opens a page, lets a function look at it, and proves that the page asked for nothing and threw nothing. */
async function visit(name, look, { dark = false, phone = false, moves = false } = {}) {
  const page = await browser.newPage();
  await page.setViewport(phone ? { width: 390, height: 844, hasTouch: true } : { width: 1000, height: 700 });
  // Where nothing plays by itself, pictures can be compared.
  await page.emulateMediaFeatures([
    { name: 'prefers-reduced-motion', value: moves ? 'no-preference' : 'reduce' },
    { name: 'prefers-color-scheme', value: dark ? 'dark' : 'light' },
  ]);
  const [requests, faults] = [[], []];
  page.on('request', (request) => { if (!/^(data|blob):/.test(request.url())) requests.push(request.url()); });
  page.on('pageerror', (error) => faults.push(error.message));
  page.on('console', (line) => { if (line.type() === 'error') faults.push(line.text()); });
  page.on('dialog', (dialog) => { faults.push('a dialog'); dialog.dismiss(); });
  await page.goto(`file://${join(folder, name)}.html`);
  await page.evaluate(() => globalThis.skelmap.ready);
  await look(page);
  assert.equal(requests.length, 1, `${name}: ${requests}`);
  assert.deepEqual(faults, [], name);
  assert.equal(await page.evaluate(() => globalThis.evil), undefined, name);
  facts += 3;
  await page.close();
}

/** The pixels of the canvas, as a text. */
const picture = (page) => page.evaluate(async () => {
  const viewer = await globalThis.skelmap.ready;
  viewer.draw();
  return viewer.canvas.toDataURL();
});

/** How many colours the canvas has: an empty one has one. */
const colors = (page) => page.evaluate(async () => {
  const viewer = await globalThis.skelmap.ready;
  viewer.draw();
  const { gl } = viewer.painter;
  const pixels = new Uint8Array(gl.drawingBufferWidth * gl.drawingBufferHeight * 4);
  gl.readPixels(0, 0, gl.drawingBufferWidth, gl.drawingBufferHeight, gl.RGBA, gl.UNSIGNED_BYTE, pixels);
  return new Set(new Uint32Array(pixels.buffer)).size;
});

const seek = (page, clip, seconds) => page.evaluate(async ([own, at]) => {
  const viewer = await globalThis.skelmap.ready;
  viewer.select(own);
  viewer.seek(at);
  return Array.from(viewer.pose.positions());
}, [clip, seconds]);

/** The greatest distance of a vertex from the nearest point, as a share of the size of the model. */
function deviation(positions, points) {
  let [worst, size] = [0, 0];
  for (const axis of [0, 1, 2]) {
    const values = points.map((point) => point[axis]);
    size = Math.max(size, Math.max(...values) - Math.min(...values));
  }
  for (let at = 0; at < positions.length; at += 3) {
    const away = points.map(([x, y, z]) => Math.hypot(x - positions[at], y - positions[at + 1], z - positions[at + 2]));
    worst = Math.max(worst, Math.min(...away));
  }
  return worst / size;
}

for (const name of ['psk', 'pmd']) {
  await visit(name, async (page) => {
    const before = [];
    for (const at of [0, 100, 333, 515, 900]) {
      const positions = await seek(page, 0, at / 1000);
      const points = JSON.parse(readFileSync(join(folder, `${name}.${at}.json`), 'utf8')).vertices.map((vertex) => vertex.position);
      const own = deviation(positions, points);
      assert.ok(own < 1e-5, `${name} at ${at} ms: ${own} of its size away`);
      const drawn = await picture(page);
      assert.ok(!before.includes(drawn), 'the picture of each time is another one');
      before.push(drawn);
      facts += 2;
    }
  });
}

// A page opens with its first clip, playing.
await visit('psk', async (page) => {
  await page.waitForFunction(async () => {
    const { clip, playing, time } = await globalThis.skelmap.ready;
    return clip === 0 && playing && time > 0.1;
  });
  facts++;
}, { moves: true });

// What people do: choose, play, search, stop, show everything, in both themes and on a phone.
for (const options of [{}, { dark: true }, { phone: true }]) {
  await visit('psk', async (page) => {
    await page.click('#clips li:nth-child(3) button');
    await new Promise((resolve) => setTimeout(resolve, 400));
    const state = () => page.evaluate(async () => {
      const { clip, playing, time } = await globalThis.skelmap.ready;
      return { clip, playing, time };
    });
    const playing = await state();
    assert.ok(playing.clip === 1 && playing.playing && playing.time > 0, 'a click on an animation plays it');
    await page.keyboard.press('Escape');
    await page.evaluate(() => document.activeElement?.blur());
    await page.keyboard.press('Space');
    assert.equal((await state()).playing, false);
    const plain = await picture(page);
    for (const tool of ['bones', 'wire', 'normals', 'box']) {
      await page.click(`[data-key=${tool}]`);
      assert.notEqual(await picture(page), plain, tool);
      await page.click(`[data-key=${tool}]`);
    }
    const labels = () => page.$$eval('#names span', (list) => list.map((own) => own.textContent));
    assert.deepEqual(await labels(), []);
    await page.click('[data-key=names]');
    await picture(page);
    const named = await labels();
    assert.ok(named.length > 5 && named.some((name) => /^(head|tail_3|pelvis|root)$/.test(name)), `names stand beside their bones: ${named}`);
    await page.click('[data-key=names]');
    // The pointer on a bone names it.
    await page.click('[data-key=bones]');
    const [bone, left, top] = await page.evaluate(async () => {
      const { model, pose, camera, canvas } = await globalThis.skelmap.ready;
      const joint = model.nodes.findIndex(({ name }) => name === 'head');
      const place = pose.joint(model.joints.indexOf(joint));
      const [m, { width, height, left, top }] = [camera.matrix(canvas.clientWidth, canvas.clientHeight), canvas.getBoundingClientRect()];
      const [x, y, , w] = [0, 1, 2, 3].map((row) => m[row] * place[0] + m[4 + row] * place[1] + m[8 + row] * place[2] + m[12 + row]);
      return [model.joints.indexOf(joint), left + (x / w + 1) / 2 * width, top + (1 - y / w) / 2 * height];
    });
    await page.mouse.move(left, top);
    assert.equal(await page.$eval('#tip', (tip) => (tip.hidden ? '' : tip.textContent)), `${bone}: head`);
    await page.click('[data-key=bones]');
    facts++;
    const materials = await page.$$eval('#materials li', (list) => list.map((own) => own.textContent));
    assert.ok(materials.length === 2 && materials.every((text) => /[1-9]\d* triangles/.test(text)), `${materials}`);
    facts += 3;
    for (const look of ['2', '3']) {
      await page.select('#look', look);
      assert.notEqual(await picture(page), plain, `look ${look}`);
    }
    const wide = await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth);
    assert.ok(wide, 'nothing lies beside the screen');
    facts += 9;
  }, options);
}

// Nothing is drawn while nothing changes.
await visit('psk', async (page) => {
  const count = await page.evaluate(async () => {
    const viewer = await globalThis.skelmap.ready;
    await new Promise((resolve) => setTimeout(resolve, 300));
    let frames = 0;
    const draw = viewer.draw.bind(viewer);
    viewer.draw = () => { frames++; draw(); };
    await new Promise((resolve) => setTimeout(resolve, 500));
    return frames;
  });
  assert.equal(count, 0);
  facts++;
});

for (const [name, place] of [['finding', 'marks'], ['bone', 'chosen']]) {
  await visit(name, async (page) => {
    const before = await picture(page);
    await page.click('.finding:not(:disabled)');
    assert.notEqual(await picture(page), before, `${name}: the ${place} are seen`);
    facts++;
  });
}

await visit('broken', async (page) => {
  const text = await page.evaluate(() => document.getElementById('message').textContent);
  assert.match(text, /not a known model or animation format/);
  facts++;
});

await visit('names', async (page) => {
  const text = await page.evaluate(async () => {
    const viewer = await globalThis.skelmap.ready;
    viewer.toggle('bones');
    return viewer.model.nodes.map((node) => node.name).join(' ');
  });
  assert.ok(text.includes('</script><script>window.evil=1</script>'), 'the name is there as it is');
  facts++;
});

for (const file of readdirSync(folder).filter((file) => /^(alone|points|rotations|static|not_finite|real-.*)\.html$/.test(file))) {
  await visit(file.slice(0, -5), async (page) => {
    assert.ok(await colors(page) > 3, `${file}: something is drawn`);
    facts++;
  });
}

// Joints whose places are not known have their names from the beginning.
await visit('rotations', async (page) => {
  await picture(page);
  const labels = await page.$$eval('#names span', (list) => list.map((own) => own.textContent));
  assert.ok(labels.length > 10 && new Set(labels).size === labels.length, `${labels}`);
  facts++;
});

// The index: every thumbnail is there, the search leaves what fits, a card leads to a page that plays. The report needs no script.
{
  const page = await browser.newPage();
  const faults = [];
  page.on('pageerror', (error) => faults.push(error.message));
  page.on('console', (line) => { if (line.type() === 'error') faults.push(line.text()); });
  await page.goto(`file://${join(folder, 'index', 'index.html')}`);
  const cards = await page.$$eval('li', (list) => list.length);
  await page.waitForFunction(() => [...document.images].every((image) => image.complete && image.naturalWidth === 256));
  // A name of a clip is found too.
  await page.type('#wanted', 'idle');
  assert.ok(await page.$$eval('li:not([hidden])', (list) => list.length) >= 1);
  await page.$eval('#wanted', (wanted) => { wanted.value = ''; });
  await page.type('#wanted', 'pyromod');
  const shown = await page.$$eval('li:not([hidden])', (list) => list.length);
  assert.ok(cards === 3 && shown === 1, `${shown} of ${cards}`);
  await page.click('li:not([hidden]) a');
  await page.waitForFunction(() => globalThis.skelmap);
  await page.evaluate(() => globalThis.skelmap.ready);
  assert.ok(await colors(page) > 3);
  await page.setJavaScriptEnabled(false);
  await page.goto(`file://${join(folder, 'report.html')}`);
  const text = await page.$eval('body', (body) => body.innerText);
  assert.match(text, /face-degenerate/);
  const widths = await page.$$eval('img', (list) => list.map((image) => image.naturalWidth));
  assert.ok(widths.length > 5 && widths.every((width) => width === 112), `${widths}`);
  facts++;
  assert.deepEqual(faults, []);
  facts += 5;
  await page.close();
}

await browser.close();
rmSync(profile, { recursive: true, force: true });
console.log(`pages: ${facts} facts hold`);
