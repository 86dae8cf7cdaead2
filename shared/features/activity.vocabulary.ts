import { formatDateTime, formatDay } from '../dates.ts';
import type { LiveEntity } from '../live-entities.ts';
import { ROLE_LABELS } from '../permissions.ts';
import { IMPORTED } from '../unsent-file.ts';
import type { ActivityEntry } from './activity.ts';
import { ASSET_FREQUENCY_LABELS, ASSET_TYPE_LABELS, OUTLET_KIND_LABELS } from './assets.vocabulary.ts';
import { HELD_STATE_LABELS } from './checks/held.vocabulary.ts';
import { IMPORT_STATE_LABELS } from './checks/imported.vocabulary.ts';
import { LOG_KINDS, titleOf } from './checks/incidents.vocabulary.ts';
import { ISSUE_PRIORITY_LABELS, ISSUE_STATUS_LABELS, PAUSE_REASON_LABELS } from './issues.vocabulary.ts';
import type { LinkKind } from './users.ts';

// Events in words, the same on screens and in exported files. It does not load the validation library.

type Words = { one: string; many: string };

/**
 * The words for the entities that events are about; a new entity without words does not compile. The excluded ones have
 * no line of their own: `raisedIssue` is told by the issue, `place` by its building, `importedCheck` by the check.
 */
export const ENTITY_LABELS: Readonly<
  Record<Exclude<LiveEntity, 'raisedIssue' | 'place' | 'importedCheck' | 'notice'>, Words>
> = {
  issue: { one: 'issue', many: 'issues' },
  issueComment: { one: 'comment', many: 'comments' },
  asset: { one: 'asset', many: 'assets' },
  client: { one: 'client', many: 'clients' },
  building: { one: 'building', many: 'buildings' },
  person: { one: 'user', many: 'users' },
  discipline: { one: 'discipline', many: 'disciplines' },
  photo: { one: 'photo', many: 'photos' },
  checkVisit: { one: 'safety check', many: 'safety checks' },
  missedPeriod: { one: 'reason for a missed check', many: 'reasons for missed checks' },
  testPoint: { one: 'test point', many: 'test points' },
  heldCheck: { one: 'held record', many: 'held records' },
  session: { one: 'session', many: 'sessions' },
  signIn: { one: 'sign-in', many: 'sign-ins' },
};

/** The words for an action, by command. Commands that are not listed are described by what became of the row. */
const COMMAND_LABELS: Readonly<Record<string, string>> = {
  'issues.create': 'reported issue',
  'issues.update': 'changed issue',
  'issues.comment': 'commented on',
  'assets.create': 'added asset',
  'assets.update': 'changed asset',
  'assets.duplicate': 'duplicated an asset as',
  'assets.retire': 'retired asset',
  'assets.restore': 'restored asset',
  'checks.record': 'recorded',
  'checks.amend': 'corrected',
  'checks.explainMissed': 'explained a missed',
  'checks.addTestPoint': 'added test point',
  'checks.decideHeld': 'accepted',
  'checks.setSchedule': 'changed the check schedule of',
  'users.setRole': 'changed the role of',
  'users.grant': 'gave building access to',
  'users.revoke': 'removed building access from',
  'users.setAccess': 'changed the location access of',
  'users.setActive': 'deactivated',
  'users.invite': 'invited',
  'users.makeLink': 'made a one-time link for',
  'users.renameMe': 'changed the name of',
  'session.setup': 'set Lintel up and became',
  'session.changePassword': 'changed the password of',
  'session.followLink': 'used a one-time link to set the password of',
  'admin.resetPassword': 'changed the password of',
  'locations.createClient': 'added client',
  'locations.createBuilding': 'added building',
  'locations.addFloors': 'added floors to',
  'locations.renameClient': 'renamed client',
  'locations.updateBuilding': 'changed building',
  'locations.removeClient': 'deleted client',
  'locations.removeBuilding': 'deleted building',
  'locations.restoreClient': 'restored client',
  'locations.restoreBuilding': 'restored building',
  'locations.renameFloor': 'renamed a floor of',
  'locations.removeFloor': 'deleted a floor of',
  'locations.restoreFloor': 'restored a floor of',
  'imports.clients': 'imported clients',
  'imports.buildings': 'imported buildings',
  'imports.floors': 'imported floors',
  'imports.assets': 'imported assets',
  'imports.links': 'made new invitation links for the people of a file',
  'imports.people': 'imported people',
};

/** The words for the end of a person's own session, by command. */
const OWN_SESSION_WORDS: Readonly<Record<string, string>> = {
  'session.signOut': 'signed out',
  'session.signIn': 'was signed out by another sign-in in the same browser',
  'session.changePassword': 'ended their other sessions',
  'session.followLink': 'ended their earlier sessions',
  'session.endReplayed': 'was signed out because an old copy of their sign-in was used',
  'users.endMySession': 'ended one of their own sessions',
};

