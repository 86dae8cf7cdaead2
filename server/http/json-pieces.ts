import { createYielder } from '../kernel/concurrency/yield-to-event-loop.ts';
import { isLong } from '../kernel/is-long.ts';

/** Characters of a piece. Long, so that few pieces are written. */
const PIECE = 16 * 1024;

/**
 * Writes a value as JSON in pieces, yielding to the event loop between them, because writing megabytes in one go
 * blocks all callers. Joined, the pieces equal the output of `JSON.stringify`.
 * @param turn awaited after each part of a piece
 */
export async function* jsonPieces(
  value: unknown,
  turn: () => Promise<void> = createYielder(),
): AsyncGenerator<string, void, undefined> {
  let piece = '';
  for (const part of partsOf(value)) {
    piece += part;
    await turn();
    if (piece.length < PIECE) continue;
    yield piece;
    piece = '';
  }
  if (piece !== '') yield piece;
}

/** Values that are written in one go, which takes a tenth of a millisecond. */
const SMALL = 1_000;
/** Elements of a long list that are looked at together. */
const ELEMENTS = 50;

/** The JSON of a value in small parts. */
function* partsOf(value: unknown): Generator<string, void, undefined> {
  if (!isLong(value, SMALL)) yield JSON.stringify(value) ?? 'null';
  else if (Array.isArray(value)) yield* partsOfList(value);
  // The cast: only lists and objects have many values in them.
  else yield* partsOfObject(value as object);
}

function* partsOfList(list: readonly unknown[]): Generator<string, void, undefined> {
  yield '[';
  for (let at = 0; at < list.length; at += ELEMENTS) {
    if (at > 0) yield ',';
    const some = list.slice(at, at + ELEMENTS);
    if (!isLong(some, SMALL)) {
      yield JSON.stringify(some).slice(1, -1);
      continue;
    }
    for (const [n, each] of some.entries()) {
      if (n > 0) yield ',';
      yield* partsOf(each);
    }
  }
  yield ']';
}

function* partsOfObject(object: object): Generator<string, void, undefined> {
  yield '{';
  let isFirst = true;
  for (const [key, value] of Object.entries(object)) {
    // `JSON.stringify` leaves these out, too.
    if (value === undefined || typeof value === 'function' || typeof value === 'symbol') continue;
    yield `${isFirst ? '' : ','}${JSON.stringify(key)}:`;
    yield* partsOf(value);
    isFirst = false;
  }
  yield '}';
}
