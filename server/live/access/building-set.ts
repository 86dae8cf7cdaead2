/** A number for each building that a connected person may see, so that a set of thousands takes a few hundred bytes. */
const numbers = new Map<string, number>();
const ids: string[] = [];
/** The sets in use, keyed by their bits. */
const inUse = new Map<string, WeakRef<BuildingSet>>();
const dropped = new FinalizationRegistry<string>((key) => {
  if (inUse.get(key)?.deref() === undefined) inUse.delete(key);
});

/**
 * An immutable set of buildings. Equal sets are one object, shared by all people and classes that have them (rule R4),
 * so sets can be compared by identity.
 */
export class BuildingSet {
  /** Bit n is the building with number n; the last word is never 0. */
  readonly #words: Uint32Array;

  private constructor(words: Uint32Array) {
    this.#words = words;
  }

  static readonly empty = new BuildingSet(new Uint32Array(0));

  static of(buildings: Iterable<string>): BuildingSet {
    return BuildingSet.empty.plus(buildings);
  }

  static #shared(words: Uint32Array): BuildingSet {
    const used = words.subarray(0, words.findLastIndex((word) => word !== 0) + 1);
    if (used.length === 0) return BuildingSet.empty;
    const key = Buffer.from(used.buffer, used.byteOffset, used.byteLength).toString('latin1');
    const known = inUse.get(key)?.deref();
    if (known !== undefined) return known;
    const made = new BuildingSet(used.slice());
    inUse.set(key, new WeakRef(made));
    dropped.register(made, key);
    return made;
  }

  has(building: string): boolean {
    const number = numbers.get(building);
    return number !== undefined && ((this.#words[number >>> 5] ?? 0) & (1 << (number & 31))) !== 0;
  }

  plus(buildings: Iterable<string>): BuildingSet {
    const added = [...buildings].map(numberOf);
    const length = added.reduce((most, number) => Math.max(most, (number >>> 5) + 1), this.#words.length);
    const words = new Uint32Array(length);
    words.set(this.#words);
    for (const number of added) words[number >>> 5] = (words[number >>> 5] ?? 0) | (1 << (number & 31));
    return BuildingSet.#shared(words);
  }

  minus(buildings: Iterable<string>): BuildingSet {
    const words = this.#words.slice();
    for (const building of buildings) {
      const number = numbers.get(building);
      const word = number === undefined ? undefined : words[number >>> 5];
      if (number !== undefined && word !== undefined) words[number >>> 5] = word & ~(1 << (number & 31));
    }
    return BuildingSet.#shared(words);
  }

  /** Returns the buildings of this set that are missing in the other. */
  beyond(other: BuildingSet): string[] {
    if (other === this) return [];
    return idsOf(this.#words.map((word, at) => word & ~(other.#words[at] ?? 0)));
  }

  ids(): string[] {
    return idsOf(this.#words);
  }
}

function numberOf(building: string): number {
  let number = numbers.get(building);
  if (number === undefined) {
    // A copy, because the driver's string is a slice that would keep its whole answer in memory.
    const own = Buffer.from(building).toString();
    number = ids.push(own) - 1;
    numbers.set(own, number);
  }
  return number;
}

function idsOf(words: Uint32Array): string[] {
  const found: string[] = [];
  for (const [at, word] of words.entries()) {
    for (let rest = word; rest !== 0; rest &= rest - 1) {
      const id = ids[at * 32 + 31 - Math.clz32(rest & -rest)];
      if (id !== undefined) found.push(id);
    }
  }
  return found;
}
