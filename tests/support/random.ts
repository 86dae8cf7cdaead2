import { randomBytes } from 'node:crypto';

/** Reproducible random numbers: the same seed gives the same sequence. */
export type Random = {
  /** From 0 up to, but excluding, 1. */
  next(): number;
  /** An integer from 0 up to, but excluding, `below`. */
  below(below: number): number;
  chance(share: number): boolean;
  /** @throws Error for an empty list */
  pick<T>(from: readonly T[]): T;
  /** One of the names, with probabilities by weight. */
  weighted<Name extends string>(weights: Readonly<Record<Name, number>>): Name;
  bytes(length: number): Buffer;
  /** Another sequence, independent of how many numbers of this one are used in the meantime. */
  fork(label: string): Random;
};

/**
 * The seed in TEST_SEED; undefined if there is none, so that each run is the same. For `random` the first call writes a new
 * seed into the variable, so that all processes of the run inherit the same one.
 */
export function askedSeed(): string | undefined {
  const asked = process.env['TEST_SEED'] ?? '';
  if (asked === 'random') process.env['TEST_SEED'] = randomBytes(4).toString('hex');
  return asked === '' ? undefined : process.env['TEST_SEED'];
}

/** The seed of a test's random choices, by name: the same in each run, unless TEST_SEED has another one. */
export function seedOf(name: string): string {
  const asked = askedSeed();
  return asked === undefined ? name : `${asked} ${name}`;
}

export function seededRandom(name: string): Random {
  return createRandom(seedOf(name));
}

/** The same seed as a 32-bit integer, for fast-check. */
export function seedNumber(name: string): number {
  return seedsFrom(seedOf(name))[0];
}

/** sfc32: small, fast and of sufficient quality. */
export function createRandom(seed: string): Random {
  let [a, b, c, d] = seedsFrom(seed);
  const next = () => {
    const t = (a + b + d) | 0;
    d = (d + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = ((c << 21) | (c >>> 11)) + t;
    c |= 0;
    return (t >>> 0) / 4_294_967_296;
  };
  for (let warm = 0; warm < 16; warm += 1) next();
  const below = (bound: number) => Math.floor(next() * bound);
  return {
    next,
    below,
    chance: (share) => next() < share,
    pick<T>(from: readonly T[]): T {
      const found = from[below(from.length)];
      if (found === undefined) throw new Error('nothing to pick from');
      return found;
    },
    weighted(weights) {
      const names = Object.keys(weights) as (keyof typeof weights)[]; // Object.keys loses the names.
      let left = next() * names.reduce((sum, name) => sum + weights[name], 0);
      for (const name of names) {
        left -= weights[name];
        if (left < 0) return name;
      }
      throw new Error('no weights');
    },
    bytes: (length) => Buffer.from(Uint8Array.from({ length }, () => below(256))),
    fork: (label) => createRandom(`${seed} ${label}`),
  };
}

/** FNV-1a, four times with different salts. */
function seedsFrom(text: string): [number, number, number, number] {
  const one = (salt: number) => {
    let hash = 0x811c9dc5 ^ salt;
    for (const character of text) {
      hash ^= character.codePointAt(0) ?? 0;
      hash = Math.imul(hash, 0x01000193);
    }
    return hash | 0;
  };
  return [one(1), one(2), one(3), one(4)];
}
