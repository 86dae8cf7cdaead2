import { uuidv7 } from '#shared/ids.ts';
import type { Permission } from '#shared/permissions.ts';
import { PERMISSIONS } from '#shared/permissions.ts';

// Who gets what from every procedure: the one table that the authorization sweep compares the server with. It is
// written from the permission matrix and the rulings, not from the code.

/** What is at stake in a call: something of the caller's building, of another one, or of none at all. */
export const TARGETS = ['own', 'other', 'absent'] as const;
export type Target = (typeof TARGETS)[number];

export const CALLERS = [
  'anonymous',
  'ended',
  'deactivated',
  'unknownRole',
  'noRole',
  'viewer',
  'operative',
  'manager',
  'admin',
] as const;
export type Caller = (typeof CALLERS)[number];

/** `ok`, or the code of the refusal. */
export type Outcome = string;

/** Ids of what a target is made of. */
export type Ids = {
  buildingId: string;
  clientId: string;
  issueId: string;
  assetId: string;
  floorId: string;
  /** A line of a recorded check. */
  entryId: string;
  personId: string;
};

type Row = {
  kind: 'query' | 'mutation' | 'subscription';
  /** `anybody` needs no session. */
  needs: Permission | 'signedIn' | 'anybody';
  input: (ids: Ids) => unknown;
  /** For those who hold what it needs, where it is not `ok` for their own, and `not_found` for the others. */
  outcome?: Outcome | Partial<Record<Target, Outcome>>;
  /** For an administrator, whose own every building is. */
  adminOutcome?: Partial<Record<Target, Outcome>>;
  /** Differs by caller beyond what it needs. */
  exceptions?: Partial<Record<Caller, Outcome | Partial<Record<Target, Outcome>>>>;
};

const nothing = () => undefined;
const empty = () => ({});
const EVERYWHERE_OK = { own: 'ok', other: 'ok', absent: 'ok' };
const operationId = () => uuidv7();

