import type { Subscriber } from '../socket/subscriber.ts';

/** The subscribers of this process, by person. */
export type People = {
  add(subscriber: Subscriber): void;
  remove(subscriber: Subscriber): void;
  of(userId: string): ReadonlySet<Subscriber>;
  all(): Iterable<Subscriber>;
  size(): number;
};

const NO_SUBSCRIBERS: ReadonlySet<Subscriber> = new Set();

export function createPeople(): People {
  const byPerson = new Map<string, Set<Subscriber>>();
  let size = 0;
  return {
    add(subscriber) {
      const own = byPerson.get(subscriber.userId);
      if (own === undefined) byPerson.set(subscriber.userId, new Set([subscriber]));
      else own.add(subscriber);
      size += 1;
    },
    remove(subscriber) {
      const own = byPerson.get(subscriber.userId);
      if (own?.delete(subscriber) !== true) return;
      size -= 1;
      if (own.size === 0) byPerson.delete(subscriber.userId);
    },
    of: (userId) => byPerson.get(userId) ?? NO_SUBSCRIBERS,
    *all() {
      for (const own of byPerson.values()) yield* own;
    },
    size: () => size,
  };
}
