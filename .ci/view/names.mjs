// Writes a mesh whose bones and materials have names that would be markup: node names.mjs IN OUT
import { readFileSync, writeFileSync } from 'node:fs';

const TRICKS = [
  '</script><script>window.evil=1</script>', '"><img src=x onerror=window.evil=1>', "'); window.evil=1; //", '<!--<script>', ']]>', '\u202Egnp.exe',
  '{{model}}', '&lt;b&gt;', '\\u003cscript\\u003e',
];
const [, , input, output] = process.argv;
const bytes = readFileSync(input);
// Chunks: 20 bytes of name, four numbers of 32 bits; size and number of the records are the last two.
for (let at = 0; at + 32 <= bytes.length;) {
  const id = bytes.toString('latin1', at, at + 20).replace(/\0.*/s, '');
  const [size, count] = [bytes.readInt32LE(at + 24), bytes.readInt32LE(at + 28)];
  if (id === 'REFSKELT' || id === 'MATT0000') {
    for (let record = 0; record < count; record++) {
      const name = Buffer.alloc(64);
      name.write(`${TRICKS[record % TRICKS.length]}`.slice(0, 60) + (record >= TRICKS.length ? record : ''), 'utf8');
      name.copy(bytes, at + 32 + record * size);
    }
  }
  at += 32 + size * count;
}
writeFileSync(output, bytes);
