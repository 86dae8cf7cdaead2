import { describe, expect, test } from 'vitest';
import {
  can,
  PERMISSION_NAMES,
  PERMISSIONS,
  type Permission,
  parseRole,
  permissionsOf,
  ROLES,
  type Role,
} from '#shared/permissions.ts';
import { PROCEDURES } from '#tests/support/server/procedures.ts';

/** The table of the specification: permission, then admin, manager, operative, viewer. */
const TABLE = `
  view_dashboard            yes yes yes yes
  view_tasks                yes yes yes yes
  create_tasks              yes yes no  no
  edit_tasks                yes yes no  no
  view_locations            yes yes no  yes
  create_locations          yes no  no  no
  edit_locations            yes no  no  no
  view_buildings            yes yes no  yes
  create_buildings          yes no  no  no
  edit_buildings            yes no  no  no
  view_assets               yes yes no  yes
  create_assets             yes yes no  no
  edit_assets               yes yes no  no
  view_users                yes no  no  no
  manage_users              yes no  no  no
  view_operative_tasks      yes yes yes no
  create_operative_tasks    yes yes yes no
  view_logbook              yes yes yes yes
  create_logbook_entries    yes yes yes no
  manage_building_documents yes no  no  no
  view_building_issues      yes yes no  yes
  create_building_issues    yes yes no  yes
  edit_building_issues      yes yes no  no
  manage_building_issues    yes yes no  no
`;
const COLUMNS = ['admin', 'manager', 'operative', 'viewer'] as const;

type Cell = { permission: string; role: Role; allowed: boolean };

const cells: Cell[] = TABLE.trim()
  .split('\n')
  .flatMap((line) => {
    const [permission = '', ...answers] = line.trim().split(/\s+/u);
    return COLUMNS.map((role, column) => ({ permission, role, allowed: answers[column] === 'yes' }));
  });

function isPermission(name: string): name is Permission {
  return Object.hasOwn(PERMISSIONS, name);
}

describe('the permission matrix', () => {
  test('has the rows of the table, in its order, and no others', () => {
    expect(PERMISSION_NAMES).toEqual([...new Set(cells.map(({ permission }) => permission))]);
    expect(ROLES).toEqual(COLUMNS);
    expect(cells).toHaveLength(24 * 4);
  });

  test.each(cells)('$role, $permission: $allowed', ({ permission, role, allowed }) => {
    if (!isPermission(permission)) throw new Error(`no such permission: ${permission}`);
    expect(can(role, permission)).toBe(allowed);
    expect(permissionsOf(role).includes(permission)).toBe(allowed);
  });

  test('gives no permission without a role, or to a role that is not one of the four', () => {
    expect(permissionsOf(undefined)).toEqual([]);
    for (const text of ['', 'Admin', 'ADMIN', 'owner', 'admin ', '__proto__', 'constructor']) {
      expect(parseRole(text)).toBeUndefined();
    }
    expect(ROLES.map(parseRole)).toEqual(ROLES);
  });
});

