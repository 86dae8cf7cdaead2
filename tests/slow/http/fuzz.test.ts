import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { dayOf } from '#shared/dates.ts';
import { uuidv7 } from '#shared/ids.ts';
import { inputsOf, type KnownIds } from '#tests/support/hostile/fuzz-input.ts';
import { createTestDatabase, type TestDatabase } from '#tests/support/postgres/database.ts';
import { seedNumber } from '#tests/support/random.ts';
import { createApiKey } from '#tests/support/rows/api-keys.ts';
import { lineOf, visitOf } from '#tests/support/rows/checks.ts';
import { createDisplay, displayHeaders, type TestDisplay } from '#tests/support/rows/displays.ts';
import { addFolder } from '#tests/support/rows/documents.ts';
import { createBuilding, createPerson, signInAs, type TestPerson } from '#tests/support/rows/factories.ts';
import { createTestClient, headersFor, type TestClient } from '#tests/support/server/client.ts';
import { PROCEDURES } from '#tests/support/server/procedures.ts';
import { startTestServer, type TestServer } from '#tests/support/server/server.ts';
import { UNREACHED_PROVIDER, WITH_UNREACHED_PROVIDER } from '#tests/support/sign-in/unreached-provider.ts';
import { createWebhook, makeSecret } from '#tests/support/webhooks/create-webhook.ts';

// Calls every procedure as an administrator with almost valid inputs: the answer is precise, never an internal error.

const RUNS = 100;
const AT_ONCE = 5;
const LIMIT = { burst: 1_000_000, perSecond: 10_000 };
/** Text that would reveal internals. */
const LEAK =
  /\bat .*\.(ts|js|mjs):\d|Failed query|\$argon2|select .* from \\?"|insert into|invalid byte|violates|constraint|PostgresError/i;

/** Procedures that are called as a display instead of as an administrator. */
const FOR_DISPLAYS = new Set(
  PROCEDURES.filter(({ meta }) => meta?.guard === 'display').map(({ path }) => path),
);
const CALLED = PROCEDURES.filter(({ type }) => type !== 'subscription');

/**
 * Procedures whose valid inputs contain something that random inputs do not find (a secret, a hash), or that need mail,
 * which is not configured here.
 */
const GUARDED = new Set([
  'session.setup',
  'session.signIn',
  'session.link',
  'session.followLink',
  'session.changePassword',
  'session.forgotPassword',
  'session.reauthenticate',
  'session.completeSignIn',
  'session.beginEnrolment',
  'session.completeEnrolment',
  // Passkeys need a host name, and a signature.
  'session.beginPasskeySignIn',
  'session.signInWithPasskey',
  'session.beginPasskeyReauthentication',
  'session.reauthenticateWithPasskey',
  'users.beginPasskey',
  'users.addPasskey',
  'users.renamePasskey',
  'users.removePasskey',
  // Nobody here has a second factor.
  'users.makeRecoveryCodes',
  // A code is random, and wrong codes are counted.
  'displays.lookUp',
  'displays.pair',
  'displays.replace',
  'photos.announce',
  'photos.remove',
  'checks.answerImported',
  // A version needs bytes, which these documents do not have.
  'documents.makeCurrent',
  'documents.link',
]);

/** A text in the form of a link's token. */
const TOKEN = 'A'.repeat(43);

let database: TestDatabase;
let server: TestServer;
let admin: TestPerson;
let display: TestDisplay;
let ids: KnownIds;
let idsOf: (path: string) => KnownIds;
/** A valid input for procedures whose random inputs are seldom valid; more inputs are made by replacing one part of it. */
let rightInput: (path: string) => Readonly<Record<string, unknown>> | undefined;

