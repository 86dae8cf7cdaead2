import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { periodOf } from '#shared/check-periods.ts';
import { addDays, dayOf } from '#shared/dates.ts';
import { PHOTOS_MAX } from '#shared/features/photos/photos.vocabulary.ts';
import { uuidv7 } from '#shared/ids.ts';
import type { LiveEvent } from '#shared/live/live.ts';
import { type LiveEntity, liveEntities } from '#shared/live/live-entities.ts';
import { ROLES, type Role } from '#shared/permissions.ts';
import {
  createLiveSetting,
  type LiveSetting,
  type SignedInPerson,
} from '#tests/support/live/live-setting.ts';
import { createApiKey } from '#tests/support/rows/api-keys.ts';
import { lineOf, visitOf } from '#tests/support/rows/checks.ts';
import { createDisplay } from '#tests/support/rows/displays.ts';
import { addFolder } from '#tests/support/rows/documents.ts';
import { createPerson, TEST_PASSWORD } from '#tests/support/rows/factories.ts';
import { announcement, picture, putPhoto } from '#tests/support/rows/photos.ts';
import { createTestClient, type TestClient } from '#tests/support/server/client.ts';
import { bringUnsent, unsentFileOf } from '#tests/support/server/unsent.ts';
import { createWebhook } from '#tests/support/webhooks/create-webhook.ts';

// The stream, queries, the refusal of a command and a photo disclose the same to a person.

let setting: LiveSetting;
let dataDir: string;
let roles: Record<Role, SignedInPerson>;

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'lintel-same-answer-'));
  setting = await createLiveSetting({ env: { dataDir } });
  const { here } = setting;
  const people = ROLES.map(async (role) => [role, await setting.someone(role, [here])] as const);
  roles = Object.fromEntries(await Promise.all(people)) as Record<Role, SignedInPerson>;
});
afterAll(async () => {
  await setting.end();
  await rm(dataDir, { recursive: true, force: true });
});

const operation = () => ({ operationId: uuidv7() });
const KIND = 'fire_alarm_test' as const;

async function recorded(by: TestClient, buildingId: string, photoIds: string[] = []) {
  const place = { assetId: null, locationTested: `Point ${uuidv7()}` };
  const line = { ...lineOf(KIND, 'fail', uuidv7()), ...place, photoIds };
  const now = setting.server.services.clock.now().toISOString();
  const visit = visitOf(KIND, { buildingId, now, entries: [line] });
  return { line, visit, receipt: await by.checks.record.mutate(visit) };
}

type Row = { id: string } & Record<string, unknown>;
/** Returns a row as the person's own queries answer it; undefined when they do not. */
type Asked = (client: TestClient, row: Row) => Promise<object | null | undefined>;
type Probe = { cause(): Promise<unknown>; asked: Asked };

const oneOf = <R extends { id: string }>(rows: readonly R[], { id }: Row) =>
  rows.find((row) => row.id === id);
const dayBefore = (days: number) => addDays(dayOf(setting.server.services.clock.now()), -days);
const logOf = (client: TestClient, day = dayBefore(0)) =>
  client.checks.logYear.query({
    kind: KIND,
    year: periodOf('weekly', day).year,
    buildingId: setting.here.id,
  });

