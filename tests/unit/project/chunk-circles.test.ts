import { expect, test } from 'vitest';
import { noChunkCircles } from '#web/build/chunk-circles.ts';

/** Ends a build of chunks with these imports. @returns the error, if it fails */
function errorOf(imports: Readonly<Record<string, readonly string[]>>): string | undefined {
  const { generateBundle } = noChunkCircles();
  if (typeof generateBundle !== 'function') throw new Error('the plugin has no such hook');
  const chunks = Object.entries(imports).map(([name, of]) => [name, { type: 'chunk', imports: of }]);
  let found: string | undefined;
  const context = { error: (sentence: string) => (found ??= sentence) };
  // The cast: the hook uses nothing else of its context and of the chunks.
  Reflect.apply(generateBundle, context, [{}, Object.fromEntries(chunks), true]);
  return found;
}

test('a build ends well if its chunks import each other in one direction', () => {
  expect(errorOf({ start: ['home', 'forms'], home: ['forms'], forms: [] })).toBeUndefined();
});

test('a build fails if chunks import each other, directly or through others', () => {
  expect(errorOf({ start: ['home'], home: ['start'] })).toBe(
    'Chunks import each other: start → home → start',
  );
  expect(errorOf({ start: ['home'], home: ['forms'], forms: ['home'] })).toBe(
    'Chunks import each other: home → forms → home',
  );
});
