import { crc32, deflateSync } from 'node:zlib';

/** A picture of eight colours. A pixel is three bits, for red, green and blue; a set bit is the brighter level. */
export type Picture = { width: number; height: number; pixels: Uint8Array };

/** The two levels of red, green and blue. */
const LEVELS = [
  [45, 246],
  [95, 246],
  [110, 246],
] as const;
const CHANNELS = [0, 1, 2] as const;
type Channel = (typeof CHANNELS)[number];
const levelOf = (pixel: number, channel: Channel) => (pixel >> (2 - channel)) & 1;

/** Every n-th pixel of every n-th row. */
export function smaller({ width, height, pixels }: Picture, n: number): Picture {
  const size = { width: Math.floor(width / n), height: Math.floor(height / n) };
  const picked = Uint8Array.from(
    { length: size.width * size.height },
    (_, at) => pixels[Math.floor(at / size.width) * n * width + (at % size.width) * n] ?? 0,
  );
  return { ...size, pixels: picked };
}

/** Encodes a picture as a PNG with a palette. */
export function toPng({ width, height, pixels }: Picture): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  // Eight bits for each pixel: the number of a colour in the palette.
  header.set([8, 3], 8);
  const colours = Array.from({ length: 8 }, (_, pixel) =>
    CHANNELS.map((channel) => LEVELS[channel][levelOf(pixel, channel)] ?? 0),
  );
  const rows = Array.from({ length: height }, (_, row) =>
    Buffer.concat([Buffer.alloc(1), pixels.subarray(row * width, (row + 1) * width)]),
  );
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    chunk('IHDR', header),
    chunk('PLTE', Buffer.from(colours.flat())),
    chunk('IDAT', deflateSync(Buffer.concat(rows), { level: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type), data]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, sum]);
}

/** The order of a pixel's channels in a WebP. */
const STORED: readonly Channel[] = [1, 0, 2];

/**
 * Encodes a picture as a lossless WebP. Each channel has two levels, so it uses a simple prefix code with two symbols: one bit
 * for each level, and no bits for the opacity, which is the same everywhere.
 */
export function toWebp({ width, height, pixels }: Picture): Buffer {
  const bits: number[] = [];
  const write = (value: number, count: number) => {
    for (let at = 0; at < count; at += 1) bits.push((value >> at) & 1);
  };
  write(0x2f, 8);
  write(width - 1, 14);
  write(height - 1, 14);
  // No opacity in use, version 0; no transform, no cache of colours, one group of codes.
  write(0, 7);
  for (const channel of STORED) {
    // A simple code of two symbols, the first of eight bits.
    write(0b111, 3);
    for (const level of LEVELS[channel]) write(level, 8);
  }
  // Opacity: one symbol of eight bits. Distance: one symbol of one bit.
  write(0b101, 3);
  write(255, 8);
  write(0b0001, 4);
  for (const pixel of pixels) for (const channel of STORED) write(levelOf(pixel, channel), 1);
  const data = Buffer.alloc(Math.ceil(bits.length / 16) * 2);
  for (const [at, bit] of bits.entries()) data[at >> 3] = (data[at >> 3] ?? 0) | (bit << (at & 7));
  const head = Buffer.from('RIFF____WEBPVP8L____');
  head.writeUInt32LE(12 + data.length, 4);
  head.writeUInt32LE(Math.ceil(bits.length / 8), 16);
  return Buffer.concat([head, data]);
}
