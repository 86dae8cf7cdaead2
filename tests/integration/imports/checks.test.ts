import { parse } from 'csv-parse/sync';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { importedMessages } from '#shared/features/checks/imported-messages.ts';
import { uuidv7 } from '#shared/ids.ts';
import { importMessages } from '#shared/offline/import-messages.ts';
import { createLiveSetting, type LiveSetting } from '#tests/support/live/live-setting.ts';
import { lineOf, visitOf } from '#tests/support/rows/checks.ts';
import { createPerson, signInAs } from '#tests/support/rows/factories.ts';
import { createTestClient, refusalOf, type TestClient } from '#tests/support/server/client.ts';
import { download } from '#tests/support/server/files.ts';
import { bringUnsent, unsentFileOf } from '#tests/support/server/unsent.ts';

// An imported file can claim anything, so its records are marked until the person named in it has answered.

const KIND = 'fire_alarm_test' as const;
const operation = () => ({ operationId: uuidv7() });

let setting: LiveSetting;
let office: { cookie: string; client: TestClient };

beforeAll(async () => {
  setting = await createLiveSetting();
  const person = { role: 'admin', firstName: 'Ada', lastName: 'Lovell' };
  const cookie = await signInAs(setting.server, await createPerson(setting.server.services, person));
  office = { cookie, client: createTestClient(setting.server.url, cookie) };
});
afterAll(() => setting.end());

function checkAt(buildingId: string) {
  const now = setting.server.services.clock.now().toISOString();
  const line = { ...lineOf(KIND, 'pass', uuidv7()), assetId: null, locationTested: 'Front Door' };
  return { line, visit: visitOf(KIND, { buildingId, now, entries: [line] }) };
}

const bring = (personId: string, command: string, input: { operationId: string }) =>
  bringUnsent(setting.server.url, office.cookie, unsentFileOf(personId, command, input));

async function forged() {
  const manager = await setting.someone('manager', [setting.here]);
  const { line, visit } = checkAt(setting.here.id);
  expect(await bring(manager.id, 'checks.record', visit)).toMatchObject({ imported: 1, refused: [] });
  return { manager, line, visit };
}

async function inLog(id: string) {
  const { data } = await office.client.checks.logRecords.query({ filter: { kind: KIND }, limit: 200 });
  return data.visits.find((visit) => visit.id === id);
}

async function inFile(logNumber: number | undefined) {
  const filter = { kind: KIND, buildingId: setting.here.id };
  const text = await (await download(setting.server.url, office.cookie, 'checks', filter)).text();
  const rows = parse(text, { columns: true, bom: true }) as Record<string, string>[];
  return rows.find((row) => row['Record'] === String(logNumber))?.['Imported'];
}

