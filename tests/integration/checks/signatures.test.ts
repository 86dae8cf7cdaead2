import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { uuidv7 } from '#shared/ids.ts';
import { messages } from '#shared/messages.ts';
import {
  createLiveSetting,
  type LiveSetting,
  type SignedInPerson,
} from '#tests/support/live/live-setting.ts';
import { lineOf, visitOf } from '#tests/support/rows/checks.ts';
import { createPerson, signInAs } from '#tests/support/rows/factories.ts';
import { announcement, picture, putPhoto } from '#tests/support/rows/photos.ts';
import { createTestClient, refusalOf } from '#tests/support/server/client.ts';
import { testClock } from '#tests/support/server/clock.ts';
import { download } from '#tests/support/server/files.ts';

// A record keeps the name that the recorder had at the time: a later change of name does not change earlier signatures.

const KIND = 'fire_alarm_test' as const;
const SIGNED = 'Mary Ward';
const NOW = 'Mary Cole';

let setting: LiveSetting;
let dataDir: string;
let mary: SignedInPerson;
let line: { id: string };
let correction: { id: string };
const operation = () => ({ operationId: uuidv7() });
const DAY = '2026-11-18';

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'lintel-signatures-'));
  setting = await createLiveSetting({ env: { dataDir }, clock: testClock(`${DAY}T15:00:00.000Z`) });
  const { server, here } = setting;
  const person = await createPerson(server.services, {
    ...{ role: 'manager', buildings: [here.id], firstName: 'Mary', lastName: 'Ward' },
  });

  const cookie = await signInAs(server, person);
  mary = { id: person.id, cookie, client: createTestClient(server.url, cookie) };

  const bytes = picture();
  const photo = announcement(bytes, { visitId: '' });
  const failed = { ...lineOf(KIND, 'fail', uuidv7()), assetId: null, photoIds: [photo.id] };
  line = failed;
  const now = `${DAY}T10:00:00.000Z`;
  const visit = visitOf(KIND, { buildingId: here.id, now, entries: [failed], operativeName: SIGNED });
  const { raised } = await mary.client.checks.record.mutate(visit);
  await mary.client.photos.announce.mutate({ ...photo, of: { visitId: visit.visitId } });
  await putPhoto(server.url, cookie, photo.id, 0, bytes);
  const issueId = raised[0]?.issueId ?? '';
  await mary.client.issues.comment.mutate({ ...operation(), id: uuidv7(), issueId, body: 'Ordered' });
  correction = { id: uuidv7() };
  const entry = { ...failed, ...correction, photoIds: [], notes: 'Bell silent' };
  await mary.client.checks.amend.mutate({
    ...operation(),
    kind: KIND,
    entryId: line.id,
    reason: 'Forgotten',
    entry,
  });
  const missed = { ...operation(), id: uuidv7(), buildingId: here.id, kind: KIND, day: '2026-11-09' };
  await mary.client.checks.explainMissed.mutate({ ...missed, reason: 'Closed' });
  await mary.client.users.renameMe.mutate({ ...operation(), firstName: 'Mary', lastName: 'Cole' });
});
afterAll(async () => {
  await setting.end();
  await rm(dataDir, { recursive: true, force: true });
});

describe('after a person has changed their name', () => {
  test('the log has the name of then, and the present one beside it', async () => {
    const { admin, here } = setting;
    const { data: year } = await admin.client.checks.logYear.query({
      kind: KIND,
      year: 2026,
      buildingId: here.id,
    });
    expect(year.visits).toMatchObject([
      {
        recordedByName: SIGNED,
        recordedByNow: NOW,
        entries: [
          { amendedByName: null, amendedByNow: null },
          { amendedByName: SIGNED, amendedByNow: NOW },
        ],
      },
    ]);
    expect(year.missed).toMatchObject([{ explainedByName: SIGNED, explainedByNow: NOW }]);
  });

  test('so have the thread with its photos, and what was said of the issue', async () => {
    const { data: thread } = await setting.admin.client.checks.thread.query({ entryId: correction.id });
    expect(thread.visit).toMatchObject({ recordedByName: SIGNED, recordedByNow: NOW });
    expect(thread.issue?.details?.comments).toMatchObject([{ authorName: SIGNED, authorNow: NOW }]);
    const { data: photos } = await setting.admin.client.photos.list.query({ on: 'check', onId: line.id });
    expect(photos).toMatchObject([{ uploadedByName: SIGNED, uploadedByNow: NOW }]);
    const { data: mine } = await mary.client.checks.raisedByMine.query();
    expect(mine).toMatchObject([{ lastReply: { byName: SIGNED, byNow: NOW } }]);
  });

  test('so has the file', async () => {
    const { server, admin, here } = setting;
    const filter = { kind: KIND, year: 2026, buildingId: here.id };
    const text = await (await download(server.url, admin.cookie, 'checks', filter)).text();
    const rows = parse(text, { columns: true, bom: true }) as Record<string, string>[];
    const both = `${SIGNED} (now ${NOW})`;
    const recorded = rows.filter((row) => row['Record'] !== '');
    expect(recorded.map((row) => [row['Operative'], row['Recorded by']])).toEqual([
      [SIGNED, both],
      [SIGNED, both],
    ]);
    expect(recorded[1]?.['Amendment']).toBe(`Forgotten (${both})`);
    expect(rows.map((row) => row['Notes'])).toContain(`Closed (${both})`);
  });

  test('what comes from now on has the new name alone', async () => {
    const entries = [{ ...lineOf(KIND, 'pass', uuidv7()), assetId: null, locationTested: 'Yard' }];
    const now = `${DAY}T11:00:00.000Z`;
    const visit = visitOf(KIND, { buildingId: setting.here.id, now, entries });
    await mary.client.checks.record.mutate(visit);
    const { data } = await setting.admin.client.checks.logRecords.query({
      filter: { kind: KIND },
      limit: 10,
    });
    expect(data.visits.find(({ id }) => id === visit.visitId)).toMatchObject({
      recordedByName: NOW,
      recordedByNow: null,
    });
  });

  test('a record that is held keeps the name of then when it is let in', async () => {
    const { admin, there } = setting;
    const entries = [{ ...lineOf(KIND, 'pass', uuidv7()), assetId: null, locationTested: 'Yard' }];
    const visit = visitOf(KIND, { buildingId: there.id, now: `${DAY}T12:00:00.000Z`, entries });
    await mary.client.checks.record.mutate(visit);
    const rename = (lastName: string) =>
      mary.client.users.renameMe.mutate({ ...operation(), firstName: 'Mary', lastName });
    await rename('Hill');
    const { data: held } = await admin.client.checks.held.query();
    expect(held.visits).toMatchObject([{ recordedByName: NOW, recordedByNow: 'Mary Hill' }]);
    await admin.client.checks.decideHeld.mutate({ ...operation(), id: visit.visitId, accept: true });
    const filter = { kind: KIND, buildingId: there.id };
    const { data } = await admin.client.checks.logRecords.query({ filter, limit: 10 });
    expect(data.visits).toMatchObject([{ recordedByName: NOW, recordedByNow: 'Mary Hill' }]);
    await rename('Cole');
  });
});

test('a name with invisible characters is refused', async () => {
  for (const lastName of ['Co\u200ble', '\u202eeloC', 'Cole\nManager']) {
    const rename = mary.client.users.renameMe.mutate({ ...operation(), firstName: 'Mary', lastName });
    expect(await refusalOf(rename)).toEqual({
      code: 'invalid',
      fields: { lastName: messages.common.hiddenCharacters },
    });
  }
});
