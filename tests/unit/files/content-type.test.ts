import { describe, expect, test } from 'vitest';
import { typeOf } from '#server/features/files/content-type.ts';

const BLOB = 'application/octet-stream';
const HEADER = '%PDF-1.4\n1 0 obj<</Type/Catalog>>';
const utf16 = (text: string) => Buffer.from(`\ufeff${text}`, 'utf16le');

describe('the type of a file', () => {
  test.each([
    ['a PDF', Buffer.from(HEADER), 'application/pdf'],
    ['a PDF after a blank line', Buffer.from(`\r\n${HEADER}`), 'application/pdf'],
    ['a PDF after the header of a mail', Buffer.from(`From: a\r\nTo: b\r\n\r\n${HEADER}`), 'application/pdf'],
    ['a PDF after the header of another system', Buffer.from(`\0\0PDF \0${HEADER}`), 'application/pdf'],
    ['a PDF too far in', Buffer.from(`${'\n'.repeat(1_024)}${HEADER}`), 'text/plain; charset=utf-8'],
    ['a text about PDF', Buffer.from('It begins with %PDF-1.4 mostly'), 'text/plain; charset=utf-8'],
    ['text in UTF-16', utf16('Länge;Ort\r\n'), 'text/plain; charset=utf-16le'],
    ['text in UTF-16, big-endian', utf16('Länge;Ort\r\n').swap16(), 'text/plain; charset=utf-16be'],
    ['a mark alone', utf16(''), 'text/plain; charset=utf-16le'],
    [
      'audio that begins like text in UTF-16',
      Buffer.concat([utf16('a'), Buffer.from([1, 0, 2, 0])]),
      'audio/mpeg',
    ],
    ['text', Buffer.from('Länge'), 'text/plain; charset=utf-8'],
    ['text of an old program', Buffer.from('Länge', 'latin1'), 'text/plain; charset=windows-1252'],
  ])('%s is told by its first bytes', async (_what, bytes, type) => {
    expect(await typeOf(bytes, BLOB)).toBe(type);
  });

  test.each([
    ['bytes that tell nothing', Buffer.from([1, 2, 3])],
    ['a text', Buffer.from('a script, perhaps')],
  ])('%s declared as a picture are not shown', async (_what, bytes) => {
    expect(await typeOf(bytes, 'image/png')).toBe(BLOB);
  });
});