const RECORDS: ReadonlySet<string> = new Set(['checks.record', 'checks.decideHeld']);

/** The entities to which a command's words apply. Other rows that the command changes get the general words. */
const ENTITY_OF_FEATURE: Readonly<Record<string, readonly string[]>> = {
  issues: ['issue', 'issueComment'],
  assets: ['asset'],
  checks: ['checkVisit', 'missedPeriod', 'testPoint'],
  users: ['person'],
  session: ['person'],
  imports: ['client', 'building', 'asset', 'person'],
};
const ENTITY_OF_COMMAND: Readonly<Record<string, string>> = {
  'checks.setSchedule': 'building',
  'locations.createClient': 'client',
  'locations.renameClient': 'client',
  'locations.removeClient': 'client',
  'locations.restoreClient': 'client',
};

/** "changed issue", "added asset": the words between the person and the name of the row. */
export function actionLabel(
  entry: Pick<ActivityEntry, 'command' | 'entity' | 'entityId' | 'actorId' | 'op' | 'changes' | 'count'>,
): string {
  if (entry.command.endsWith(IMPORTED)) {
    return `${actionLabel({ ...entry, command: entry.command.slice(0, -IMPORTED.length) })} (imported from a file)`;
  }
  const { command, entity, op, changes, count } = entry;
  if (command === 'checks.answerImported') {
    return changes?.['imported']?.[1] === 'disputed' ? 'disputed the imported' : 'confirmed the imported';
  }
  if (entity === 'heldCheck' && op === 'put')
    return changes === null ? 'sent a record that is held' : 'decided on';
  if (entity === 'signIn' && op === 'put') {
    return command === 'session.followLink' ? 'signed in with a one-time' : 'signed in';
  }
  if (op === 'sessions_ended') {
    return entry.entityId === entry.actorId
      ? (OWN_SESSION_WORDS[command] ?? 'ended their own sessions')
      : 'ended sessions of';
  }
  if (command === 'users.setActive' && isUndone(changes, 'deactivatedAt')) return 'reactivated';
  if (command === 'session.followLink' && isUndone(changes, 'invitedAt')) return 'accepted the invitation of';
  // Recording a failure late also links an earlier pass of the log; that visit changes, but is not recorded by it.
  const said =
    entity === 'checkVisit' && changes !== null && RECORDS.has(command) ? undefined : COMMAND_LABELS[command];
  const bulk = op === 'bulk';
  if (said !== undefined && isAbout(command, entity) && (!bulk || command.startsWith('imports.'))) {
    return count === null ? said : said.replace('imported', `imported ${count.toLocaleString('en-GB')}`);
  }
  const words: Words = hasWords(entity)
    ? ENTITY_LABELS[entity]
    : { one: spaced(entity).toLowerCase(), many: `${spaced(entity).toLowerCase()}s` };
  if (bulk && command === 'session.setup') return `added sample ${words.many}`;
  if (bulk) return `made bulk changes to ${words.many}`;
  if (op === 'del') return `removed ${words.one}`;
  if (op === 'erase') return `erased the content of a change of ${words.one}`;
  return changes === null ? `added ${words.one}` : `changed ${words.one}`;
}

function isUndone(changes: ActivityEntry['changes'], field: string): boolean {
  return changes?.[field]?.[1] === null;
}

function isAbout(command: string, entity: string): boolean {
  const feature = command.split('.')[0] ?? '';
  const only = ENTITY_OF_COMMAND[command] ?? (feature === 'locations' ? 'building' : undefined);
  return only === undefined ? (ENTITY_OF_FEATURE[feature] ?? [entity]).includes(entity) : only === entity;
}

function hasWords(entity: string): entity is keyof typeof ENTITY_LABELS {
  return Object.hasOwn(ENTITY_LABELS, entity);
}

