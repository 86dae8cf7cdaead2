import { type ActivityWords, type CommandWords, type EntityWords, textIn } from '../../activity-words.ts';
import { formatDateTime, formatDay } from '../../dates.ts';
import { formatNumber } from '../../format-number.ts';
import type { LiveEntity } from '../../live/live-entities.ts';
import { IMPORTED } from '../../offline/unsent-file.ts';
import { capitalise } from '../../text/capitalise.ts';
import { actorLabel } from '../../text/names.ts';
import { activity as apiKeys } from '../api-keys/api-keys.activity.ts';
import { activity as assets } from '../assets/assets.activity.ts';
import { activity as checks } from '../checks/checks.activity.ts';
import { activity as disciplines } from '../disciplines/disciplines.activity.ts';
import { activity as displays } from '../displays/displays.activity.ts';
import { activity as documents } from '../documents/documents.activity.ts';
import { activity as imports } from '../imports/imports.activity.ts';
import { activity as issues } from '../issues/issues.activity.ts';
import { activity as locations } from '../locations/locations.activity.ts';
import { activity as photos } from '../photos/photos.activity.ts';
import { activity as presence } from '../presence/presence.activity.ts';
import { activity as pulse } from '../pulse/pulse.activity.ts';
import { activity as tasks } from '../tasks/tasks.activity.ts';
import { activity as session } from '../users/session.activity.ts';
import { activity as users } from '../users/users.activity.ts';
import { activity as webhooks } from '../webhooks/webhooks.activity.ts';
import type { ActivityEntry } from './activity.ts';

// Events in words, the same on screens and in exported files. Each feature declares its own words; this file makes
// sentences of them. It does not load the validation library.

const FEATURES = [
  issues,
  assets,
  locations,
  users,
  session,
  disciplines,
  displays,
  apiKeys,
  webhooks,
  documents,
  photos,
  checks,
  tasks,
  imports,
  pulse,
  presence,
] as const satisfies readonly ActivityWords[];

/** The words of all features for their entities, or for their commands, by name. */
type Merged<Kind extends 'entities' | 'commands'> = UnionToIntersection<(typeof FEATURES)[number][Kind]>;
type UnionToIntersection<Union> = (Union extends unknown ? (one: Union) => void : never) extends (
  all: infer All,
) => void
  ? All
  : never;

function merged<Kind extends 'entities' | 'commands'>(kind: Kind): Merged<Kind> {
  // The cast: Object.assign of a list loses the types of its members.
  return Object.assign({}, ...FEATURES.map((feature) => feature[kind])) as Merged<Kind>;
}

const ENTITY_WORDS = merged('entities') satisfies Readonly<Record<LiveEntity, EntityWords | null>>;
type EntityWithWords = {
  [E in LiveEntity]: (typeof ENTITY_WORDS)[E] extends null ? never : E;
}[LiveEntity];

/** The words for the entities with a line of their own. A new entity without words does not compile. */
// The cast: Object.fromEntries loses the type of the keys.
export const ENTITY_LABELS = Object.fromEntries(
  Object.entries(ENTITY_WORDS).filter(([, words]) => words !== null),
) as Readonly<Record<EntityWithWords, EntityWords>>;

/** The words of every command. */
export const COMMAND_WORDS = merged('commands') satisfies Readonly<Record<string, CommandWords | null>>;
const BY_COMMAND: Readonly<Record<string, CommandWords | null>> = COMMAND_WORDS;
const END_OF_OWN_SESSION = gathered(({ endOfOwnSession }) => endOfOwnSession);
const BULK = gathered(({ bulk }) => bulk);
const FIELD_LABELS = gathered(({ fields }) => fields);
const SAID_ELSEWHERE = gathered(({ saidElsewhere }) => saidElsewhere);
const VALUE_LABELS = gathered(({ values }) => values);

/** Merges one part of the words of all features. */
function gathered<Words>(
  partOf: (feature: ActivityWords) => Readonly<Record<string, Words>> | undefined,
): Readonly<Record<string, Words>> {
  return Object.fromEntries(FEATURES.flatMap((feature) => Object.entries(partOf(feature) ?? {})));
}

/** The name of the person who made a change, with that of the API key if a program made it. */
export function whoLabel(
  { actorId, apiKeyName }: Pick<ActivityEntry, 'actorId' | 'apiKeyName'>,
  names: Readonly<Record<string, string>>,
): string {
  return actorLabel(actorId === null ? 'Lintel' : (names[actorId] ?? 'Someone'), apiKeyName);
}

