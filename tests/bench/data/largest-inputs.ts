import { addDays } from '#shared/dates.ts';
import { ACTIVITY_PAGE_MAX } from '#shared/features/activity/activity.ts';
import { ASSET_PAGE_MAX } from '#shared/features/assets/assets.ts';
import { ASSET_SELECTION_MAX } from '#shared/features/assets/assets.vocabulary.ts';
import { CHECK_ENTRIES_MAX } from '#shared/features/checks/kinds.vocabulary.ts';
import { LOG_PAGE_MAX } from '#shared/features/checks/queries.ts';
import { DISPLAY_BUILDINGS_MAX } from '#shared/features/displays/displays.vocabulary.ts';
import {
  ARCHIVE_SELECTION_MAX,
  DOCUMENT_PAGE_MAX,
  DOCUMENT_SELECTION_MAX,
  FOLDER_DEPTH_MAX,
  FOLDER_PATHS_MAX,
} from '#shared/features/documents/documents.vocabulary.ts';
import { ISSUE_PAGE_MAX } from '#shared/features/issues/issues.ts';
import { FLOORS_MAX } from '#shared/features/locations/floors.ts';
import { PLACES_PAGE_MAX } from '#shared/features/locations/locations.inputs.ts';
import { PULSE_PAGE_MAX } from '#shared/features/pulse/pulse.ts';
import { OFFERED_TEMPLATES } from '#shared/features/tasks/task-templates.ts';
import { TASK_SELECTION_MAX } from '#shared/features/tasks/tasks.vocabulary.ts';
import { uuidv7 } from '#shared/ids.ts';
import type { Ids } from '#tests/support/expectations/row.ts';
import { lineOf, visitOf } from '#tests/support/rows/checks.ts';
import type { ProcedurePath } from '#tests/support/server/procedures.ts';
import type { LargestData } from './largest-data.ts';

/**
 * The largest input that a procedure takes, or the one with the largest answer; for the n-th call of it. `sweep`: the input
 * of the sweep of permissions, where none is larger than another.
 */
export type LargestInput = 'sweep' | ((data: LargestData, n: number) => unknown);

const operation = () => ({ operationId: uuidv7() });
const LONG = 'Seen on the morning round; the switch was tried, the bulb was tried. ';
const text = (length: number) =>
  LONG.repeat(Math.ceil(length / LONG.length))
    .slice(0, length)
    .trimEnd();
/** Another part of a list for each call. */
const part = <T>(all: readonly T[], size: number, n: number) => all.slice(n * size, (n + 1) * size);
const place = ({ documents }: LargestData) => ({ at: 'folder', folderId: documents.largeFolderId }) as const;
const discipline = ({ documents }: LargestData) =>
  ({ at: 'discipline', disciplineId: documents.disciplineId }) as const;
const described = (n: number) => `${text(1_900)} ${n}`;
/** What is removed and restored in turn. */
const same = (id: (data: LargestData) => string) => (data: LargestData) => ({ ...operation(), id: id(data) });

const TEMPLATES = OFFERED_TEMPLATES.slice(0, 100).map(({ id }) => id);