beforeAll(async () => {
  database = await createTestDatabase();
  const limits = { person: LIMIT, anonymous: LIMIT };
  server = await startTestServer(database, { limits, signIn: WITH_UNREACHED_PROVIDER });
  admin = await createPerson(server.services, { role: 'admin' });
  display = await createDisplay(server.services);
  const building = await createBuilding(server.services);
  const other = await createPerson(server.services, { role: 'manager', buildings: [building.id] });
  const client = createTestClient(server.url, await signInAs(server, admin));
  const issue = { operationId: uuidv7(), id: uuidv7(), buildingId: building.id, title: 'Here already' };
  await client.issues.create.mutate(issue);
  // Only a critical issue can be acknowledged; a second issue, because other calls change the priority of the first.
  const critical = { ...issue, operationId: uuidv7(), id: uuidv7(), priority: 'critical' as const };
  await client.issues.create.mutate(critical);
  const asset = { operationId: uuidv7(), id: uuidv7(), buildingId: building.id, floorId: null };
  await client.assets.create.mutate({ ...asset, name: 'Pump', description: 'Here already' });
  // A floor with an asset is archived and can be restored; an empty one would be deleted.
  await client.locations.addFloors.mutate({ operationId: uuidv7(), buildingId: building.id, floors: 1 });
  const [floor] = (await client.locations.listFloors.query({ buildingId: building.id })).data;
  if (floor === undefined) throw new Error('no floor was added');
  const above = { operationId: uuidv7(), id: uuidv7(), buildingId: building.id, floorId: floor.id };
  await client.assets.create.mutate({ ...above, name: 'Light', description: 'Here already' });
  const known = { buildingId: building.id, buildingIds: building.id, userId: other.id, assignedTo: other.id };
  const provider = UNREACHED_PROVIDER.id;
  ids = { ...known, provider, token: TOKEN, email: 'new@example.com', id: issue.id, issueId: issue.id };
  // Separate buildings, because the calls archive and restore them; with an issue each, or they would be deleted.
  const [spare, another] = [await createBuilding(server.services), await createBuilding(server.services)];
  for (const { id: buildingId } of [spare, another]) {
    await client.issues.create.mutate({ ...issue, operationId: uuidv7(), id: uuidv7(), buildingId });
  }
  // An entry that can be amended, and a record that waits for a decision.
  const outlet = { ...asset, operationId: uuidv7(), id: uuidv7(), type: 'water_outlet' as const };
  await client.assets.create.mutate({ ...outlet, name: 'Tap', description: 'Here already' });
  const line = lineOf('fire_alarm_test', 'pass', outlet.id);
  const now = new Date().toISOString();
  const visit = { buildingId: building.id, now, entries: [line] };
  await client.checks.record.mutate(visitOf('fire_alarm_test', visit));
  const operative = await createPerson(server.services, { role: 'operative' });
  const held = visitOf('outlet_flushing', {
    ...visit,
    entries: [lineOf('outlet_flushing', 'pass', outlet.id)],
  });
  const theirs = createTestClient(server.url, await signInAs(server, operative));
  await theirs.checks.record.mutate(held);
  const apiKey = await createApiKey(client);
  const newApiKey = {
    ...{ operationId: uuidv7(), hash: 'a'.repeat(64), name: 'Fuzz', permissions: ['view_assets'], days: 30 },
    ...{ allBuildings: false, buildingIds: [building.id] },
  };
  const rightWebhookInput = await rightWebhookInputs(client, building.id);
  const rightDisplayInput = await rightDisplayInputs();
  const rightDocumentInput = await rightDocumentInputs(client, building.id);
  const rightTaskInput = await rightTaskInputs(client, building.id);
  rightInput = (path) => {
    if (path.startsWith('tasks.')) return rightTaskInput(path);
    if (path.startsWith('documents.')) return rightDocumentInput(path);
    if (path === 'presence.tell') {
      return { window: uuidv7(), n: 1, at: { kind: 'issue', id: issue.id, part: 'description' } };
    }
    if (path.startsWith('displays.')) return rightDisplayInput(path);
    if (path.startsWith('webhooks.')) return rightWebhookInput(path);
    if (path === 'apiKeys.create') return { ...newApiKey, id: uuidv7() };
    if (path === 'apiKeys.revoke') return { operationId: uuidv7(), id: apiKey.id };
    const entry = lineOf('fire_alarm_test', 'pass', outlet.id);
    if (path === 'checks.record') return visitOf('fire_alarm_test', { ...visit, entries: [entry] });
    const correction = {
      kind: 'fire_alarm_test',
      operationId: uuidv7(),
      entryId: line.id,
      reason: 'Misread',
    };
    return path === 'checks.amend' ? { ...correction, entry } : undefined;
  };
  idsOf = (path) => {
    if (path === 'issues.acknowledge') return { ...ids, id: critical.id };
    if (path === 'checks.decideHeld') return { ...known, id: held.visitId };
    if (path === 'checks.addTestPoint') return known;
    if (path.startsWith('checks.')) {
      const days = { visitDate: dayOf(now), day: '2025-03-05', from: '2099-01-01' };
      return {
        ...known,
        ...days,
        issueId: issue.id,
        entryId: line.id,
        outletId: outlet.id,
        assetId: outlet.id,
      };
    }
    if (path.startsWith('assets.')) {
      // A copy has an id of its own.
      const id = path === 'assets.duplicate' ? undefined : { id: asset.id };
      return { ...known, ...id, sourceId: asset.id };
    }
    if (path.startsWith('locations.') && path.includes('lient')) return { ...ids, id: spare.clientId };
    if (/^locations\..*[fF]loor/.test(path) && !path.endsWith('Floors')) return { ...ids, id: floor.id };
    if (path.startsWith('locations.')) return { ...ids, id: another.id };
    return ids;
  };
});
afterAll(async () => {
  await server.stop();
  await database.drop();
});