/** For each live entity: a change of a row, and the query that returns it. */
const PROBES: { readonly [E in LiveEntity]: Probe } = {
  issue: {
    cause: () => setting.report(setting.here),
    asked: async (client, { id }) => (await client.issues.get.query({ id })).data,
  },
  issueComment: {
    async cause() {
      const issueId = await setting.report(setting.here);
      await roles.manager.client.issues.comment.mutate({
        ...operation(),
        id: uuidv7(),
        issueId,
        body: 'Seen',
      });
    },
    asked: async (client, row) =>
      oneOf((await client.issues.comments.query({ id: String(row['issueId']) })).data, row),
  },
  asset: {
    cause: () =>
      roles.admin.client.assets.create.mutate({
        ...operation(),
        id: uuidv7(),
        buildingId: setting.here.id,
        name: 'Boiler',
        description: 'In the cellar',
      }),
    asked: async (client, { id }) => (await client.assets.get.query({ id })).data,
  },
  client: {
    cause: () => roles.admin.client.locations.createClient.mutate({ ...operation(), name: 'Harbour Trust' }),
    asked: async (client, { id }) => (await client.locations.client.query({ id })).data,
  },
  building: {
    cause: () => moveHere('1 Quay Street'),
    asked: async (client, { id }) => (await client.locations.building.query({ id })).data,
  },
  place: {
    cause: () => moveHere('2 Quay Street'),
    async asked(client, row) {
      const { data: year } = await logOf(client);
      return { ...oneOf((await client.locations.mine.query()).data, row), isHealthcare: year.healthcare };
    },
  },
  person: {
    cause: () =>
      roles.viewer.client.users.renameMe.mutate({ ...operation(), firstName: 'Vera', lastName: 'Lund' }),
    async asked(client, row) {
      const { data: me } = await client.session.me.query();
      if (me.id === row.id) return me;
      return oneOf((await client.users.list.query()).data, row);
    },
  },
  discipline: {
    cause: () =>
      roles.admin.client.documents.disciplines.add.mutate({ ...operation(), id: uuidv7(), name: 'Lifts' }),
    asked: async (client, row) => oneOf((await client.documents.disciplines.list.query()).data, row),
  },
  document: {
    cause: () => addFolder(roles.admin.client, { buildingId: setting.here.id }),
    asked: async (client, { id }) => (await client.documents.byId.query({ id })).data.document,
  },
  display: {
    async cause() {
      const { id } = await createDisplay(setting.server.services);
      await roles.admin.client.displays.pause.mutate({ ...operation(), id, paused: true });
    },
    asked: async (client, row) => oneOf((await client.displays.list.query()).data, row),
  },
  apiKey: {
    cause: () => createApiKey(roles.admin.client),
    asked: async (client, row) => oneOf((await client.apiKeys.list.query()).data, row),
  },
  webhook: {
    cause: () => createWebhook(roles.admin.client, { url: 'https://hooks.example.com/lintel' }),
    asked: async (client, row) => oneOf((await client.webhooks.list.query()).data, row),
  },
  photo: {
    async cause() {
      const bytes = picture();
      const photo = announcement(bytes, { visitId: '' });
      const { visit } = await recorded(roles.operative.client, setting.here.id, [photo.id]);
      await roles.operative.client.photos.announce.mutate({ ...photo, of: { visitId: visit.visitId } });
      await putPhoto(setting.server.url, roles.operative.cookie, photo.id, 0, bytes);
    },
    asked: async (client, row) =>
      oneOf((await client.photos.list.query({ on: 'check', onId: String(row['onId']) })).data, row),
  },
  checkVisit: {
    cause: () => recorded(roles.operative.client, setting.here.id),
    asked: async (client, row) => oneOf((await logOf(client)).data.visits, row),
  },
  missedPeriod: {
    cause: () =>
      roles.manager.client.checks.explainMissed.mutate({
        ...operation(),
        id: uuidv7(),
        buildingId: setting.here.id,
        kind: KIND,
        reason: 'Closed',
        day: dayBefore(8),
      }),
    asked: async (client, row) => oneOf((await logOf(client, String(row['start']))).data.missed, row),
  },
  testPoint: {
    cause: () =>
      roles.operative.client.checks.addTestPoint.mutate({
        ...operation(),
        id: uuidv7(),
        buildingId: setting.here.id,
        name: 'Yard',
      }),
    async asked(client, row) {
      const found = (await logOf(client)).data.subjects.find(({ name }) => name === row['name']);
      return found && { name: found.name };
    },
  },
  heldCheck: {
    cause: () => recorded(roles.operative.client, setting.there.id),
    asked: async (client, row) => {
      const mine = oneOf((await client.checks.heldOfMine.query()).data, row);
      return mine ?? oneOf((await client.checks.held.query()).data.visits, row);
    },
  },
  importedCheck: {
    async cause() {
      const line = { ...lineOf(KIND, 'pass', uuidv7()), assetId: null };
      const now = setting.server.services.clock.now().toISOString();
      const visit = visitOf(KIND, { buildingId: setting.here.id, now, entries: [line] });
      const file = unsentFileOf(roles.operative.id, 'checks.record', visit);
      await bringUnsent(setting.server.url, roles.admin.cookie, file);
    },
    asked: async (client, row) => oneOf((await client.checks.importedOfMine.query()).data, row),
  },
  session: {
    async cause() {
      const { id } = await setting.someone('viewer');
      await roles.admin.client.users.endSessions.mutate({ ...operation(), userId: id });
    },
    asked: async (client, { id }) => (await client.users.sessions.query({ userId: id })).data,
  },
  signIn: {
    async cause() {
      const { services, url } = setting.server;
      const { email } = await createPerson(services, { role: 'viewer', password: TEST_PASSWORD });
      await createTestClient(url).session.signIn.mutate({ email, password: TEST_PASSWORD });
    },
    async asked(client, { id }) {
      const { data } = await client.activity.list.query({ filter: { entity: 'signIn' }, limit: 5 });
      const entry = data.entries.find(({ entityId }) => entityId === id);
      const [, address, device] = /^from (\S+) \((.+)\)$/.exec(entry?.subject ?? '') ?? [];
      return entry && { id, userId: entry.actorId, address, device, link: null, provider: null, version: 1 };
    },
  },
  notice: {
    cause: () => roles.admin.client.users.makeLink.mutate({ ...operation(), userId: roles.viewer.id }),
    asked: async (client) => (await client.users.myNotices.query()).data[0],
  },
  task: {
    cause: () =>
      roles.manager.client.tasks.create.mutate({
        ...operation(),
        id: uuidv7(),
        buildingId: setting.here.id,
        complianceSystem: 'Lifts',
        taskDescription: 'Thorough examination',
        frequency: 'biannually',
        lastDone: dayBefore(400),
      }),
    asked: async (client, { id }) => (await client.tasks.get.query({ id })).data,
  },
  buildingPulse: {
    cause: () => setting.report(setting.here),
    asked: async (client, { id }) => (await client.pulse.get.query({ buildingId: id })).data,
  },
  raisedIssue: {
    async cause() {
      const { receipt } = await recorded(roles.operative.client, setting.here.id);
      const issueId = receipt.raised[0]?.issueId ?? '';
      await roles.manager.client.issues.comment.mutate({
        ...operation(),
        id: uuidv7(),
        issueId,
        body: 'Coming',
      });
    },
    asked: async (client, { id }) =>
      (await client.checks.raisedByMine.query()).data.find(({ issueId }) => issueId === id),
  },
};

