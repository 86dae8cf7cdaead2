// Draws the app's icons from the mark in web/public/lintel.svg. Run by hand when the mark changes:
//
//   node scripts/make-icons.mjs
import { writeFileSync } from 'node:fs';
import { crc32, deflateSync } from 'node:zlib';

const BRAND = [15, 92, 99, 255];
const WHITE = [255, 255, 255, 255];
const NOTHING = [0, 0, 0, 0];
/** Samples per pixel in each direction; their mean makes edges smooth. */
const FINE = 6;

/** The mark in its own 26 units: a beam over an opening. */
function inMark(x, y) {
  const beam = inRounded(x, y, 5, 7, 16, 4, 1);
  const posts = y >= 11 && y <= 20 && ((x >= 7 && x <= 10) || (x >= 16 && x <= 19));
  return beam || posts;
}

function inRounded(x, y, left, top, width, height, radius) {
  const dx = Math.max(left + radius - x, 0, x - (left + width - radius));
  const dy = Math.max(top + radius - y, 0, y - (top + height - radius));
  return dx * dx + dy * dy <= radius * radius;
}

/**
 * Draws an icon.
 * @param {number} size in pixels
 * @param {{ radius: number, scale: number }} look corner radius of the background in units, and scale of the mark
 */
function draw(size, { radius, scale }) {
  const pixels = Buffer.alloc(size * (size * 4 + 1));
  for (let row = 0; row < size; row += 1) {
    for (let column = 0; column < size; column += 1) {
      const sum = [0, 0, 0, 0];
      for (let point = 0; point < FINE * FINE; point += 1) {
        const x = ((column + ((point % FINE) + 0.5) / FINE) / size) * 26;
        const y = ((row + (Math.floor(point / FINE) + 0.5) / FINE) / size) * 26;
        const mark = inMark((x - 13) / scale + 13, (y - 13) / scale + 13);
        const colour = mark ? WHITE : inRounded(x, y, 0, 0, 26, 26, radius) ? BRAND : NOTHING;
        for (let c = 0; c < 4; c += 1) sum[c] += c === 3 ? colour[3] : (colour[c] * colour[3]) / 255;
      }
      const at = row * (size * 4 + 1) + 1 + column * 4;
      const alpha = sum[3] / (FINE * FINE);
      for (let c = 0; c < 3; c += 1) pixels[at + c] = alpha === 0 ? 0 : Math.round((sum[c] / sum[3]) * 255);
      pixels[at + 3] = Math.round(alpha);
    }
  }
  const header = Buffer.alloc(13);
  header.writeUInt32BE(size, 0);
  header.writeUInt32BE(size, 4);
  header.set([8, 6, 0, 0, 0], 8);
  const signature = Buffer.from('89504e470d0a1a0a', 'hex');
  const data = deflateSync(pixels, { level: 9 });
  return Buffer.concat([
    signature,
    chunk('IHDR', header),
    chunk('IDAT', data),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function chunk(type, data) {
  const body = Buffer.concat([Buffer.from(type), data]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, sum]);
}

const folder = new URL('../web/public/', import.meta.url);
const icons = {
  'icon-192.png': draw(192, { radius: 6, scale: 1 }),
  'icon-512.png': draw(512, { radius: 6, scale: 1 }),
  // A phone cuts its own shape out of this icon, so the background fills the square, and the mark is in the safe centre.
  'icon-maskable-512.png': draw(512, { radius: 0, scale: 0.8 }),
  'apple-touch-icon.png': draw(180, { radius: 0, scale: 0.9 }),
};
for (const [name, image] of Object.entries(icons)) writeFileSync(new URL(name, folder), image);