/** A valid input for each procedure of tasks; each has a completed task of its own, because most of them change it. */
async function rightTaskInputs(client: TestClient, buildingId: string) {
  const day = dayOf(Date.now());
  const fields = { complianceSystem: 'Fire Alarm', taskDescription: 'Service', frequency: 'weekly' };
  const reason = 'A reason';
  const inputs = new Map<string, Readonly<Record<string, unknown>>>();
  for (const { path, type } of CALLED.filter((each) => each.path.startsWith('tasks.'))) {
    const id = uuidv7();
    const created = { operationId: uuidv7(), id, buildingId, ...fields };
    await client.tasks.create.mutate(created);
    await client.tasks.complete.mutate({ operationId: uuidv7(), id, occurrence: 1, day });
    const { due, occurrence, completionId } = (await client.tasks.get.query({ id })).data;
    const ofPath: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
      'tasks.get': { id },
      'tasks.record': { id },
      'tasks.history': { id },
      'tasks.create': { ...created, operationId: uuidv7(), id: uuidv7() },
      'tasks.applyTemplates': { buildingId, templateIds: ['eicr-commercial'] },
      'tasks.templatePreview': { buildingId, templateIds: ['eicr-commercial'] },
      'tasks.coverDuty': { id, templateId: 'asbestos-register-review' },
      'tasks.update': {
        id,
        changes: { taskDescription: { from: 'Service', to: 'Service by a contractor' } },
      },
      'tasks.complete': { id, occurrence, day },
      'tasks.correct': { id, occurrence, day },
      'tasks.schedule': { id, due: { from: due, to: day } },
      'tasks.mark': { id, reason },
      'tasks.undo': { id, lineId: completionId, reason },
      'tasks.retire': { id, reason },
      'tasks.restore': { id },
      'tasks.reassign': { ids: [id], responsiblePerson: 'Ann Weber' },
      'tasks.reschedule': { tasks: [{ id, occurrence }], due: day },
      'tasks.retireAll': { ids: [id], reason },
    };
    const right = ofPath[path];
    const operation = type === 'mutation' ? { operationId: uuidv7() } : {};
    if (right !== undefined) inputs.set(path, { ...operation, ...right });
  }
  return (path: string) => inputs.get(path);
}