async function moveHere(to: string): Promise<void> {
  const { id } = setting.here;
  const { data } = await setting.admin.client.locations.building.query({ id });
  const address = { from: data?.address ?? null, to };
  const name = { from: data?.name ?? '', to: `Here at ${to}` };
  await setting.admin.client.locations.updateBuilding.mutate({
    ...operation(),
    id,
    changes: { address, name },
  });
}

/**
 * Makes a change that all people at the site receive.
 * @returns the resulting version
 */
async function mark(): Promise<number> {
  const { id } = setting.here;
  const { data } = await setting.admin.client.locations.building.query({ id });
  const isHealthcare = { from: data?.isHealthcare ?? false, to: data?.isHealthcare !== true };
  const changes = { isHealthcare };
  return (await setting.admin.client.locations.updateBuilding.mutate({ ...operation(), id, changes }))
    .version;
}

/** Fields of an event that no query repeats, because they do not describe the row or follow from the reader. */
const NOT_SHOWN: Partial<Record<LiveEntity, readonly string[]>> = {
  // The person's own account: `session.me` leaves out fields that are fixed for a signed-in person, and has another
  // version.
  person: ['createdAt', 'deactivatedAt', 'invitedAt', 'version'],
  // For a row in use, `archivedAt` is null.
  place: ['archivedAt', 'version'],
  // The log names its subjects; building and kind are the query's input.
  testPoint: ['id', 'buildingId', 'kind', 'version'],
};
/** Fields of a held record that both lists return; each of the two lists returns only some of the others. */
const HELD_SHOWN = ['id', 'kind', 'visitDate', 'receivedAt'];

