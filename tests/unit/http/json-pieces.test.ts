import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { jsonPieces } from '#server/http/json-pieces.ts';
import { isLong } from '#server/kernel/is-long.ts';

async function written(value: unknown, turn?: () => Promise<void>): Promise<string[]> {
  const pieces: string[] = [];
  for await (const piece of jsonPieces(value, turn)) pieces.push(piece);
  return pieces;
}

describe('JSON in pieces', () => {
  test('is what JSON.stringify makes of the same', async () => {
    const oddities = fc.constantFrom<unknown>(undefined, Number.NaN, -0, new Date(0), () => 1, Symbol('x'));
    const values = fc.letrec((tie) => ({
      value: fc.oneof({ depthSize: 'small' }, fc.jsonValue(), oddities, tie('list'), tie('object')),
      list: fc.array(tie('value')),
      object: fc.dictionary(fc.string(), tie('value')),
    })).value;
    await fc.assert(
      fc.asyncProperty(values, async (value) => {
        // A list that is longer than what is written at a stretch.
        const many = Array.from({ length: 1_100 }, (_, n) => (n % 3 === 0 ? value : n));
        const wrapped = { first: value, many, 'in "objects"': { many, last: value } };
        expect((await written(wrapped)).join('')).toBe(JSON.stringify(wrapped));
      }),
    );
  });

  test('yields after each thousand values at the latest, however many there are', async () => {
    const rows = Array.from({ length: 30_000 }, (_, n) => ({
      id: n,
      of: { name: `Row ${n}`, in: [1, 2, 3] },
    }));
    let turns = 0;
    const turn = async () => {
      turns += 1;
    };
    const ids = Array.from({ length: 50_000 }, (_, n) => `${n}`);
    const pieces = await written({ data: { rows, ids } }, turn);
    expect(turns).toBeGreaterThanOrEqual((rows.length * 8 + ids.length) / 1_000);
    expect(Math.max(...pieces.map(({ length }) => length))).toBeLessThan(32 * 1024);
  });

  test('is for what has many values in it, of which no more are looked at', () => {
    let looked = 0;
    const list = new Proxy(
      Array.from({ length: 1_000_000 }, () => 1),
      {
        get(all, name) {
          if (typeof name === 'string' && /^\d+$/.test(name)) looked += 1;
          return Reflect.get(all, name);
        },
      },
    );
    expect(isLong({ data: list })).toBe(true);
    expect(looked).toBeLessThan(20_000);
    expect(isLong({ data: [1, 2, { a: 'x'.repeat(100_000) }] })).toBe(false);
  });
});