describe('every procedure', () => {
  test('declares who may call it', () => {
    expect(PROCEDURES.length).toBeGreaterThan(0);
    const undeclared = PROCEDURES.filter(({ meta }) => {
      const guard = meta?.guard;
      const isKnown = guard === 'open' || guard === 'signedIn' || guard === 'display';
      return !isKnown && !(typeof guard === 'string' && isPermission(guard));
    });
    expect(undeclared.map(({ path }) => path)).toEqual([]);
  });

  test('is guarded as was decided', () => {
    const guards = PROCEDURES.map(({ path, meta }) => `${path}: ${JSON.stringify(meta)}`).sort();
    expect(guards).toMatchInlineSnapshot(`
      [
        "activity.actors: {"guard":"manage_users"}",
        "activity.list: {"guard":"manage_users"}",
        "apiKeys.create: {"guard":"manage_users","sensitive":true}",
        "apiKeys.list: {"guard":"manage_users"}",
        "apiKeys.revoke: {"guard":"manage_users"}",
        "apiKeys.uses: {"guard":"manage_users"}",
        "assets.counts: {"guard":"view_assets"}",
        "assets.create: {"guard":"create_assets","provenByCommand":true}",
        "assets.duplicate: {"guard":"create_assets","provenByCommand":true}",
        "assets.get: {"guard":"view_assets"}",
        "assets.history: {"guard":"view_assets"}",
        "assets.list: {"guard":"view_assets"}",
        "assets.restore: {"guard":"edit_assets","provenByCommand":true}",
        "assets.retire: {"guard":"edit_assets","provenByCommand":true}",
        "assets.some: {"guard":"view_assets"}",
        "assets.update: {"guard":"edit_assets","provenByCommand":true}",
        "backups.status: {"guard":"manage_users"}",
        "checks.addTestPoint: {"guard":"create_operative_tasks"}",
        "checks.amend: {"guard":"create_logbook_entries"}",
        "checks.answerImported: {"guard":"view_logbook"}",
        "checks.cards: {"guard":"view_logbook"}",
        "checks.decideHeld: {"guard":"manage_users"}",
        "checks.explainMissed: {"guard":"create_logbook_entries"}",
        "checks.held: {"guard":"manage_users"}",
        "checks.heldOfMine: {"guard":"create_operative_tasks"}",
        "checks.importedOfMine: {"guard":"view_logbook"}",
        "checks.logRecords: {"guard":"view_logbook"}",
        "checks.logYear: {"guard":"view_logbook"}",
        "checks.missing: {"guard":"view_logbook"}",
        "checks.ofIssue: {"guard":"view_building_issues"}",
        "checks.pastWeeks: {"guard":"display"}",
        "checks.raisedByMine: {"guard":"create_operative_tasks"}",
        "checks.record: {"guard":"create_operative_tasks","orFormerly":true,"provenByCommand":true}",
        "checks.register: {"guard":"create_operative_tasks"}",
        "checks.schedule: {"guard":"edit_buildings"}",
        "checks.setSchedule: {"guard":"edit_buildings"}",
        "checks.thread: {"guard":"view_logbook"}",
        "checks.trend: {"guard":"view_logbook"}",
        "checks.yearGrid: {"guard":"view_logbook"}",
        "displays.beat: {"guard":"display"}",
        "displays.claim: {"guard":"open"}",
        "displays.fleet: {"guard":"manage_users"}",
        "displays.list: {"guard":"manage_users"}",
        "displays.lookUp: {"guard":"manage_users"}",
        "displays.pair: {"guard":"manage_users","sensitive":true}",
        "displays.pause: {"guard":"manage_users"}",
        "displays.reload: {"guard":"manage_users"}",
        "displays.replace: {"guard":"manage_users","sensitive":true}",
        "displays.requestCode: {"guard":"open"}",
        "displays.unpair: {"guard":"manage_users"}",
        "displays.update: {"guard":"manage_users","sensitive":true}",
        "displays.wall: {"guard":"display"}",
        "documents.archiveLink: {"guard":"view_logbook"}",
        "documents.bin: {"guard":"manage_building_documents"}",
        "documents.byId: {"guard":"view_logbook"}",
        "documents.createFolder: {"guard":"manage_building_documents"}",
        "documents.createFolders: {"guard":"manage_building_documents"}",
        "documents.disciplines.add: {"guard":"manage_building_documents"}",
        "documents.disciplines.list: {"guard":"view_logbook"}",
        "documents.disciplines.remove: {"guard":"manage_building_documents"}",
        "documents.disciplines.rename: {"guard":"manage_building_documents"}",
        "documents.link: {"guard":"view_logbook"}",
        "documents.list: {"guard":"view_logbook"}",
        "documents.makeCurrent: {"guard":"manage_building_documents"}",
        "documents.move: {"guard":"manage_building_documents"}",
        "documents.ofTask: {"guard":"view_logbook"}",
        "documents.path: {"guard":"view_logbook"}",
        "documents.remove: {"guard":"manage_building_documents"}",
        "documents.restore: {"guard":"manage_building_documents"}",
        "documents.root: {"guard":"view_logbook"}",
        "documents.sameNames: {"guard":"manage_building_documents"}",
        "documents.subtree: {"guard":"view_logbook"}",
        "documents.update: {"guard":"manage_building_documents","provenByCommand":true}",
        "health.status: {"guard":"manage_users"}",
        "issues.acknowledge: {"guard":"manage_building_issues","provenByCommand":true}",
        "issues.assignees: {"guard":"edit_building_issues"}",
        "issues.comment: {"guard":"signedIn","provenByCommand":true}",
        "issues.comments: {"guard":"view_building_issues"}",
        "issues.counts: {"guard":"view_building_issues"}",
        "issues.create: {"guard":"create_building_issues","provenByCommand":true}",
        "issues.get: {"guard":"view_building_issues"}",
        "issues.history: {"guard":"view_building_issues"}",
        "issues.list: {"guard":"view_building_issues"}",
        "issues.nextReference: {"guard":"create_building_issues"}",
        "issues.update: {"guard":"manage_building_issues","provenByCommand":true}",
        "live.stream: {"guard":"signedIn","orDisplay":true}",
        "locations.addFloors: {"guard":"create_buildings"}",
        "locations.building: {"guard":"view_buildings"}",
        "locations.buildingRecords: {"guard":"edit_buildings"}",
        "locations.client: {"guard":"view_locations"}",
        "locations.clientRecords: {"guard":"edit_locations"}",
        "locations.createBuilding: {"guard":"create_buildings"}",
        "locations.createClient: {"guard":"create_locations"}",
        "locations.floorRecords: {"guard":"edit_locations"}",
        "locations.listArchived: {"guard":"edit_locations"}",
        "locations.listBuildings: {"guard":"view_locations"}",
        "locations.listClients: {"guard":"view_locations"}",
        "locations.listFloors: {"guard":"view_locations"}",
        "locations.mine: {"guard":"signedIn"}",
        "locations.removeBuilding: {"guard":"edit_buildings"}",
        "locations.removeClient: {"guard":"edit_locations"}",
        "locations.removeFloor: {"guard":"edit_locations"}",
        "locations.renameClient: {"guard":"edit_locations"}",
        "locations.renameFloor: {"guard":"edit_locations"}",
        "locations.restoreBuilding: {"guard":"edit_buildings"}",
        "locations.restoreClient: {"guard":"edit_locations"}",
        "locations.restoreFloor: {"guard":"edit_locations"}",
        "locations.updateBuilding: {"guard":"edit_buildings"}",
        "photos.announce: {"guard":"signedIn"}",
        "photos.list: {"guard":"signedIn"}",
        "photos.remove: {"guard":"signedIn"}",
        "presence.tell: {"guard":"signedIn"}",
        "pulse.get: {"guard":"view_dashboard"}",
        "pulse.list: {"guard":"view_dashboard"}",
        "pulse.summary: {"guard":"view_dashboard"}",
        "pulse.upkeep: {"guard":"view_dashboard"}",
        "session.active: {"guard":"open"}",
        "session.beginEnrolment: {"guard":"open"}",
        "session.beginPasskeyReauthentication: {"guard":"signedIn"}",
        "session.beginPasskeySignIn: {"guard":"open"}",
        "session.changePassword: {"guard":"signedIn"}",
        "session.completeEnrolment: {"guard":"open"}",
        "session.completeSignIn: {"guard":"open"}",
        "session.followLink: {"guard":"open"}",
        "session.forgotPassword: {"guard":"open"}",
        "session.link: {"guard":"open"}",
        "session.me: {"guard":"signedIn","ahead":true}",
        "session.options: {"guard":"open"}",
        "session.reauthenticate: {"guard":"signedIn"}",
        "session.reauthenticateWithPasskey: {"guard":"signedIn"}",
        "session.reauthenticationOptions: {"guard":"signedIn"}",
        "session.setup: {"guard":"open"}",
        "session.setupState: {"guard":"open"}",
        "session.signIn: {"guard":"open"}",
        "session.signInStatus: {"guard":"manage_users"}",
        "session.signInWithPasskey: {"guard":"open"}",
        "session.signOut: {"guard":"open"}",
        "session.touch: {"guard":"signedIn"}",
        "tasks.applyTemplates: {"guard":"create_tasks","provenByCommand":true}",
        "tasks.complete: {"guard":"edit_tasks","provenByCommand":true}",
        "tasks.correct: {"guard":"edit_tasks","provenByCommand":true}",
        "tasks.coverDuty: {"guard":"edit_tasks","provenByCommand":true}",
        "tasks.create: {"guard":"create_tasks","provenByCommand":true}",
        "tasks.get: {"guard":"view_tasks"}",
        "tasks.history: {"guard":"view_tasks"}",
        "tasks.list: {"guard":"view_tasks"}",
        "tasks.mark: {"guard":"edit_tasks","provenByCommand":true}",
        "tasks.nextNumber: {"guard":"create_tasks","provenByCommand":true}",
        "tasks.overview: {"guard":"view_tasks"}",
        "tasks.reassign: {"guard":"edit_tasks","provenByCommand":true}",
        "tasks.record: {"guard":"view_tasks"}",
        "tasks.reschedule: {"guard":"edit_tasks","provenByCommand":true}",
        "tasks.responsible: {"guard":"view_tasks"}",
        "tasks.restore: {"guard":"edit_tasks","provenByCommand":true}",
        "tasks.retire: {"guard":"edit_tasks","provenByCommand":true}",
        "tasks.retireAll: {"guard":"edit_tasks","provenByCommand":true}",
        "tasks.schedule: {"guard":"edit_tasks","provenByCommand":true}",
        "tasks.templatePreview: {"guard":"create_tasks","provenByCommand":true}",
        "tasks.templates: {"guard":"create_tasks","provenByCommand":true}",
        "tasks.undo: {"guard":"edit_tasks","provenByCommand":true}",
        "tasks.update: {"guard":"edit_tasks","provenByCommand":true}",
        "users.addPasskey: {"guard":"signedIn","sensitive":true}",
        "users.addSecondFactor: {"guard":"signedIn","sensitive":true}",
        "users.allowProvider: {"guard":"manage_users","sensitive":true}",
        "users.beginPasskey: {"guard":"signedIn","sensitive":true}",
        "users.beginSecondFactor: {"guard":"signedIn","sensitive":true}",
        "users.dismissNotices: {"guard":"signedIn"}",
        "users.endMySession: {"guard":"signedIn"}",
        "users.endSessions: {"guard":"manage_users","sensitive":true}",
        "users.grant: {"guard":"manage_users","sensitive":true}",
        "users.invite: {"guard":"manage_users","sensitive":true}",
        "users.list: {"guard":"view_users","orInSetupMode":true}",
        "users.makeLink: {"guard":"manage_users","sensitive":true}",
        "users.makeRecoveryCodes: {"guard":"signedIn","sensitive":true}",
        "users.myNotices: {"guard":"signedIn"}",
        "users.myPasskeys: {"guard":"signedIn"}",
        "users.myProviderAccounts: {"guard":"signedIn"}",
        "users.mySecondFactor: {"guard":"signedIn"}",
        "users.mySessions: {"guard":"signedIn"}",
        "users.providerAccounts: {"guard":"manage_users"}",
        "users.removePasskey: {"guard":"signedIn","sensitive":true}",
        "users.removeSecondFactor: {"guard":"signedIn","sensitive":true}",
        "users.renameMe: {"guard":"signedIn"}",
        "users.renamePasskey: {"guard":"signedIn"}",
        "users.resetSecondFactor: {"guard":"manage_users","sensitive":true}",
        "users.revoke: {"guard":"manage_users","sensitive":true}",
        "users.roles: {"guard":"view_users"}",
        "users.secondFactor: {"guard":"manage_users"}",
        "users.sessions: {"guard":"manage_users"}",
        "users.setAccess: {"guard":"manage_users","sensitive":true}",
        "users.setActive: {"guard":"manage_users","sensitive":true}",
        "users.setRole: {"guard":"manage_users","orInSetupMode":true,"sensitive":true}",
        "users.unlinkProvider: {"guard":"manage_users","sensitive":true}",
        "webhooks.create: {"guard":"manage_users","sensitive":true}",
        "webhooks.deliveries: {"guard":"manage_users"}",
        "webhooks.list: {"guard":"manage_users"}",
        "webhooks.remove: {"guard":"manage_users"}",
        "webhooks.resend: {"guard":"manage_users"}",
        "webhooks.states: {"guard":"manage_users"}",
        "webhooks.switchOff: {"guard":"manage_users"}",
        "webhooks.switchOn: {"guard":"manage_users","sensitive":true}",
        "webhooks.test: {"guard":"manage_users"}",
      ]
    `);
  });
});