/** Valid inputs for webhooks, whose addresses lead nowhere. */
async function rightWebhookInputs(client: TestClient, buildingId: string) {
  const url = 'https://hooks.invalid/lintel';
  // A separate webhook for each procedure that would make it useless for the others.
  const { id } = await createWebhook(client, { url });
  const switched = await createWebhook(client, { url });
  const removed = await createWebhook(client, { url });
  const created = {
    ...{ name: 'Fuzz', url, secret: makeSecret(), permissions: ['view_assets'] },
    ...{ allBuildings: false, buildingIds: [buildingId] },
  };
  return (path: string) => {
    if (path === 'webhooks.create') return { ...created, operationId: uuidv7(), id: uuidv7() };
    if (path === 'webhooks.remove') return { operationId: uuidv7(), id: removed.id };
    if (path.startsWith('webhooks.switch')) return { operationId: uuidv7(), id: switched.id };
    return path === 'webhooks.test' || path === 'webhooks.deliveries'
      ? { id }
      : { operationId: uuidv7(), id };
  };
}

/** A valid input for each command that changes a display; each has a display of its own. */
async function rightDisplayInputs() {
  const inputs = new Map<string, Readonly<Record<string, unknown>>>();
  const ofPath: Readonly<Record<string, object>> = {
    'displays.update': { changes: { name: { from: 'Reception', to: 'Lobby' } } },
    'displays.pause': { paused: true },
    'displays.reload': {},
    'displays.unpair': {},
  };
  for (const [path, input] of Object.entries(ofPath)) {
    const { id } = await createDisplay(server.services);
    inputs.set(path, { operationId: uuidv7(), id, ...input });
  }
  return (path: string) => inputs.get(path);
}

/** A valid input for each procedure of documents; each has a folder of its own. */
async function rightDocumentInputs(client: TestClient, buildingId: string) {
  const place = { at: 'discipline', disciplineId: null };
  const inputs = new Map<string, Readonly<Record<string, unknown>>>();
  for (const { path, type } of CALLED.filter((each) => each.path.startsWith('documents.'))) {
    const id = await addFolder(client, { buildingId });
    const created = { id: uuidv7(), buildingId, place, name: `Fuzz ${id}`, color: 'red' };
    const ofPath: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
      'documents.root': { buildingId },
      'documents.list': {
        buildingId,
        place: { at: 'building' },
        search: 'fuzz',
        expiry: 'all',
        sort: 'size',
      },
      'documents.path': { folderId: id },
      'documents.byId': { id },
      'documents.ofTask': { taskId: id },
      'documents.subtree': { ids: [id] },
      'documents.archiveLink': { ids: [id] },
      'documents.bin': { buildingId },
      'documents.sameNames': { buildingId, place, names: ['Plan.pdf'] },
      'documents.createFolder': created,
      'documents.createFolders': { buildingId, place, paths: [['Fuzz', 'Below']] },
      'documents.update': { id, changes: { description: { from: null, to: 'Seen' } } },
      'documents.move': {
        buildingId,
        ids: [id],
        to: { at: 'folder', folderId: await addFolder(client, { buildingId }) },
      },
      'documents.remove': { buildingId, ids: [id] },
      'documents.restore': { id },
    };
    const right = ofPath[path];
    const operation = type === 'mutation' ? { operationId: uuidv7() } : {};
    if (right !== undefined) inputs.set(path, { ...operation, ...right });
  }
  return (path: string) => inputs.get(path);
}

async function send(path: string, type: string, body: string, cookie: string): Promise<Response> {
  const isForDisplays = FOR_DISPLAYS.has(path);
  const headers = isForDisplays ? displayHeaders(server.url, display) : headersFor(server.url, cookie);
  if (type === 'query') {
    // Node itself refuses a long address, before any code of ours.
    return fetch(`${server.url}/trpc/${path}?input=${encodeURIComponent(body)}`, { headers });
  }
  return fetch(`${server.url}/trpc/${path}`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body,
  });
}

