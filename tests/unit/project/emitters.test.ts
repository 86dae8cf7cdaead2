import { expect, test } from 'vitest';
import { sourceFiles, textOf } from '#tests/support/code/imports.ts';

/** Calls that make a stream or another emitter of errors. */
const MAKES =
  /\b(createReadStream|createWriteStream|Readable\.from|new (?:PassThrough|Readable|Writable|Transform|Duplex|Worker|Busboy|WebSocket)|(?:http|https)Request\)?|spawn|createServer)\(/g;
const LISTENED = /withErrorListener\(\s*$|for await \(const \w+ of $/;
/** The listener may follow within the next lines, because most calls have further arguments first. */
const LATER = /\.on\('error'|withErrorListener\(/;
const LATER_WITHIN = 900;

test('every stream and emitter has a listener for errors where it is made: without one an error ends the process', () => {
  const bare = ['server', 'db'].flatMap(sourceFiles).flatMap((path) => {
    const text = textOf(path);
    return [...text.matchAll(MAKES)]
      .filter(({ index, 0: found }) => {
        const end = index + found.length;
        return (
          !LISTENED.test(text.slice(0, index).slice(-80)) && !LATER.test(text.slice(end, end + LATER_WITHIN))
        );
      })
      .map(([, made]) => `${path}: ${made}`);
  });
  expect(bare).toEqual([]);
});
