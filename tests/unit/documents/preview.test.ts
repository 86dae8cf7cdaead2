import { describe, expect, test } from 'vitest';
import { decodeText, textBlocks } from '#web/features/documents/preview/decode-text.ts';
import { previewKind } from '#web/features/documents/preview/preview-kind.ts';
import { ZOOM_START, zoomed } from '#web/features/documents/preview/zoom.ts';

describe('the preview of a document', () => {
  test('zoom starts at 100, and has steps of 25 from 25 to 200', () => {
    const up = [ZOOM_START];
    for (let n = 0; n < 6; n += 1) up.push(zoomed(up.at(-1) ?? 0, 1));
    expect(up).toEqual([100, 125, 150, 175, 200, 200, 200]);
    expect(zoomed(25, -1)).toBe(25);
    expect(zoomed(50, -1)).toBe(25);
  });

  test.each([
    ['image/png', 'a.png', 'image'],
    ['application/pdf', 'a.pdf', 'pdf'],
    ['text/plain; charset=utf-8', 'a', 'text'],
    ['application/octet-stream', 'model.IFC', 'text'],
    ['application/octet-stream', 'setup.exe', 'other'],
    // Files that could run scripts are shown as text, never as a picture or a page.
    ['image/svg+xml', 'a.svg', 'text'],
    ['text/html', 'a.png', 'text'],
    // A file that only has the name of a picture is shown as a picture, and fails.
    ['application/octet-stream', 'broken.png', 'image'],
    ['text/plain', 'broken.JPG', 'image'],
    ['application/zip', 'a.txt', 'other'],
    ['audio/mpeg', 'a.mp3', 'audio'],
    ['video/mp4', 'a.mp4', 'video'],
    [null, 'notes.md', 'text'],
  ])('%s named %s is shown as %s', (type, name, kind) => {
    expect(previewKind(type, name)).toBe(kind);
  });

  const said = 'Prüfbericht – 50 €';
  const utf16 = (text: string, swap: boolean) => {
    const bytes = Buffer.from(text, 'utf16le');
    return swap ? bytes.swap16() : bytes;
  };
  test.each([
    ['UTF-8', Buffer.from(said)],
    ['UTF-8 with a mark', Buffer.from(`\ufeff${said}`)],
    ['UTF-16 little-endian with a mark', utf16(`\ufeff${said}`, false)],
    ['UTF-16 big-endian with a mark', utf16(`\ufeff${said}`, true)],
    ['UTF-16 little-endian', utf16(said, false)],
    ['UTF-16 big-endian', utf16(said, true)],
  ])('text in %s', (_encoding, bytes) => {
    expect(decodeText(bytes, false)).toBe(said);
  });

  test('text that is not valid UTF-8 is Windows-1252', () => {
    // Beyond ASCII, only letters that Node's decoder decodes correctly, too.
    expect(decodeText(Buffer.from('Prüfbericht', 'latin1'), false)).toBe('Prüfbericht');
  });

  test('a character that is cut off at the end does not change the encoding', () => {
    const bytes = Buffer.from('100 €');
    expect(decodeText(bytes.subarray(0, -1), true)).toBe('100 ');
    expect(decodeText(new Uint8Array(), false)).toBe('');
  });

  test('a line of a megabyte is drawn in blocks, and nothing is lost', () => {
    const text = `${'x'.repeat(1024 * 1024)}\nend`;
    const blocks = textBlocks(text);
    expect(Math.max(...blocks.map(({ length }) => length))).toBeLessThanOrEqual(20_000);
    expect(blocks.join('')).toBe(text);
    expect(textBlocks('a\r\nb\rc')).toEqual(['a\nb\nc']);
    expect(textBlocks('')).toEqual([]);
  });
});
