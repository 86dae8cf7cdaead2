import { expect, test } from 'vitest';
import { pictureSize } from '#web/features/documents/upload/thumbnails/picture-size.ts';

const bytes = (...parts: (string | number[])[]) =>
  new Blob(
    parts.map((part) => (typeof part === 'string' ? Buffer.from(part, 'latin1') : Uint8Array.from(part))),
  );

const PNG = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13];

test('the size of a picture is read from its header', async () => {
  expect(await pictureSize(bytes(PNG, 'IHDR', [0, 0, 0xfa, 0, 0, 0, 0xfa, 1]))).toEqual({
    width: 64_000,
    height: 64_001,
  });
  expect(await pictureSize(bytes('GIF89a', [0x80, 2, 0xe0, 1]))).toEqual({ width: 640, height: 480 });
  // A comment segment comes before the frame.
  const jpeg = [
    [0xff, 0xd8, 0xff, 0xfe, 0, 4, 1, 2],
    [0xff, 0xc2, 0, 17, 8, 0x01, 0xe0, 0x02, 0x80],
  ];
  expect(await pictureSize(bytes(...jpeg))).toEqual({ width: 640, height: 480 });
  const riff = ['RIFF', [0, 0, 0, 0], 'WEBP'];
  expect(
    await pictureSize(bytes(...riff, 'VP8X', [10, 0, 0, 0, 0, 0, 0, 0], [0x7f, 2, 0, 0xdf, 1, 0])),
  ).toEqual({
    width: 640,
    height: 480,
  });
});

test.each([
  ['nothing', bytes('')],
  ['a cut header', bytes(PNG)],
  ['a JPEG without a frame', bytes([0xff, 0xd8, 0xff, 0xda, 0, 2])],
  ['a JPEG whose segment has no length', bytes([0xff, 0xd8, 0xff, 0xe0, 0, 0, 0, 0])],
  ['text', bytes('<html><script>alert(1)</script>')],
])('%s has none', async (_what, file) => {
  expect(await pictureSize(file)).toBeUndefined();
});
