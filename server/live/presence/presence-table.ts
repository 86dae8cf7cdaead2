import type { Presence } from '#shared/live/live.ts';
import type { NotedPlace, PresenceNote } from './presence.ts';

/** A window that is silent for this long counts as gone, for example after a power cut (rule T8). */
const LIVES_MS = 45_000;
/** How many windows of one person are stored, the newest ones. As many as a person may have sockets. */
const WINDOWS_PER_PERSON = 10;
/** How many people are stored, to limit memory. More than the largest installation has. */
const PEOPLE_MAX = 5_000;

type Window = { n: number; at: NotedPlace | null; heardAt: number };
type Person = { name: string; windows: Map<string, Window> };
type Audience = NotedPlace['audience'];

/** A presence that clients have been sent, or are about to be sent, and the audience that may know it. */
export type SentPresence = { presence: Presence; audience: Audience };

/** The presence of people, as this process knows it from the notes of all processes. */
export type PresenceTable = {
  hear(note: PresenceNote): void;
  /** Forgets windows that have been silent for too long. */
  expire(): void;
  /** A person has lost these buildings, or perhaps all: none of the person's windows counts as present there any more. */
  lose(personId: string, buildings: readonly string[] | 'all'): void;
  /** The note that reports that a window has gone; undefined if the window is nowhere already. */
  farewell(personId: string, window: string): PresenceNote | undefined;
  /** The changes since clients were last informed; they count as sent from now on. */
  takeChanges(): SentPresence[];
  /** Everything that clients have been sent and that is still true. */
  told(): Iterable<SentPresence>;
};

export function createPresenceTable({ monotonicMs }: { monotonicMs: () => number }): PresenceTable {
  const people = new Map<string, Person>();
  const told = new Map<string, SentPresence>();
  /** The people and subjects whose presence may differ from the one that clients have been sent. */
  const touched = new Map<string, { personId: string; name: string; place: NotedPlace }>();

  function touch(personId: string, name: string, place: NotedPlace | null | undefined): void {
    if (place) touched.set(`${place.kind} ${place.id} ${personId}`, { personId, name, place });
  }

  function forget(personId: string, person: Person, window: string): void {
    touch(personId, person.name, person.windows.get(window)?.at);
    person.windows.delete(window);
    if (person.windows.size === 0) people.delete(personId);
  }

  /**
   * The part of a subject that a person works on, from the newest window that named one; undefined if the person is not there.
   */
  function partAt(personId: string, { kind, id }: NotedPlace): NotedPlace['part'] | undefined {
    const here = [...(people.get(personId)?.windows.values() ?? [])].flatMap(({ at }) =>
      at?.kind === kind && at.id === id ? at : [],
    );
    return here.length === 0 ? undefined : (here.findLast(({ part }) => part !== null)?.part ?? null);
  }

  return {
    hear({ window, n, person: { id, name }, at }) {
      const person = people.get(id) ?? { name, windows: new Map<string, Window>() };
      const known = person.windows.get(window);
      if (known !== undefined && n < known.n) return;
      if (people.size >= PEOPLE_MAX && !people.has(id)) return;
      people.set(id, person);
      person.name = name;
      touch(id, name, known?.at);
      touch(id, name, at);
      // Deleted first, so that the windows are ordered by their last note. A window that is nowhere stays in the table, too, so
      // that an earlier note that arrives late is ignored.
      person.windows.delete(window);
      person.windows.set(window, { n, at, heardAt: monotonicMs() });
      const [oldest] = person.windows.keys();
      if (person.windows.size > WINDOWS_PER_PERSON && oldest !== undefined) forget(id, person, oldest);
    },
    expire() {
      const before = monotonicMs() - LIVES_MS;
      for (const [id, person] of people)
        for (const [window, { heardAt }] of person.windows) if (heardAt < before) forget(id, person, window);
    },
    lose(personId, buildings) {
      const person = people.get(personId);
      if (person === undefined) return;
      for (const [window, known] of person.windows) {
        const isLost =
          buildings === 'all' || known.at?.audience.buildings.some((id) => buildings.includes(id)) === true;
        if (!isLost) continue;
        touch(personId, person.name, known.at);
        // The window stays in the table, so that an earlier note that arrives late is ignored.
        person.windows.set(window, { ...known, at: null });
      }
    },
    farewell(personId, window) {
      const person = people.get(personId);
      const known = person?.windows.get(window);
      if (person === undefined || known === undefined || known.at === null) return undefined;
      return { window, n: known.n, person: { id: personId, name: person.name }, at: null };
    },
    takeChanges() {
      const changes: SentPresence[] = [];
      for (const [key, { personId, name, place }] of touched) {
        const { kind, id, audience } = place;
        const before = told.get(key);
        const part = partAt(personId, place);
        if (part === undefined) {
          told.delete(key);
          if (before) changes.push({ ...before, presence: { ...before.presence, part: null, here: false } });
        } else if (before?.presence.part !== part || before.presence.person.name !== name) {
          const presence: Presence = { kind, id, person: { id: personId, name }, part, here: true };
          told.set(key, { presence, audience });
          changes.push({ presence, audience });
        }
      }
      touched.clear();
      return changes;
    },
    told: () => told.values(),
  };
}