describe('a check that came by a file', () => {
  test('says so in list, thread and file, and in Activity who brought it', async () => {
    const { line, visit } = await forged();
    const imported = { byName: 'Ada Lovell', state: 'unconfirmed' };
    const row = await inLog(visit.visitId);
    expect(row?.imported).toEqual(imported);
    const { data: thread } = await office.client.checks.thread.query({ entryId: line.id });
    expect([thread.visit.imported, thread.story[0]?.visit.imported]).toEqual([imported, imported]);
    expect(await inFile(row?.logNumber)).toBe('Imported by Ada Lovell, not confirmed');
    const told = async () => {
      const { data } = await office.client.activity.list.query({ filter: { entity: 'checkVisit' } });
      const entry = data.entries.find(({ entityId }) => entityId === visit.visitId);
      return [entry?.command, data.names[entry?.actorId ?? '']];
    };
    await expect.poll(told).toEqual(['checks.record.imported', 'Ada Lovell']);
  });

  test('is confirmed by the person whom it names, live, once, and by no other', async () => {
    const { manager, visit } = await forged();
    const answer = { id: visit.visitId, confirmed: true };
    const stranger = await setting.someone('manager', [setting.here]);
    for (const { client } of [stranger, office]) {
      const refusal = refusalOf(client.checks.answerImported.mutate({ ...operation(), ...answer }));
      expect(await refusal).toMatchObject({ code: 'not_found' });
    }
    expect((await stranger.client.checks.importedOfMine.query()).data).toEqual([]);
    expect((await manager.client.checks.importedOfMine.query()).data).toMatchObject([
      { id: visit.visitId, state: 'unconfirmed', visit: { buildingName: 'Here', subjects: ['Front Door'] } },
    ]);
    const viewer = await setting.someone('viewer', [setting.here]);
    const stream = await setting.followed(viewer.cookie);
    await manager.client.checks.answerImported.mutate({ ...operation(), ...answer });
    await expect
      .poll(() => stream.events)
      .toMatchObject([{ entity: 'checkVisit', row: { imported: { state: 'confirmed' } } }]);
    const row = await inLog(visit.visitId);
    expect(await inFile(row?.logNumber)).toBe('Imported by Ada Lovell, confirmed');
    const again = manager.client.checks.answerImported.mutate({
      ...operation(),
      ...answer,
      confirmed: false,
    });
    expect(await refusalOf(again)).toMatchObject({ code: 'invalid', message: importedMessages.answered });
    await setting.closeStreams();
  });

  test('that the person disputes stays, says so, and stands in Activity under their name', async () => {
    const { manager, visit } = await forged();
    await manager.client.checks.answerImported.mutate({
      ...operation(),
      id: visit.visitId,
      confirmed: false,
    });
    expect((await inLog(visit.visitId))?.imported?.state).toBe('disputed');
    const filter = { actorId: manager.id };
    await expect
      .poll(async () => (await office.client.activity.list.query({ filter })).data.entries)
      .toMatchObject([
        { command: 'checks.answerImported', changes: { imported: ['unconfirmed', 'disputed'] } },
      ]);
  });

  test('is held where the person may not record, and keeps its mark when it is let in', async () => {
    const viewer = await setting.someone('viewer', [setting.here]);
    const { visit } = checkAt(setting.here.id);
    expect(await bring(viewer.id, 'checks.record', visit)).toMatchObject({ imported: 1 });
    expect(await inLog(visit.visitId)).toBeUndefined();
    const { data: held } = await office.client.checks.held.query();
    const imported = { byName: 'Ada Lovell', state: 'unconfirmed' };
    expect(held.visits.find(({ id }) => id === visit.visitId)?.imported).toEqual(imported);
    expect((await viewer.client.checks.importedOfMine.query()).data).toMatchObject([
      { held: true, visit: null },
    ]);
    await office.client.checks.decideHeld.mutate({ ...operation(), id: visit.visitId, accept: true });
    expect((await inLog(visit.visitId))?.imported).toEqual(imported);
  });

  test('that is confirmed while it is let into the log is confirmed for all who follow', async () => {
    const viewer = await setting.someone('viewer', [setting.here]);
    const { visit } = checkAt(setting.here.id);
    await bring(viewer.id, 'checks.record', visit);
    const stream = await setting.followed(office.cookie);
    const waiting = async () =>
      (
        await setting.owner.sql`
          select 1 from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`
      ).length;
    let decided = false;
    const [answered, accepted] = await setting.owner.db.transaction(async (tx) => {
      await tx.execute(sql`select 1 from imported_visits where id = ${visit.visitId} for update`);
      const answer = { ...operation(), id: visit.visitId, confirmed: true };
      const saying = viewer.client.checks.answerImported.mutate(answer);
      await expect.poll(waiting).toBe(1);
      const decision = { ...operation(), id: visit.visitId, accept: true } as const;
      const deciding = office.client.checks.decideHeld.mutate(decision).finally(() => {
        decided = true;
      });
      await expect.poll(async () => decided || (await waiting()) === 2).toBe(true);
      return [saying, deciding] as const;
    });
    await Promise.all([answered, accepted]);
    const told = () => stream.events.findLast(({ entity }) => entity === 'checkVisit');
    await expect.poll(told).toMatchObject({ row: { imported: { state: 'confirmed' } } });
    await setting.closeStreams();
  });

  test('in the name of who brings it needs no further word', async () => {
    const { data: me } = await office.client.session.me.query();
    const { visit } = checkAt(setting.here.id);
    await bring(me.id, 'checks.record', visit);
    expect((await inLog(visit.visitId))?.imported?.state).toBe('confirmed');
  });
});

test('an issue in the name of a person who may not report any is not imported, and the file says why', async () => {
  const operative = await setting.someone('operative', [setting.here]);
  const input = { ...operation(), id: uuidv7(), buildingId: setting.here.id, title: 'Not mine' };
  const { data: people } = await office.client.users.list.query();
  const named = people.find(({ id }) => id === operative.id);
  const name = `${named?.firstName} ${named?.lastName}`;
  expect(await bring(operative.id, 'issues.create', input)).toMatchObject({
    imported: 0,
    refused: [{ title: 'Forged', reason: importMessages.mayNotReport(name) }],
  });
});
