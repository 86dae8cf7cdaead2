import type { ActivityEntry } from './features/activity/activity.ts';
import type { LiveEntity } from './live/live-entities.ts';

// The types with which each feature declares its words for the Activity, in `shared/features/<feature>/<feature>.activity.ts`.
// Those files do not load the validation library, because screens load them.

export type EntityWords = { one: string; many: string };
/** The words of a command, and the entities to which they apply. Other rows that it changes get the general words. */
export type CommandWords = { words: string; about: readonly LiveEntity[] };

type Entry = Pick<ActivityEntry, 'command' | 'entity' | 'op' | 'changes'>;

export type ActivityWords<Entities extends object = object> = {
  /** Names of the feature's live entities; null for an entity that has no line of its own in the Activity. */
  entities: Readonly<Record<keyof Entities, EntityWords | null>>;
  /** The words between the person and the row, by command; null if "added", "changed" or "removed" is enough. */
  commands: Readonly<Record<string, CommandWords | null>>;
  /** The words for the end of a person's own session, by command. */
  endOfOwnSession?: Readonly<Record<string, string>>;
  /** The words between the person and the rows of a bulk change, by command. */
  bulk?: Readonly<Record<string, string>>;
  /** The words between the person and the row, where they depend on more than the command. */
  action?(entry: Entry): string | undefined;
  /** The name of a row, where it is not in the usual fields; null if it has none. */
  subject?(entity: string, row: object): string | null | undefined;
  /** Labels of fields whose code names are not clear enough. */
  fields?: Readonly<Record<string, string>>;
  /** Fields that are left out if another field of the same change has the same information: ids beside their names. */
  saidElsewhere?: Readonly<Record<string, string>>;
  /** A field's value in words, for fields whose values `values` cannot list; undefined for any other field. */
  value?(field: string, value: string): string | undefined;
  /** Labels of a field's values. */
  values?: Readonly<Record<string, Readonly<Record<string, string>>>>;
};

/** The words of commands that are about the same entities. */
export function wordsAbout<const Commands extends Readonly<Record<string, string>>>(
  about: readonly LiveEntity[],
  commands: Commands,
) {
  const entries = Object.entries(commands).map(([command, words]) => [command, { words, about }]);
  // The cast: Object.fromEntries loses the type of the keys.
  return Object.fromEntries(entries) as Readonly<Record<keyof Commands, CommandWords>>;
}

/** Whether a change emptied a field. */
export function isEmptied(changes: ActivityEntry['changes'], field: string): boolean {
  return changes?.[field]?.[1] === null;
}

/** A text field of a row whose type is not known; undefined if it is empty. */
export function textIn(row: object, field: string): string | undefined {
  const value: unknown = Reflect.get(row, field);
  return typeof value === 'string' && value !== '' ? value : undefined;
}