export const EXPECTATIONS: Readonly<Record<string, Row>> = {
  'session.setupState': { kind: 'query', needs: 'anybody', input: nothing, outcome: 'ok' },
  'session.setup': {
    kind: 'mutation',
    needs: 'anybody',
    input: () => ({ start: 'sample', code: 'a-guess' }),
    outcome: 'forbidden',
  },
  'session.signIn': {
    kind: 'mutation',
    needs: 'anybody',
    input: () => ({ email: `${uuidv7()}@example.com`, password: 'a-guess' }),
    outcome: 'unauthenticated',
  },
  'session.signOut': { kind: 'mutation', needs: 'anybody', input: empty, outcome: 'ok' },
  'session.active': { kind: 'query', needs: 'anybody', input: nothing, outcome: 'ok' },
  'session.me': { kind: 'query', needs: 'signedIn', input: nothing, outcome: 'ok' },
  'session.touch': { kind: 'mutation', needs: 'signedIn', input: empty, outcome: 'ok' },
  'session.recovery': { kind: 'query', needs: 'anybody', input: nothing, outcome: 'ok' },
  'session.forgotPassword': {
    kind: 'mutation',
    needs: 'anybody',
    input: () => ({ email: `${uuidv7()}@example.com` }),
    outcome: 'ok',
  },
  'session.link': {
    kind: 'mutation',
    needs: 'anybody',
    input: () => ({ token: 'a'.repeat(43) }),
    outcome: 'not_found',
  },
  'session.followLink': {
    kind: 'mutation',
    needs: 'anybody',
    input: () => ({ token: 'a'.repeat(43), password: 'a-good-password' }),
    outcome: 'not_found',
  },
  'session.changePassword': {
    kind: 'mutation',
    needs: 'signedIn',
    // Without the present one: guessing it is counted, and six tries would be one too many.
    input: () => ({ current: '', password: 'a-good-password' }),
    outcome: 'invalid',
  },

  'locations.mine': { kind: 'query', needs: 'signedIn', input: nothing, outcome: 'ok' },
  'locations.listClients': { kind: 'query', needs: 'view_locations', input: empty, outcome: 'ok' },
  'locations.listBuildings': {
    kind: 'query',
    needs: 'view_locations',
    input: ({ clientId }) => ({ clientId }),
    outcome: EVERYWHERE_OK,
    adminOutcome: EVERYWHERE_OK,
  },
  'locations.listFloors': {
    kind: 'query',
    needs: 'view_locations',
    input: ({ buildingId }) => ({ buildingId }),
  },
  'locations.client': {
    kind: 'query',
    needs: 'view_locations',
    input: ({ clientId }) => ({ id: clientId }),
    // Null for what is absent or not theirs.
    outcome: EVERYWHERE_OK,
    adminOutcome: EVERYWHERE_OK,
  },
  'locations.building': {
    kind: 'query',
    needs: 'view_buildings',
    input: ({ buildingId }) => ({ id: buildingId }),
    // Null for what is absent or not theirs.
    outcome: EVERYWHERE_OK,
    adminOutcome: EVERYWHERE_OK,
  },
  'locations.listArchived': { kind: 'query', needs: 'edit_locations', input: empty, outcome: 'ok' },
  'locations.clientRecords': {
    kind: 'query',
    needs: 'edit_locations',
    input: ({ clientId }) => ({ id: clientId }),
  },
  'locations.buildingRecords': {
    kind: 'query',
    needs: 'edit_buildings',
    input: ({ buildingId }) => ({ id: buildingId }),
  },
  'locations.floorRecords': {
    kind: 'query',
    needs: 'edit_locations',
    input: ({ floorId }) => ({ id: floorId }),
  },
  'locations.createClient': {
    kind: 'mutation',
    needs: 'create_locations',
    input: () => ({ operationId: operationId(), name: `Client ${uuidv7()}` }),
    outcome: 'ok',
  },
  'locations.createBuilding': {
    kind: 'mutation',
    needs: 'create_buildings',
    input: ({ clientId }) => ({ operationId: operationId(), clientId, name: 'From the sweep' }),
  },
  'locations.addFloors': {
    kind: 'mutation',
    needs: 'create_buildings',
    input: ({ buildingId }) => ({ operationId: operationId(), buildingId, floors: 1 }),
  },
  'locations.renameClient': {
    kind: 'mutation',
    needs: 'edit_locations',
    // To what nobody has seen: a conflict, and nothing changes for the calls after this one.
    input: ({ clientId }) => ({ operationId: operationId(), id: clientId, name: { from: '', to: 'x' } }),
    outcome: { own: 'conflict' },
    adminOutcome: { own: 'conflict', other: 'conflict' },
  },
  'locations.renameFloor': {
    kind: 'mutation',
    needs: 'edit_locations',
    input: ({ floorId }) => ({ operationId: operationId(), id: floorId, name: { from: '', to: 'x' } }),
    outcome: { own: 'conflict' },
    adminOutcome: { own: 'conflict', other: 'conflict' },
  },
  'locations.updateBuilding': {
    kind: 'mutation',
    needs: 'edit_buildings',
    input: ({ buildingId }) => ({
      operationId: operationId(),
      id: buildingId,
      changes: { address: { from: null, to: null } },
    }),
  },
  // Not there for anybody: the sweep needs its own places until the end.
  'locations.removeClient': {
    kind: 'mutation',
    needs: 'edit_locations',
    input: () => ({ operationId: operationId(), id: uuidv7() }),
    outcome: 'not_found',
  },
  'locations.removeBuilding': {
    kind: 'mutation',
    needs: 'edit_buildings',
    input: () => ({ operationId: operationId(), id: uuidv7() }),
    outcome: 'not_found',
  },
  'locations.removeFloor': {
    kind: 'mutation',
    needs: 'edit_locations',
    input: () => ({ operationId: operationId(), id: uuidv7() }),
    outcome: 'not_found',
  },
  'locations.restoreFloor': {
    kind: 'mutation',
    needs: 'edit_locations',
    input: ({ floorId }) => ({ operationId: operationId(), id: floorId }),
  },
  'locations.restoreClient': {
    kind: 'mutation',
    needs: 'edit_locations',
    input: ({ clientId }) => ({ operationId: operationId(), id: clientId }),
  },
  'locations.restoreBuilding': {
    kind: 'mutation',
    needs: 'edit_buildings',
    input: ({ buildingId }) => ({ operationId: operationId(), id: buildingId }),
  },

  'users.list': { kind: 'query', needs: 'view_users', input: nothing, outcome: 'ok' },
  'users.setRole': {
    kind: 'mutation',
    needs: 'manage_users',
    input: ({ personId }) => ({ operationId: operationId(), userId: personId, role: 'viewer' }),
  },
  'users.grant': {
    kind: 'mutation',
    needs: 'manage_users',
    input: ({ personId, buildingId }) => ({ operationId: operationId(), userId: personId, buildingId }),
  },
  'users.revoke': {
    kind: 'mutation',
    needs: 'manage_users',
    input: ({ personId, buildingId }) => ({ operationId: operationId(), userId: personId, buildingId }),
  },

  'users.setAccess': {
    kind: 'mutation',
    needs: 'manage_users',
    input: ({ personId, buildingId }) => ({
      operationId: operationId(),
      userId: personId,
      buildingIds: [buildingId],
      granted: true,
    }),
  },
  'users.invite': {
    kind: 'mutation',
    needs: 'manage_users',
    input: ({ buildingId }) => ({
      operationId: operationId(),
      id: uuidv7(),
      email: `${uuidv7()}@example.com`,
      firstName: 'From',
      lastName: 'Sweep',
      role: 'viewer',
      buildingIds: [buildingId],
    }),
  },
  'users.makeLink': {
    kind: 'mutation',
    needs: 'manage_users',
    input: ({ personId }) => ({
      operationId: operationId(),
      userId: personId,
    }),
  },
  'users.setActive': {
    kind: 'mutation',
    needs: 'manage_users',
    input: ({ personId }) => ({ operationId: operationId(), userId: personId, active: true }),
  },
  'users.endSessions': {
    kind: 'mutation',
    needs: 'manage_users',
    input: ({ personId }) => ({ operationId: operationId(), userId: personId }),
  },
  'users.sessions': {
    kind: 'query',
    needs: 'manage_users',
    input: ({ personId }) => ({ userId: personId }),
    outcome: EVERYWHERE_OK,
    adminOutcome: EVERYWHERE_OK,
  },
  'users.roles': {
    kind: 'query',
    needs: 'view_users',
    input: ({ personId }) => ({ userId: personId }),
    outcome: EVERYWHERE_OK,
    adminOutcome: EVERYWHERE_OK,
  },
  'users.mySessions': { kind: 'query', needs: 'signedIn', input: nothing, outcome: 'ok' },
  'users.myNotices': { kind: 'query', needs: 'signedIn', input: nothing, outcome: 'ok' },
  'users.dismissNotices': {
    kind: 'mutation',
    needs: 'signedIn',
    input: () => ({ operationId: operationId(), ids: [uuidv7()] }),
    outcome: 'ok',
  },
  'users.endMySession': {
    kind: 'mutation',
    needs: 'signedIn',
    input: () => ({ operationId: operationId(), sessionId: 'none-of-theirs' }),
    outcome: 'ok',
  },
  'users.renameMe': {
    kind: 'mutation',
    needs: 'signedIn',
    input: () => ({ operationId: operationId(), firstName: 'From', lastName: 'Sweep' }),
    outcome: 'ok',
  },

  'documents.disciplines.list': {
    kind: 'query',
    needs: 'manage_building_documents',
    input: nothing,
    outcome: 'ok',
  },
  'documents.disciplines.add': {
    kind: 'mutation',
    needs: 'manage_building_documents',
    input: () => ({ operationId: operationId(), id: uuidv7(), name: `Sweep ${uuidv7()}` }),
    outcome: 'ok',
  },
  'documents.disciplines.rename': {
    kind: 'mutation',
    needs: 'manage_building_documents',
    input: () => ({ operationId: operationId(), id: uuidv7(), name: { from: '', to: 'x' } }),
    outcome: 'not_found',
  },
  'documents.disciplines.remove': {
    kind: 'mutation',
    needs: 'manage_building_documents',
    input: () => ({ operationId: operationId(), id: uuidv7() }),
    outcome: 'not_found',
  },

  'issues.list': {
    kind: 'query',
    needs: 'view_building_issues',
    input: ({ buildingId }) => ({ filter: { buildingId } }),
    outcome: EVERYWHERE_OK,
    adminOutcome: EVERYWHERE_OK,
  },
  'issues.counts': {
    kind: 'query',
    needs: 'view_building_issues',
    input: ({ buildingId }) => ({ filter: { buildingId } }),
    outcome: EVERYWHERE_OK,
    adminOutcome: EVERYWHERE_OK,
  },
  'issues.get': { kind: 'query', needs: 'view_building_issues', input: ({ issueId }) => ({ id: issueId }) },
  'issues.present': {
    kind: 'mutation',
    needs: 'view_building_issues',
    input: ({ issueId }) => ({ id: issueId, window: uuidv7(), here: true }),
  },
  'issues.comments': {
    kind: 'query',
    needs: 'view_building_issues',
    input: ({ issueId }) => ({ id: issueId }),
  },
  'issues.history': {
    kind: 'query',
    needs: 'view_building_issues',
    input: ({ issueId }) => ({ id: issueId }),
  },
  'issues.assignees': {
    kind: 'query',
    needs: 'edit_building_issues',
    input: ({ buildingId }) => ({ buildingId }),
  },
  'issues.nextReference': {
    kind: 'query',
    needs: 'create_building_issues',
    input: ({ buildingId }) => ({ buildingId }),
  },
  'issues.create': {
    kind: 'mutation',
    needs: 'create_building_issues',
    input: ({ buildingId }) => ({
      operationId: operationId(),
      id: uuidv7(),
      buildingId,
      title: 'From the sweep',
    }),
  },
  'issues.update': {
    kind: 'mutation',
    needs: 'manage_building_issues',
    input: ({ issueId }) => ({
      operationId: operationId(),
      id: issueId,
      changes: { description: { from: '', to: '' } },
    }),
  },
  'issues.comment': {
    kind: 'mutation',
    // Editors of issues, and whoever reported this one and may see it: nobody here did.
    needs: 'edit_building_issues',
    input: ({ issueId }) => ({ operationId: operationId(), id: uuidv7(), issueId, body: 'From the sweep' }),
    exceptions: {
      viewer: { own: 'forbidden', other: 'not_found', absent: 'not_found' },
      noRole: 'not_found',
    },
  },

  'assets.list': {
    kind: 'query',
    needs: 'view_assets',
    input: ({ buildingId }) => ({ filter: { buildingId } }),
    outcome: EVERYWHERE_OK,
    adminOutcome: EVERYWHERE_OK,
  },
  'assets.counts': {
    kind: 'query',
    needs: 'view_assets',
    input: ({ buildingId }) => ({ filter: { buildingId } }),
    outcome: EVERYWHERE_OK,
    adminOutcome: EVERYWHERE_OK,
  },
  'assets.some': {
    kind: 'query',
    needs: 'view_assets',
    input: ({ assetId }) => ({ ids: [assetId] }),
    outcome: EVERYWHERE_OK,
    adminOutcome: EVERYWHERE_OK,
  },
  'assets.get': { kind: 'query', needs: 'view_assets', input: ({ assetId }) => ({ id: assetId }) },
  'assets.history': { kind: 'query', needs: 'view_assets', input: ({ assetId }) => ({ id: assetId }) },
  'assets.create': {
    kind: 'mutation',
    needs: 'create_assets',
    input: ({ buildingId }) => ({
      operationId: operationId(),
      id: uuidv7(),
      buildingId,
      name: 'From the sweep',
      description: 'From the sweep',
    }),
  },
  'assets.duplicate': {
    kind: 'mutation',
    needs: 'create_assets',
    input: ({ assetId }) => ({ operationId: operationId(), id: uuidv7(), sourceId: assetId }),
  },
  'assets.update': {
    kind: 'mutation',
    needs: 'edit_assets',
    input: ({ assetId }) => ({
      operationId: operationId(),
      id: assetId,
      changes: { quantity: { from: 1, to: 1 } },
    }),
  },
  'assets.retire': {
    kind: 'mutation',
    needs: 'edit_assets',
    input: ({ assetId }) => ({ operationId: operationId(), id: assetId }),
  },
  'assets.restore': {
    kind: 'mutation',
    needs: 'edit_assets',
    input: ({ assetId }) => ({ operationId: operationId(), id: assetId }),
  },

  'photos.list': {
    kind: 'query',
    needs: 'view_building_issues',
    input: ({ issueId }) => ({ on: 'issue', onId: issueId }),
    outcome: EVERYWHERE_OK,
    adminOutcome: EVERYWHERE_OK,
  },
  'photos.announce': {
    kind: 'mutation',
    // Editors of issues, and whoever reported this one and may see it: nobody here did.
    needs: 'edit_building_issues',
    input: ({ issueId }) => ({
      operationId: operationId(),
      id: uuidv7(),
      of: { issueId },
      sha256: 'a'.repeat(64),
      bytes: 10,
      contentType: 'image/jpeg',
      width: 1,
      height: 1,
      takenAt: new Date().toISOString(),
    }),
    exceptions: {
      viewer: { own: 'forbidden', other: 'not_found', absent: 'not_found' },
      operative: { own: 'forbidden', other: 'not_found', absent: 'not_found' },
      noRole: 'not_found',
      unknownRole: 'not_found',
    },
  },
  'photos.remove': {
    kind: 'mutation',
    needs: 'signedIn',
    input: () => ({ operationId: operationId(), id: uuidv7() }),
    outcome: 'not_found',
  },

  'checks.register': {
    kind: 'query',
    needs: 'create_operative_tasks',
    input: ({ buildingId }) => ({ buildingIds: [buildingId] }),
    outcome: EVERYWHERE_OK,
    adminOutcome: EVERYWHERE_OK,
  },
  'checks.cards': { kind: 'query', needs: 'view_logbook', input: nothing, outcome: 'ok' },
  'checks.logYear': {
    kind: 'query',
    needs: 'view_logbook',
    input: ({ buildingId }) => ({ kind: 'fire_alarm_test', year: 2026, buildingId }),
  },
  'checks.logRecords': {
    kind: 'query',
    needs: 'view_logbook',
    input: ({ buildingId }) => ({ filter: { kind: 'fire_alarm_test', buildingId } }),
    outcome: EVERYWHERE_OK,
    adminOutcome: EVERYWHERE_OK,
  },
  'checks.yearGrid': {
    kind: 'query',
    needs: 'view_logbook',
    input: () => ({ kind: 'fire_alarm_test', year: 2026 }),
    outcome: 'ok',
  },
  'checks.missing': {
    kind: 'query',
    needs: 'view_logbook',
    input: () => ({ kind: 'fire_alarm_test', day: '2026-03-06' }),
    outcome: 'ok',
  },
  'checks.trend': { kind: 'query', needs: 'view_logbook', input: ({ assetId }) => ({ assetId }) },
  'checks.thread': { kind: 'query', needs: 'view_logbook', input: ({ entryId }) => ({ entryId }) },
  'checks.raisedByMine': { kind: 'query', needs: 'create_operative_tasks', input: nothing, outcome: 'ok' },
  'checks.ofIssue': {
    kind: 'query',
    needs: 'view_building_issues',
    input: ({ issueId }) => ({ issueId }),
  },
  'checks.held': { kind: 'query', needs: 'manage_users', input: nothing, outcome: 'ok' },
  'checks.heldOfMine': { kind: 'query', needs: 'create_operative_tasks', input: nothing, outcome: 'ok' },
  'checks.importedOfMine': { kind: 'query', needs: 'view_logbook', input: nothing, outcome: 'ok' },
  // One's own alone: whatever it names is nobody's here.
  'checks.answerImported': {
    kind: 'mutation',
    needs: 'view_logbook',
    input: ({ entryId }) => ({ operationId: operationId(), id: entryId, confirmed: true }),
    outcome: 'not_found',
  },
  'checks.schedule': {
    kind: 'query',
    needs: 'edit_buildings',
    input: ({ buildingId }) => ({ buildingId }),
  },
  'checks.setSchedule': {
    kind: 'mutation',
    needs: 'edit_buildings',
    input: ({ buildingId }) => ({
      operationId: operationId(),
      buildingId,
      kind: 'outlet_flushing',
      from: '2099-01-01',
      isDue: false,
      times: 1,
    }),
  },
  'checks.record': {
    kind: 'mutation',
    needs: 'create_operative_tasks',
    input: ({ buildingId }) => ({
      kind: 'fire_alarm_test',
      operationId: operationId(),
      visitId: uuidv7(),
      buildingId,
      visitDate: new Date().toISOString().slice(0, 10),
      operativeName: 'From the sweep',
      performedAt: new Date().toISOString(),
      deviceNow: new Date().toISOString(),
      entries: [{ id: uuidv7(), locationTested: 'Anywhere', passed: true }],
    }),
    // Held where it is not theirs, whether there is such a site or not.
    outcome: EVERYWHERE_OK,
    adminOutcome: EVERYWHERE_OK,
  },
  'checks.amend': {
    kind: 'mutation',
    needs: 'create_logbook_entries',
    // Of another kind than it is: nobody corrects the line that the others look at.
    input: ({ entryId }) => ({
      kind: 'outlet_flushing',
      operationId: operationId(),
      entryId,
      reason: 'From the sweep',
      entry: { id: uuidv7(), outletId: uuidv7(), isFlushed: true },
    }),
    outcome: 'not_found',
  },
  'checks.explainMissed': {
    kind: 'mutation',
    needs: 'create_logbook_entries',
    // The present week is not over.
    input: ({ buildingId }) => ({
      operationId: operationId(),
      id: uuidv7(),
      buildingId,
      kind: 'fire_alarm_test',
      day: new Date().toISOString().slice(0, 10),
      reason: 'From the sweep',
    }),
    outcome: { own: 'invalid' },
    adminOutcome: { own: 'invalid', other: 'invalid' },
  },
  'checks.addTestPoint': {
    kind: 'mutation',
    needs: 'create_operative_tasks',
    input: ({ buildingId }) => ({
      operationId: operationId(),
      id: uuidv7(),
      buildingId,
      name: `Point ${uuidv7()}`,
    }),
  },
  'checks.decideHeld': {
    kind: 'mutation',
    needs: 'manage_users',
    input: () => ({ operationId: operationId(), id: uuidv7(), accept: true }),
    outcome: 'not_found',
  },

  'activity.actors': { kind: 'query', needs: 'manage_users', input: nothing, outcome: 'ok' },
  'activity.list': {
    kind: 'query',
    needs: 'manage_users',
    input: ({ buildingId }) => ({ filter: { buildingId } }),
    adminOutcome: EVERYWHERE_OK,
  },

  'live.stream': {
    kind: 'subscription',
    // Refused before anybody is asked who they are: the stream travels on the socket alone.
    needs: 'anybody',
    input: empty,
    outcome: 'unsupported',
  },
};

/** What the table says. */
export function expected(path: string, caller: Caller, target: Target): Outcome {
  const row = EXPECTATIONS[path];
  if (row === undefined) throw new Error(`${path} is not in the table of expectations`);
  const signedIn = !['anonymous', 'ended', 'deactivated'].includes(caller);
  if (row.needs !== 'anybody' && !signedIn) return 'unauthenticated';
  const exception = row.exceptions?.[caller];
  if (exception !== undefined) return typeof exception === 'string' ? exception : (exception[target] ?? 'ok');
  const role = caller === 'noRole' ? 'viewer' : caller;
  if (row.needs !== 'anybody' && row.needs !== 'signedIn') {
    if (!(PERMISSIONS[row.needs] as readonly string[]).includes(role)) return 'forbidden';
  }
  if (typeof row.outcome === 'string') return row.outcome;
  const byDefault: Record<Target, Outcome> = { own: 'ok', other: 'not_found', absent: 'not_found' };
  if (caller === 'admin') return { ...byDefault, other: 'ok', ...row.adminOutcome }[target];
  // A viewer without any building owns nothing.
  const theirs = caller === 'noRole' && target === 'own' ? 'other' : target;
  return { ...byDefault, ...row.outcome }[theirs];
}