function expectShown(event: LiveEvent, shown: object | null | undefined, what: string): void {
  expect(shown, what).toBeTruthy();
  if (event.op !== 'put' || !('row' in event)) return;
  const hidden = NOT_SHOWN[event.entity] ?? [];
  for (const [field, value] of Object.entries(event.row)) {
    if (hidden.includes(field)) continue;
    if (event.entity === 'heldCheck' && !HELD_SHOWN.includes(field) && !(field in (shown ?? {}))) continue;
    expect(Reflect.get(shown ?? {}, field), `${what}, ${field}`).toEqual(value);
  }
}

describe('the stream tells each role what its own queries answer', () => {
  test.each(Object.keys(liveEntities) as LiveEntity[])('%s', async (entity) => {
    const { cause, asked } = PROBES[entity];
    const streams = await Promise.all(
      ROLES.map(async (role) => ({ role, stream: await setting.followed(roles[role].cookie) })),
    );
    await cause();
    // One more change that all streams receive: earlier events have arrived once it has.
    const marked = await mark();
    let heard = 0;
    for (const { role, stream } of streams) {
      const heardMark = () =>
        stream.events.some(({ entity: of, version }) => of === 'place' && version === marked);
      await expect.poll(heardMark).toBe(true);
      const last = new Map(
        stream.events.filter((event) => event.entity === entity).map((event) => [event.entityId, event]),
      );
      for (const event of last.values()) {
        heard += 1;
        const row = ('row' in event ? event.row : { id: event.entityId }) as Row;
        expectShown(event, await asked(roles[role].client, row), `${entity} as ${role}`);
      }
    }
    expect(heard).toBeGreaterThan(0);
    await setting.closeStreams();
  });
});

test('an operative hears a building by name, and neither its address nor its code', async () => {
  const stream = await setting.followed(roles.operative.cookie);
  await moveHere('14 Secret Lane');
  await expect.poll(() => stream.events.map(({ entity }) => entity)).toContain('place');
  const told = JSON.stringify(stream.events);
  expect(told).not.toContain('"14 Secret Lane"');
  expect(told).not.toContain(setting.here.code);
  await setting.closeStreams();
});

test("correcting another's failed check tells nothing of its issue but the number", async () => {
  const { operative, manager } = roles;
  const other = await setting.someone('operative', [setting.here]);
  const { line, receipt } = await recorded(operative.client, setting.here.id);
  const issueId = receipt.raised[0]?.issueId ?? '';
  await manager.client.issues.comment.mutate({
    ...operation(),
    id: uuidv7(),
    issueId,
    body: 'Burgled twice',
  });
  const entry = { ...line, id: uuidv7(), notes: 'I look at it' };
  const amend = { ...operation(), kind: KIND, entryId: line.id, reason: 'Curious', entry };
  await other.client.checks.amend.mutate(amend);
  const { data } = await other.client.checks.thread.query({ entryId: entry.id });
  expect(data.issue).toEqual({ id: issueId, referenceNumber: receipt.raised[0]?.referenceNumber });
  expect((await other.client.checks.raisedByMine.query()).data).toEqual([]);
});

test('the recorder of a check hears no more of its issue once the site is lost', async () => {
  const leaver = await setting.someone('operative', [setting.here]);
  const { receipt } = await recorded(leaver.client, setting.here.id);
  const issueId = receipt.raised[0]?.issueId ?? '';
  const access = { userId: leaver.id, buildingId: setting.here.id };
  await setting.admin.client.users.revoke.mutate({ ...operation(), ...access });
  const stream = await setting.followed(leaver.cookie);
  await roles.manager.client.issues.comment.mutate({ ...operation(), id: uuidv7(), issueId, body: 'Later' });
  // Access is granted again, which is announced after the comment.
  await setting.admin.client.users.grant.mutate({ ...operation(), ...access });
  await expect.poll(() => stream.frames.some(({ access: changed }) => changed !== undefined)).toBe(true);
  expect(stream.events.filter(({ entity }) => entity === 'raisedIssue')).toEqual([]);
  await setting.closeStreams();
});