/** Copies of the valid input, each with one part of another input. */
function nearlyRight(right: Readonly<Record<string, unknown>>, others: readonly string[]): string[] {
  const keys = Object.keys(right);
  return others.map((other, n) => {
    const key = keys[n % keys.length] ?? '';
    // The operation id is always new, because a second use would be refused.
    const given = key === 'operationId' ? uuidv7() : asObject(other)[key];
    return JSON.stringify({ ...right, operationId: uuidv7(), [key]: given });
  });
}

function asObject(text: string): Readonly<Record<string, unknown>> {
  try {
    return Object(JSON.parse(text));
  } catch {
    return {};
  }
}

/** @returns whether the call reached the rows: it succeeded, or was in conflict with them */
async function judge(response: Response, about: string): Promise<boolean> {
  const text = await response.text();
  if (response.ok) return true;
  const told = `${about}\n→ ${response.status} ${text}`.slice(0, 2_000);
  expect(response.status, told).toBeLessThan(500);
  expect(text, told).not.toMatch(LEAK);
  if (response.status === 431) return false;
  const { error } = JSON.parse(text) as { error: { data: { app: { code: string } } } };
  expect(error.data.app.code, told).toMatch(/^[a-z_]+$/);
  expect(error.data.app.code, told).not.toBe('internal');
  return error.data.app.code === 'conflict';
}

test.each(CALLED)('$path answers precisely whatever it is given', async ({ path, type, inputs }) => {
  // A session for each procedure, because one of them ends its session.
  const cookie = await signInAs(server, admin);
  const [schema] = inputs;
  const bodies =
    schema === undefined
      ? ['null', '{}', '[]', '"text"', '1e400']
      : // Different ids for each procedure: the second use of an operation id is refused.
        fc.sample(inputsOf(schema, idsOf(path)), { numRuns: RUNS, seed: seedNumber(path) });
  const right = rightInput(path);
  if (right !== undefined) bodies.push(...nearlyRight(right, bodies), JSON.stringify(right));
  let reached = 0;
  // A few at a time, so that calls overlap and the test is faster.
  for (let from = 0; from < bodies.length; from += AT_ONCE) {
    const some = bodies.slice(from, from + AT_ONCE).map(async (body) => {
      const response = await send(path, type, body, cookie);
      return judge(response, `${path} ${body.slice(0, 600)}`);
    });
    reached += (await Promise.all(some)).filter(Boolean).length;
  }
  // Otherwise no code after the validation would have been tested.
  if (schema !== undefined && !GUARDED.has(path)) expect(reached).toBeGreaterThan(0);
});

describe('what is no input at all', () => {
  test.each([
    ['half of it', '{"operationId":"'],
    ['nothing', ''],
    ['a list', '[]'],
    ['a text', '"text"'],
    ['null', 'null'],
    ['ten thousand levels', `${'['.repeat(10_000)}${']'.repeat(10_000)}`],
    ['a hundred thousand digits', '9'.repeat(100_000)],
  ])('%s is refused', async (_what, body) => {
    const response = await send('issues.create', 'mutation', body, await signInAs(server, admin));
    expect(response.ok).toBe(false);
    await judge(response, body.slice(0, 100));
  });

  test.each([
    '__proto__',
    'constructor',
    'toString',
    'issues',
    'issues.__proto__',
    'issues.constructor.name',
    '%00',
    '%E0%A4%A',
  ])('a procedure called %s is not there', async (path) => {
    const response = await send(path, 'mutation', '{}', await signInAs(server, admin));
    expect(response.ok).toBe(false);
    await judge(response, path);
  });
});

test('nothing of it was unexpected, and the server is as well as before', async () => {
  expect((await fetch(`${server.url}/readyz`)).status).toBe(200);
  expect(server.logged.filter((line) => line.includes('unexpected'))).toEqual([]);
});