/** A new procedure does not compile until it has its line. */
export const LARGEST_INPUTS: { readonly [Path in ProcedurePath]: LargestInput } = {
  'session.setupState': 'sweep',
  'session.setup': 'sweep',
  'session.signIn': 'sweep',
  'session.signOut': 'sweep',
  'session.active': 'sweep',
  'session.me': 'sweep',
  'session.completeSignIn': 'sweep',
  'session.beginEnrolment': 'sweep',
  'session.completeEnrolment': 'sweep',
  'session.beginPasskeySignIn': 'sweep',
  'session.signInWithPasskey': 'sweep',
  'session.beginPasskeyReauthentication': 'sweep',
  'session.reauthenticateWithPasskey': 'sweep',
  'session.touch': 'sweep',
  'session.reauthenticationOptions': 'sweep',
  'session.reauthenticate': 'sweep',
  'session.options': 'sweep',
  'session.signInStatus': 'sweep',
  'session.forgotPassword': 'sweep',
  'session.link': 'sweep',
  'session.followLink': 'sweep',
  'session.changePassword': 'sweep',

  'locations.mine': 'sweep',
  'locations.listClients': () => ({ limit: PLACES_PAGE_MAX }),
  'locations.listBuildings': () => ({ limit: PLACES_PAGE_MAX, search: 'street' }),
  'locations.listFloors': ({ siteId }) => ({ buildingId: siteId }),
  'locations.client': ({ clientId }) => ({ id: clientId }),
  'locations.building': ({ siteId }) => ({ id: siteId }),
  'locations.listArchived': () => ({ limit: PLACES_PAGE_MAX }),
  'locations.clientRecords': ({ clientId }) => ({ id: clientId }),
  'locations.buildingRecords': ({ siteId }) => ({ id: siteId }),
  'locations.floorRecords': ({ siteFloorId }) => ({ id: siteFloorId }),
  'locations.createClient': 'sweep',
  'locations.createBuilding': ({ clientId }, n) => ({
    ...operation(),
    clientId,
    name: `New house ${n}`,
    floors: FLOORS_MAX,
    basement: true,
  }),
  'locations.addFloors': ({ buildings }, n) => ({
    ...operation(),
    buildingId: buildings.at(-1 - n),
    floors: FLOORS_MAX,
    basement: true,
  }),
  'locations.renameClient': 'sweep',
  'locations.renameFloor': 'sweep',
  'locations.updateBuilding': ({ siteId }) => ({
    ...operation(),
    id: siteId,
    changes: { isHealthcare: { from: false, to: true } },
  }),
  'locations.removeClient': same(({ bigClientId }) => bigClientId),
  'locations.restoreClient': same(({ bigClientId }) => bigClientId),
  'locations.removeBuilding': same(({ siteId }) => siteId),
  'locations.restoreBuilding': same(({ siteId }) => siteId),
  'locations.removeFloor': same(({ siteFloorId }) => siteFloorId),
  'locations.restoreFloor': same(({ siteFloorId }) => siteFloorId),

  'users.list': 'sweep',
  'users.setRole': ({ people }, n) => ({ ...operation(), userId: people[n], role: 'manager' }),
  'users.grant': ({ people, siteId }, n) => ({ ...operation(), userId: people[n], buildingId: siteId }),
  'users.revoke': ({ people, siteId }, n) => ({ ...operation(), userId: people[n], buildingId: siteId }),
  'users.setAccess': ({ people, buildings }, n) => ({
    ...operation(),
    userId: people[10 + n],
    buildingIds: buildings.slice(0, 5_000),
    granted: true,
  }),
  'users.invite': ({ buildings }) => ({
    ...operation(),
    id: uuidv7(),
    email: `${uuidv7()}@example.com`,
    firstName: 'Pat',
    lastName: 'Lee',
    role: 'manager',
    buildingIds: buildings.slice(0, 5_000),
  }),
  'users.providerAccounts': 'sweep',
  'users.allowProvider': 'sweep',
  'users.unlinkProvider': 'sweep',
  'users.makeLink': ({ people }, n) => ({ ...operation(), userId: people[20 + n] }),
  'users.setActive': ({ people }, n) => ({ ...operation(), userId: people[30 + n], active: false }),
  'users.endSessions': ({ people }, n) => ({ ...operation(), userId: people[40 + n] }),
  'users.sessions': 'sweep',
  'users.roles': 'sweep',
  'users.mySessions': 'sweep',
  'users.myNotices': 'sweep',
  'users.secondFactor': 'sweep',
  'users.resetSecondFactor': 'sweep',
  'users.myProviderAccounts': 'sweep',
  'users.mySecondFactor': 'sweep',
  'users.beginSecondFactor': 'sweep',
  'users.addSecondFactor': 'sweep',
  'users.removeSecondFactor': 'sweep',
  'users.makeRecoveryCodes': 'sweep',
  'users.myPasskeys': 'sweep',
  'users.beginPasskey': 'sweep',
  'users.addPasskey': 'sweep',
  'users.renamePasskey': 'sweep',
  'users.removePasskey': 'sweep',
  'users.dismissNotices': () => ({ ...operation(), ids: Array.from({ length: 50 }, () => uuidv7()) }),
  'users.endMySession': 'sweep',
  'users.renameMe': 'sweep',

  'documents.disciplines.list': 'sweep',
  'documents.disciplines.add': 'sweep',
  'documents.disciplines.rename': 'sweep',
  'documents.disciplines.remove': 'sweep',

  'backups.status': 'sweep',

  'apiKeys.list': 'sweep',
  'apiKeys.uses': 'sweep',
  'apiKeys.create': 'sweep',
  'apiKeys.revoke': 'sweep',

  'health.status': 'sweep',

  'webhooks.list': 'sweep',
  'webhooks.states': 'sweep',
  'webhooks.deliveries': 'sweep',
  'webhooks.create': 'sweep',
  'webhooks.switchOn': 'sweep',
  'webhooks.switchOff': 'sweep',
  'webhooks.remove': 'sweep',
  'webhooks.test': 'sweep',
  'webhooks.resend': 'sweep',

  'displays.requestCode': 'sweep',
  'displays.claim': 'sweep',
  'displays.wall': 'sweep',
  'displays.beat': 'sweep',
  'displays.list': 'sweep',
  'displays.fleet': 'sweep',
  'displays.lookUp': 'sweep',
  'displays.pair': 'sweep',
  'displays.update': ({ displays, buildings }, n) => ({
    ...operation(),
    id: displays.some[n],
    changes: {
      buildingIds: { from: [], to: buildings.slice(0, DISPLAY_BUILDINGS_MAX) },
    },
  }),
  'displays.replace': 'sweep',
  'displays.pause': ({ displays }, n) => ({ ...operation(), id: displays.wide, paused: n % 2 === 0 }),
  'displays.reload': same(({ displays }) => displays.wide),
  'displays.unpair': ({ displays }, n) => ({ ...operation(), id: displays.some[10 + n] }),

  'documents.root': ({ documents }) => ({ buildingId: documents.buildingId }),
  'documents.list': (data) => ({
    buildingId: data.documents.buildingId,
    place: { at: 'building' },
    search: 'part',
    limit: DOCUMENT_PAGE_MAX,
  }),
  'documents.path': ({ documents }) => ({ folderId: documents.largeFolderId }),
  'documents.byId': ({ documents }) => ({ id: documents.documentId }),
  'documents.ofTask': ({ taskId }) => ({ taskId }),
  'documents.subtree': ({ documents }) => ({
    ids: [documents.archived, documents.largeFolderId, ...documents.some].slice(0, DOCUMENT_SELECTION_MAX),
  }),
  'documents.archiveLink': ({ documents }) => ({
    ids: documents.some.slice(0, ARCHIVE_SELECTION_MAX),
  }),
  'documents.link': ({ documents }) => ({ id: documents.documentId, as: 'preview' }),
  'documents.bin': ({ documents }) => ({ buildingId: documents.buildingId, limit: DOCUMENT_PAGE_MAX }),
  'documents.sameNames': (data) => ({
    buildingId: data.documents.buildingId,
    place: place(data),
    names: Array.from({ length: FOLDER_PATHS_MAX }, (_, n) => `${text(150)} ${n}.pdf`),
  }),
  'documents.createFolder': (data) => ({
    ...operation(),
    id: uuidv7(),
    buildingId: data.documents.buildingId,
    place: place(data),
    name: `Folder ${uuidv7()}`,
  }),
  'documents.createFolders': (data, n) => ({
    ...operation(),
    buildingId: data.documents.buildingId,
    place: discipline(data),
    paths: Array.from({ length: FOLDER_PATHS_MAX }, (_, at) => [
      ...Array.from({ length: FOLDER_DEPTH_MAX - 12 }, (_level, depth) => `Level ${n} ${depth}`),
      `Folder ${at}`,
    ]),
  }),
  'documents.update': ({ documents }, n) => ({
    ...operation(),
    id: documents.documentId,
    changes: { description: { from: n === 0 ? null : described(n - 1), to: described(n) } },
  }),
  'documents.makeCurrent': ({ documents }) => ({
    ...operation(),
    id: documents.documentId,
    versionId: documents.versionId,
  }),
  'documents.move': (data, n) => ({
    ...operation(),
    buildingId: data.documents.buildingId,
    ids: part(data.documents.some, DOCUMENT_SELECTION_MAX, n % 2),
    to: discipline(data),
  }),
  // All that one folder may hold, and back.
  'documents.remove': ({ documents }) => ({
    ...operation(),
    buildingId: documents.buildingId,
    ids: [documents.archived],
  }),
  'documents.restore': same(({ documents }) => documents.archived),

  'issues.list': () => ({ filter: { search: 'lamp' }, limit: ISSUE_PAGE_MAX }),
  'issues.counts': () => ({ filter: { search: 'lamp' } }),
  'issues.get': ({ issueId }) => ({ id: issueId }),
  'issues.comments': ({ issueId }) => ({ id: issueId }),
  'issues.history': ({ issueId }) => ({ id: issueId }),
  'issues.assignees': ({ siteId }) => ({ buildingId: siteId }),
  'issues.nextReference': ({ siteId }) => ({ buildingId: siteId }),
  'issues.create': ({ siteId }) => ({
    ...operation(),
    id: uuidv7(),
    buildingId: siteId,
    title: text(200),
    description: text(5_000),
  }),
  'issues.update': ({ issues }, n) => ({
    ...operation(),
    id: issues[n],
    changes: { status: { from: 'open', to: 'in_progress' } },
  }),
  'issues.acknowledge': ({ issues }, n) => ({ ...operation(), id: issues[10 + n] }),
  'issues.comment': ({ issueId }) => ({ ...operation(), id: uuidv7(), issueId, body: text(5_000) }),

  'assets.list': () => ({ filter: { search: 'floor' }, limit: ASSET_PAGE_MAX }),
  'assets.counts': () => ({ filter: { search: 'floor' } }),
  'assets.some': ({ outlets }) => ({ ids: outlets.slice(0, ASSET_SELECTION_MAX) }),
  'assets.get': ({ assetId }) => ({ id: assetId }),
  'assets.history': ({ assetId }) => ({ id: assetId }),
  'assets.create': ({ siteId }) => ({
    ...operation(),
    id: uuidv7(),
    buildingId: siteId,
    name: 'Fan on the roof',
    description: text(2_000),
  }),
  'assets.duplicate': ({ assetId }) => ({ ...operation(), id: uuidv7(), sourceId: assetId }),
  'assets.update': 'sweep',
  'assets.retire': same(({ assetId }) => assetId),
  'assets.restore': same(({ assetId }) => assetId),

  'photos.list': ({ issueId }) => ({ on: 'issue', onId: issueId }),
  'photos.announce': 'sweep',
  'photos.remove': 'sweep',

  'checks.register': ({ registered }) => ({ buildingIds: registered }),
  'checks.cards': 'sweep',
  'checks.logYear': ({ loggedId, year }) => ({ kind: 'outlet_flushing', year, buildingId: loggedId }),
  'checks.logRecords': () => ({ filter: { kind: 'emergency_lighting_test' }, limit: LOG_PAGE_MAX }),
  'checks.pastWeeks': 'sweep',
  'checks.yearGrid': ({ year }) => ({ kind: 'fire_alarm_test', year }),
  'checks.missing': ({ today }) => ({ kind: 'fire_alarm_test', day: today }),
  'checks.trend': ({ outletId }) => ({ assetId: outletId }),
  'checks.thread': ({ entryId }) => ({ entryId }),
  'checks.raisedByMine': 'sweep',
  'checks.ofIssue': ({ raisedId }) => ({ issueId: raisedId }),
  'checks.held': 'sweep',
  'checks.heldOfMine': 'sweep',
  'checks.importedOfMine': 'sweep',
  'checks.answerImported': 'sweep',
  'checks.schedule': ({ loggedId }) => ({ buildingId: loggedId }),
  'checks.setSchedule': ({ loggedId, today }, n) => ({
    ...operation(),
    buildingId: loggedId,
    kind: 'outlet_flushing',
    from: addDays(today, 7 * (20 - n)),
    isDue: true,
    times: 1 + (n % 2),
  }),
  'checks.record': ({ registered, outlets }) =>
    visitOf('water_temperature_check', {
      buildingId: registered[0] ?? '',
      now: new Date().toISOString(),
      entries: outlets.slice(0, CHECK_ENTRIES_MAX).map((id) => lineOf('water_temperature_check', 'pass', id)),
    }),
  'checks.amend': ({ entryId, outletId }) => ({
    ...operation(),
    kind: 'water_temperature_check',
    entryId,
    reason: 'Misread',
    entry: lineOf('water_temperature_check', 'pass', outletId),
  }),
  'checks.explainMissed': 'sweep',
  'checks.addTestPoint': ({ registered }) => ({
    ...operation(),
    id: uuidv7(),
    buildingId: registered[1],
    name: `Door ${uuidv7()}`,
  }),
  'checks.decideHeld': ({ held }, n) => ({ ...operation(), id: held[n], accept: true }),

  'tasks.list': ({ siteId }) => ({ buildingId: siteId, retired: true }),
  'tasks.overview': 'sweep',
  'tasks.get': ({ taskId }) => ({ id: taskId }),
  'tasks.record': ({ taskId }) => ({ id: taskId }),
  'tasks.history': ({ taskId }) => ({ id: taskId }),
  'tasks.responsible': ({ siteId }) => ({ buildingId: siteId }),
  'tasks.nextNumber': ({ siteId }) => ({ buildingId: siteId }),
  'tasks.templates': ({ siteId }) => ({ buildingId: siteId }),
  'tasks.templatePreview': ({ siteId }) => ({ buildingId: siteId, templateIds: TEMPLATES }),
  'tasks.create': ({ siteId }) => ({
    ...operation(),
    id: uuidv7(),
    buildingId: siteId,
    complianceSystem: 'Fire Alarm',
    taskDescription: text(2_000),
    frequency: 'weekly',
  }),
  'tasks.applyTemplates': ({ buildings }, n) => ({
    ...operation(),
    buildingId: buildings.at(-20 - n),
    templateIds: TEMPLATES,
  }),
  'tasks.update': ({ taskId }, n) => ({
    ...operation(),
    id: taskId,
    changes: {
      frequency: n % 2 === 0 ? { from: 'monthly', to: 'weekly' } : { from: 'weekly', to: 'monthly' },
    },
  }),
  'tasks.complete': ({ taskId, today }) => ({ ...operation(), id: taskId, occurrence: 1, day: today }),
  'tasks.correct': ({ taskId, today }) => ({ ...operation(), id: taskId, occurrence: 1, day: today }),
  'tasks.schedule': ({ taskId, taskDue, today }) => ({
    ...operation(),
    id: taskId,
    due: { from: taskDue, to: addDays(today, 10) },
  }),
  'tasks.mark': ({ taskId }) => ({ ...operation(), id: taskId, reason: text(500) }),
  'tasks.undo': ({ taskId }) => ({ ...operation(), id: taskId, lineId: uuidv7(), reason: text(500) }),
  'tasks.coverDuty': 'sweep',
  'tasks.retire': ({ taskId }) => ({ ...operation(), id: taskId, reason: text(500) }),
  'tasks.restore': same(({ taskId }) => taskId),
  'tasks.reassign': ({ tasks }, n) => ({
    ...operation(),
    ids: tasks.slice(0, TASK_SELECTION_MAX),
    responsiblePerson: `Contractor ${n}`,
  }),
  'tasks.reschedule': ({ tasks, today }, n) => ({
    ...operation(),
    tasks: tasks.slice(0, TASK_SELECTION_MAX).map((id) => ({ id, occurrence: 1 + n })),
    due: addDays(today, 20 + n),
  }),
  'tasks.retireAll': ({ tasks }, n) => ({
    ...operation(),
    ids: part(tasks.slice(TASK_SELECTION_MAX), 80, n),
    reason: text(500),
  }),

  'pulse.list': () => ({ limit: PULSE_PAGE_MAX }),
  'pulse.get': ({ siteId }) => ({ buildingId: siteId }),
  'pulse.summary': 'sweep',
  'pulse.upkeep': 'sweep',
  'presence.tell': 'sweep',
  'activity.actors': 'sweep',
  'activity.list': () => ({ filter: {}, limit: ACTIVITY_PAGE_MAX }),
  // On a socket, where it goes on from an old position.
  'live.stream': 'sweep',
};

/** The ids with which inputs of the sweep are made. */
export function idsOf(data: LargestData): Ids {
  return {
    buildingId: data.siteId,
    clientId: data.clientId,
    issueId: data.issueId,
    assetId: data.assetId,
    floorId: data.siteFloorId,
    entryId: data.entryId,
    personId: data.personId,
    taskId: data.taskId,
    retiredTaskId: uuidv7(),
    markedTaskId: data.taskId,
    folderId: data.documents.largeFolderId,
    deletedFolderId: uuidv7(),
  };
}