describe('a photo of a held record', () => {
  async function held(buildingId: string) {
    const bytes = picture();
    const photo = announcement(bytes, { visitId: '' });
    const made = await recorded(roles.operative.client, buildingId, [photo.id]);
    expect(made.receipt.held).toBe(true);
    return { ...made, bytes, photo: { ...photo, of: { visitId: made.visit.visitId } } };
  }

  test('is announced alike whether the site exists or not', async () => {
    const answers = [];
    for (const id of [setting.there.id, uuidv7()]) {
      const { photo } = await held(id);
      const { received, stored, version } = await roles.operative.client.photos.announce.mutate(photo);
      answers.push({ received, stored, version });
    }
    expect(answers[1]).toEqual(answers[0]);
  });

  test('reaches the people of that site with the record, and not before', async () => {
    const neighbour = await setting.someone('manager', [setting.there]);
    const stream = await setting.followed(neighbour.cookie);
    const { line, visit, bytes, photo } = await held(setting.there.id);
    await roles.operative.client.photos.announce.mutate(photo);
    await putPhoto(setting.server.url, roles.operative.cookie, photo.id, 0, bytes);
    const place = { on: 'check', onId: line.id } as const;
    expect((await neighbour.client.photos.list.query(place)).data).toEqual([]);
    const bytesOf = (cookie: string) =>
      fetch(`${setting.server.url}/files/photos/${photo.id}`, { headers: { cookie } }).then(
        ({ status }) => status,
      );
    expect([await bytesOf(neighbour.cookie), await bytesOf(setting.admin.cookie)]).toEqual([404, 200]);
    expect((await setting.admin.client.photos.list.query(place)).data).toMatchObject([
      { id: photo.id, buildingId: null },
    ]);
    await setting.admin.client.checks.decideHeld.mutate({ ...operation(), id: visit.visitId, accept: true });
    await expect
      .poll(() => stream.events.map(({ entity }) => entity))
      .toEqual(['issue', 'checkVisit', 'photo', 'buildingPulse']);
    expect((await neighbour.client.photos.list.query(place)).data).toMatchObject([
      { id: photo.id, buildingId: setting.there.id },
    ]);
    expect(await bytesOf(neighbour.cookie)).toBe(200);
    await setting.closeStreams();
  });

  test('that names an entry of another record is not attached to it, and uses none of its quota', async () => {
    const { operative, manager } = roles;
    const bytes = picture();
    const photo = announcement(bytes, { visitId: '' });
    const { line, visit } = await recorded(manager.client, setting.here.id, [photo.id]);
    const many = Array.from({ length: PHOTOS_MAX }, () => announcement(bytes, { visitId: '' }));
    const now = setting.server.services.clock.now().toISOString();
    const entries = [{ ...line, photoIds: many.map(({ id }) => id) }];
    const forged = visitOf(KIND, { buildingId: uuidv7(), now, entries });
    await operative.client.checks.record.mutate(forged);
    for (const each of many) {
      await operative.client.photos.announce.mutate({ ...each, of: { visitId: forged.visitId } });
      await putPhoto(setting.server.url, operative.cookie, each.id, 0, bytes);
    }
    const listed = async ({ client }: SignedInPerson) =>
      (await client.photos.list.query({ on: 'check', onId: line.id })).data.map(({ id }) => id);
    expect([await listed(manager), await listed(setting.admin)]).toEqual([[], []]);
    await manager.client.photos.announce.mutate({ ...photo, of: { visitId: visit.visitId } });
    await putPhoto(setting.server.url, manager.cookie, photo.id, 0, bytes);
    expect([await listed(manager), await listed(setting.admin)]).toEqual([[photo.id], [photo.id]]);
  });
});