/** "changed issue", "added asset": the words between the person and the name of the row. */
export function actionLabel(
  entry: Pick<ActivityEntry, 'command' | 'entity' | 'entityId' | 'actorId' | 'op' | 'changes' | 'count'>,
): string {
  if (entry.command.endsWith(IMPORTED)) {
    return `${actionLabel({ ...entry, command: entry.command.slice(0, -IMPORTED.length) })} (imported from a file)`;
  }
  const { command, entity, op, changes, count } = entry;
  const special = firstOf((feature) => feature.action?.(entry));
  if (special !== undefined) return special;
  if (op === 'sessions_ended') {
    return entry.entityId === entry.actorId
      ? (END_OF_OWN_SESSION[command] ?? 'ended their own sessions')
      : 'ended sessions of';
  }
  const said = BY_COMMAND[command];
  const bulk = op === 'bulk';
  const isAbout = said?.about.some((each) => each === entity) === true;
  if (said && isAbout && (!bulk || command.startsWith('imports.'))) {
    return count === null ? said.words : said.words.replace('imported', `imported ${formatNumber(count)}`);
  }
  const words: EntityWords = hasWords(entity)
    ? ENTITY_LABELS[entity]
    : { one: spaced(entity).toLowerCase(), many: `${spaced(entity).toLowerCase()}s` };
  if (bulk) {
    const rows =
      count === null ? words.many : `${formatNumber(count)} ${count === 1 ? words.one : words.many}`;
    return `${BULK[command] ?? 'made bulk changes to'} ${rows}`;
  }
  if (op === 'del') return `removed ${words.one}`;
  if (op === 'erase') return `erased the content of a change of ${words.one}`;
  return changes === null ? `added ${words.one}` : `changed ${words.one}`;
}

function firstOf<T>(read: (feature: ActivityWords) => T | undefined): T | undefined {
  for (const feature of FEATURES) {
    const found = read(feature);
    if (found !== undefined) return found;
  }
  return undefined;
}

function hasWords(entity: string): entity is keyof typeof ENTITY_LABELS {
  return Object.hasOwn(ENTITY_LABELS, entity);
}

/** One changed field in words; `from` and `to` are null where there was or is no value. */
export type ChangeLabel = { field: string; label: string; from: string | null; to: string | null };

/**
 * The changes of an entry in words, field by field.
 * @param timeZone the time zone in which moments are written; by default the page's
 */
export function describeChanges(
  { changes }: Pick<ActivityEntry, 'changes'>,
  names: Readonly<Record<string, string>>,
  timeZone?: string,
): ChangeLabel[] {
  if (changes === null) return [];
  return Object.entries(changes).flatMap(([field, [from, to]]) => {
    const elsewhere = SAID_ELSEWHERE[field];
    if (elsewhere !== undefined && Object.hasOwn(changes, elsewhere)) return [];
    const label = FIELD_LABELS[field] ?? spaced(field);
    return [
      {
        field,
        label,
        from: describeValue(field, from, names, timeZone),
        to: describeValue(field, to, names, timeZone),
      },
    ];
  });
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const INSTANT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}/;
const DAY = /^\d{4}-\d{2}-\d{2}$/;

function describeValue(
  field: string,
  value: unknown,
  names: Readonly<Record<string, string>>,
  timeZone: string | undefined,
): string | null {
  if (value === null || value === undefined || value === '') return null;
  if (typeof value === 'boolean') return value ? 'Yes' : 'No';
  if (typeof value === 'number') return formatNumber(value);
  if (Array.isArray(value)) {
    return value.length === 0
      ? null
      : value.map((one) => describeValue(field, one, names, timeZone) ?? '').join(', ');
  }
  if (typeof value !== 'string') return JSON.stringify(value);
  if (UUID.test(value)) return names[value.toLowerCase()] ?? 'something that no longer exists';
  if (DAY.test(value)) return formatDay(value);
  if (INSTANT.test(value)) return formatDateTime(value, timeZone);
  return VALUE_LABELS[field]?.[value] ?? firstOf((feature) => feature.value?.(field, value)) ?? value;
}

/** All ids in an entry, in lower case, for which the words need a name. */
export function referencedIds(entry: Pick<ActivityEntry, 'actorId' | 'buildingId' | 'changes'>): string[] {
  const values = Object.values(entry.changes ?? {}).flat(2);
  const ids = values.filter((value): value is string => typeof value === 'string' && UUID.test(value));
  return [entry.actorId, entry.buildingId, ...ids]
    .filter((id): id is string => id !== null)
    .map((id) => id.toLowerCase());
}

/** The name of a row, read from the row itself; null if it has none. */
export function subjectLabel(entity: string, row: unknown): string | null {
  if (typeof row !== 'object' || row === null) return null;
  const own = firstOf((feature) => feature.subject?.(entity, row));
  if (own !== undefined) return own;
  const person = [textIn(row, 'firstName'), textIn(row, 'lastName')].filter(Boolean).join(' ');
  return (
    textIn(row, 'name') ??
    (person === '' ? undefined : person) ??
    textIn(row, 'email') ??
    textIn(row, 'title') ??
    null
  );
}

/** `respondDueAt` → "Respond due at". */
function spaced(name: string): string {
  const words = name.replaceAll(/([a-z])([A-Z])/g, '$1 $2').toLowerCase();
  return capitalise(words);
}