const FIELD_LABELS: Readonly<Record<string, string>> = {
  assignedToName: 'Assigned to',
  respondDueAt: 'Respond by',
  resolveDueAt: 'Resolve by',
  pauseReason: 'Paused',
  pausedAt: 'Paused since',
  floorName: 'Floor',
  roomName: 'Room',
  clientName: 'Client',
  floorCount: 'Floors',
  isHealthcare: 'Healthcare premises',
  schedule: 'Check schedule',
  imported: 'Imported record',
  outletKind: 'Outlet',
  lastVisitDate: 'Last visit',
  building: 'Location access',
  buildings: 'Location access',
  deactivatedAt: 'Deactivated',
  invitedAt: 'Invited',
  link: 'One-time link',
  firstName: 'First name',
  lastName: 'Last name',
  isActive: 'In use',
};
/** Fields that are left out where another field of the same change tells the same: ids beside their names. */
const SAID_ELSEWHERE: Readonly<Record<string, string>> = {
  assignedTo: 'assignedToName',
  floorId: 'floorName',
  location: 'roomName',
};
const LINK_KIND_LABELS: Readonly<Record<LinkKind, string>> = { invite: 'Invitation', reset: 'New password' };
const VALUE_LABELS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  status: ISSUE_STATUS_LABELS,
  priority: ISSUE_PRIORITY_LABELS,
  pauseReason: PAUSE_REASON_LABELS,
  role: ROLE_LABELS,
  type: ASSET_TYPE_LABELS,
  outletKind: OUTLET_KIND_LABELS,
  frequency: ASSET_FREQUENCY_LABELS,
  state: HELD_STATE_LABELS,
  imported: IMPORT_STATE_LABELS,
  link: LINK_KIND_LABELS,
};

/** One changed field in words; `from` and `to` are null where there was or is no value. */
export type ChangeLabel = { field: string; label: string; from: string | null; to: string | null };

/** The changes of an entry in words, field by field. */
export function describeChanges(
  { changes }: Pick<ActivityEntry, 'changes'>,
  names: Readonly<Record<string, string>>,
): ChangeLabel[] {
  if (changes === null) return [];
  return Object.entries(changes).flatMap(([field, [from, to]]) => {
    const elsewhere = SAID_ELSEWHERE[field];
    if (elsewhere !== undefined && Object.hasOwn(changes, elsewhere)) return [];
    const label = FIELD_LABELS[field] ?? spaced(field);
    return [{ field, label, from: describeValue(field, from, names), to: describeValue(field, to, names) }];
  });
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const INSTANT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}/;
const DAY = /^\d{4}-\d{2}-\d{2}$/;

function describeValue(
  field: string,
  value: unknown,
  names: Readonly<Record<string, string>>,
): string | null {
  if (value === null || value === undefined || value === '') return null;
  if (typeof value === 'boolean') return value ? 'Yes' : 'No';
  if (typeof value === 'number') return value.toLocaleString('en-GB');
  if (Array.isArray(value)) {
    return value.length === 0 ? null : value.map((one) => describeValue(field, one, names) ?? '').join(', ');
  }
  if (typeof value !== 'string') return JSON.stringify(value);
  if (UUID.test(value)) return names[value.toLowerCase()] ?? 'something that no longer exists';
  if (DAY.test(value)) return formatDay(value);
  if (INSTANT.test(value)) return formatDateTime(value);
  return VALUE_LABELS[field]?.[value] ?? value;
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
  const text = (key: string) => {
    const value: unknown = Reflect.get(row, key);
    return typeof value === 'string' && value !== '' ? value : undefined;
  };
  if (entity === 'issue') return [text('referenceNumber'), text('title')].filter(Boolean).join(' ');
  if (entity === 'issueComment') return null;
  if (entity === 'signIn') return ofSignIn(row);
  const kind = LOG_KINDS.find((each) => each === text('kind'));
  if (kind !== undefined && entity !== 'testPoint') return ofCheck(titleOf(kind), row);
  const person = [text('firstName'), text('lastName')].filter(Boolean).join(' ');
  return text('name') ?? (person === '' ? undefined : person) ?? text('email') ?? text('title') ?? null;
}

/** Where a sign-in came from: "link made by Ada Smith, followed from 192.0.2.7 (Chrome on Windows)". */
function ofSignIn(row: object): string {
  const place = `from ${String(Reflect.get(row, 'address'))} (${String(Reflect.get(row, 'device'))})`;
  const link: unknown = Reflect.get(row, 'link');
  if (typeof link !== 'object' || link === null) return place;
  const maker: unknown = Reflect.get(link, 'madeBy');
  return `link${typeof maker === 'string' ? ` made by ${maker}` : ''}, followed ${place}`;
}

/** "Fire alarm test #12"; a record without a number is named by its day. */
function ofCheck(title: string, row: object): string {
  const number: unknown = Reflect.get(row, 'logNumber');
  if (typeof number === 'number') return `${title} #${number}`;
  const day: unknown = Reflect.get(row, 'visitDate') ?? Reflect.get(row, 'start');
  return typeof day === 'string' ? `${title}, ${formatDay(day)}` : title;
}

/** `respondDueAt` → "Respond due at". */
function spaced(name: string): string {
  const words = name.replaceAll(/([a-z])([A-Z])/g, '$1 $2').toLowerCase();
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
}
