import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { BUILDINGS_REQUIRED } from '#shared/buildings-choice.ts';
import { HOUR_MS } from '#shared/dates.ts';
import { DEFAULT_DISPLAY_SETTINGS } from '#shared/features/displays/display-settings.ts';
import type { Wall } from '#shared/features/displays/displays.ts';
import { CODE_LETTERS, CODE_MS, formatCode } from '#shared/features/displays/displays.vocabulary.ts';
import { displayMessages } from '#shared/features/displays/displays-messages.ts';
import { wallOf } from '#shared/features/displays/wall-answer.ts';
import { uuidv7 } from '#shared/ids.ts';
import {
  createLiveSetting,
  type LiveSetting,
  type SignedInPerson,
} from '#tests/support/live/live-setting.ts';
import { DISPLAY_SOCKET, displayHeaders } from '#tests/support/rows/displays.ts';
import { createBuilding } from '#tests/support/rows/factories.ts';
import { createTestClient, headersFor, refusalOf } from '#tests/support/server/client.ts';

/** High limits of calls, so that the limits of codes are reached first. */
const LIMIT = { burst: 100_000, perSecond: 1_000 };

let setting: LiveSetting;
let admin: SignedInPerson;
/** Advances the server's clock, ms. */
let aheadMs = 0;

beforeAll(async () => {
  setting = await createLiveSetting({
    clock: { now: () => new Date(Date.now() + aheadMs) },
    limits: { person: LIMIT, anonymous: LIMIT },
  });
});
beforeEach(async () => {
  // Wrong codes are counted for all people together, so other tests would use up the limit.
  await setting.owner.sql`delete from attempts`;
  aheadMs = 0;
  admin = await setting.someone('admin');
});
afterEach(() => setting.closeStreams());
afterAll(() => setting.end());

/** Opens a screen that is not paired. @returns the data that its page has in memory */
async function screen() {
  const client = createTestClient(setting.server.url);
  const { code, claim } = await client.displays.requestCode.mutate({ width: 1920, height: 1080 });
  return { code, claim };
}

/** Asks, as the screen does, whether it has been paired. The cookie is there if it has. */
async function claimed(claim: string): Promise<{ state: string; cookie: string | undefined }> {
  const response = await fetch(`${setting.server.url}/trpc/displays.claim`, {
    method: 'POST',
    headers: { ...headersFor(setting.server.url), 'content-type': 'application/json' },
    body: JSON.stringify({ claim }),
  });
  const { result } = (await response.json()) as { result: { data: { state: string } } };
  const header = response.headers.getSetCookie().find((one) => one.startsWith('display='));
  if (header !== undefined) expect(header).toMatch(/; Path=\/trpc; HttpOnly; SameSite=Strict; Expires=/);
  return { state: result.data.state, cookie: header?.split(';')[0] };
}

async function fetchWall(cookie: string): Promise<Wall | number> {
  const headers = displayHeaders(setting.server.url, { cookie });
  const response = await fetch(`${setting.server.url}/trpc/displays.wall`, { headers });
  if (!response.ok) return response.status;
  return wallOf((await response.json()).result.data.data);
}

async function beat(cookie: string, position = ''): Promise<number> {
  const response = await fetch(`${setting.server.url}/trpc/displays.beat`, {
    method: 'POST',
    headers: { ...displayHeaders(setting.server.url, { cookie }), 'content-type': 'application/json' },
    body: JSON.stringify({ position, build: 'abcdef', width: 1920, height: 1080 }),
  });
  return response.status;
}

const wanted = (code: string) => ({
  operationId: uuidv7(),
  id: uuidv7(),
  code,
  name: 'Reception',
  view: 'manager' as const,
  allBuildings: true,
  buildingIds: [] as string[],
  settings: DEFAULT_DISPLAY_SETTINGS,
});
type Wanted = ReturnType<typeof wanted>;

/** Pairs a screen as an administrator does. */
async function paired(change: Partial<Wanted> = {}) {
  const { code, claim } = await screen();
  const input = { ...wanted(code), ...change };
  await admin.client.displays.pair.mutate(input);
  const { cookie = '' } = await claimed(claim);
  return { id: input.id, claim, cookie };
}

describe('pairing', () => {
  test('a screen shows a code, an administrator enters it, and the screen gets its credential', async () => {
    const { code, claim } = await screen();
    expect(code).toMatch(new RegExp(`^[${CODE_LETTERS}]{8}$`));
    expect(await claimed(claim)).toEqual({ state: 'waiting', cookie: undefined });
    const found = await admin.client.displays.lookUp.mutate({ code: formatCode(code).toLowerCase() });
    expect(found).toMatchObject({ address: '127.0.0.1', width: 1920, height: 1080 });
    const input = wanted(code);
    await admin.client.displays.pair.mutate(input);
    const { state, cookie = '' } = await claimed(claim);
    expect(state).toBe('paired');
    expect(await fetchWall(cookie)).toMatchObject({ display: { name: 'Reception', view: 'manager' } });
    // The answer was lost: the next answer has another credential, and the first credential is no longer valid.
    const again = await claimed(claim);
    expect(again.state).toBe('paired');
    expect(await fetchWall(cookie)).toBe(401);
    expect(await fetchWall(again.cookie ?? '')).toMatchObject({ display: { name: 'Reception' } });
    const [kept] = await setting.owner
      .sql`select count(*)::int n from display_codes where code_hash like ${`%${code}%`}`;
    expect(kept?.['n']).toBe(0);
  });

  test('a screen keeps its credential when its clock is set right by years', async () => {
    const { code, claim } = await screen();
    await admin.client.displays.pair.mutate(wanted(code));
    const answer = await fetch(`${setting.server.url}/trpc/displays.claim`, {
      method: 'POST',
      headers: { ...headersFor(setting.server.url), 'content-type': 'application/json' },
      body: JSON.stringify({ claim }),
    });
    // A running browser keeps a cookie without an expiry; by now it has dropped the cookie with an expiry.
    const [kept, ...running] = answer.headers.getSetCookie();
    expect(kept).toMatch(/^display=.*; Expires=/);
    expect(running).toEqual([
      expect.stringMatching(/^display-running=[\w-]+; Path=\/trpc; HttpOnly; SameSite=Strict$/),
    ]);
    const [cookie = ''] = running[0]?.split(';') ?? [];
    const headers = displayHeaders(setting.server.url, { cookie });
    const next = await fetch(`${setting.server.url}/trpc/displays.wall`, { headers });
    expect(next.status).toBe(200);
    expect(next.headers.getSetCookie()[0]).toMatch(/^display=.*; Expires=/);
    const stream = await setting.followed(cookie, { path: DISPLAY_SOCKET });
    expect(stream.closes).toEqual([]);
  });

  test('a code works once, and for ten minutes', async () => {
    const { code, claim } = await screen();
    const first = wanted(code);
    await admin.client.displays.pair.mutate(first);
    const second = wanted(code);
    expect(await refusalOf(admin.client.displays.pair.mutate(second))).toMatchObject({
      code: 'invalid',
      fields: { code: displayMessages.codeWrong },
    });
    const late = await screen();
    aheadMs = CODE_MS + 1_000;
    expect(await refusalOf(admin.client.displays.lookUp.mutate({ code: late.code }))).toMatchObject({
      fields: { code: displayMessages.codeWrong },
    });
    expect((await claimed(late.claim)).state).toBe('expired');
    expect((await claimed(claim)).state).toBe('expired');
    expect((await claimed('no secret at all')).state).toBe('expired');
  });

  test('a screen whose code is entered in its last moment still gets its credential', async () => {
    const { code, claim } = await screen();
    aheadMs = CODE_MS - 2_000;
    await admin.client.displays.pair.mutate(wanted(code));
    aheadMs = CODE_MS + 5_000;
    const { state, cookie = '' } = await claimed(claim);
    expect(state).toBe('paired');
    expect(await fetchWall(cookie)).toMatchObject({ display: { name: 'Reception' } });
    aheadMs = 2 * CODE_MS;
    expect((await claimed(claim)).state).toBe('expired');
  });

  test('of two administrators who enter a code at once, one pairs it', async () => {
    const { code } = await screen();
    const both = await Promise.allSettled([1, 2].map(() => admin.client.displays.pair.mutate(wanted(code))));
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  });

  test('wrong codes are counted, and right ones are not', async () => {
    for (let n = 0; n < 10; n += 1) {
      const { code } = await screen();
      await admin.client.displays.lookUp.mutate({ code });
    }
    const guess = () => refusalOf(admin.client.displays.lookUp.mutate({ code: 'BBBBBBBB' }));
    const codes = [];
    for (let n = 0; n < 6; n += 1) codes.push((await guess()).code);
    expect(codes).toEqual([...Array.from({ length: 5 }, () => 'invalid'), 'rate_limited']);
    // A hundred at once are counted as a hundred.
    aheadMs = 61_000;
    const many = await Promise.all(Array.from({ length: 20 }, guess));
    expect(many.filter(({ code }) => code === 'invalid').length).toBeLessThanOrEqual(5);
  });

  test('wrong codes of everyone are counted by the hour, and codes that a network asks for', async () => {
    const guess = () => refusalOf(admin.client.displays.lookUp.mutate({ code: 'BBBBBBBB' }));
    let wrong = 0;
    // Slow enough for the limit of one network, so that the limit of all networks together counts. Begins with an hour.
    const start = HOUR_MS - (Date.now() % HOUR_MS);
    for (let n = 0; n < 55; n += 1) {
      aheadMs = start + n * 20_000;
      if ((await guess()).code === 'invalid') wrong += 1;
    }
    expect(wrong).toBe(50);
    const { code } = await screen();
    expect((await refusalOf(admin.client.displays.lookUp.mutate({ code }))).code).toBe('rate_limited');
    expect((await refusalOf(admin.client.displays.pair.mutate(wanted(code)))).code).toBe('rate_limited');
    aheadMs = start + HOUR_MS;
    await screen();
    expect((await guess()).code).toBe('invalid');

    const asked = [];
    for (let n = 0; n < 21; n += 1)
      asked.push(...(await Promise.allSettled(Array.from({ length: 10 }, screen))));
    const given = asked.filter(({ status }) => status === 'fulfilled').length;
    expect([given, asked.length]).toEqual([199, 210]);
    expect(await refusalOf(screen())).toMatchObject({ code: 'rate_limited' });
    // Another window of ten minutes.
    aheadMs += CODE_MS;
    await screen();
  });

  test('without a building there is nothing to show, and settings have their bounds', async () => {
    const { code } = await screen();
    const nothing = { ...wanted(code), allBuildings: false };
    expect(await refusalOf(admin.client.displays.pair.mutate(nothing))).toMatchObject({
      fields: { buildingIds: BUILDINGS_REQUIRED },
    });
    const bad: [path: string, settings: object][] = [
      ['settings.seconds', { seconds: 4 }],
      ['settings.seconds', { seconds: 20.5 }],
      ['settings.overscan', { overscan: 11 }],
      ['settings.distance', { distance: 0 }],
      ['settings.distance', { distance: null }],
      ['settings.turn', { turn: 45 }],
      ['settings.screens', { screens: [] }],
      ['settings.screens', { screens: ['now', 'now'] }],
      ['settings.dim.to', { dim: { from: 20, to: 24 } }],
    ];
    for (const [path, settings] of bad) {
      // The cast: the settings are invalid on purpose.
      const input = { ...wanted(code), settings: { ...DEFAULT_DISPLAY_SETTINGS, ...settings } } as Wanted;
      const { code: refusal, fields } = await refusalOf(admin.client.displays.pair.mutate(input));
      expect([refusal, Object.keys(fields ?? {})]).toEqual(['invalid', [path]]);
    }
    const unknown = { ...nothing, buildingIds: [uuidv7()] };
    expect(await refusalOf(admin.client.displays.pair.mutate(unknown))).toMatchObject({ code: 'not_found' });
  });
});

describe('a paired display', () => {
  test('hears at once that it was changed, paused and asked to reload', async () => {
    const { id, cookie } = await paired();
    const stream = await setting.followed(cookie, { path: DISPLAY_SOCKET });
    const versions = () => stream.frames.flatMap(({ access }) => access?.version ?? []);
    await admin.client.displays.update.mutate({
      operationId: uuidv7(),
      id,
      changes: { name: { from: 'Reception', to: 'Plant room' }, view: { from: 'manager', to: 'public' } },
    });
    await expect.poll(versions).toEqual([2]);
    await admin.client.displays.pause.mutate({ operationId: uuidv7(), id, paused: true });
    await admin.client.displays.reload.mutate({ operationId: uuidv7(), id });
    await expect.poll(() => versions().at(-1)).toBe(4);
    const wall = await fetchWall(cookie);
    expect(wall).toMatchObject({
      display: {
        name: 'Plant room',
        view: 'public',
        paused: true,
        version: 4,
        reloadAskedAt: expect.any(String),
      },
    });
    expect(stream.closes).toEqual([]);
  });

  test('an edit of what another person has changed since is asked about', async () => {
    const { id } = await paired();
    const rename = (from: string, to: string) =>
      admin.client.displays.update.mutate({ operationId: uuidv7(), id, changes: { name: { from, to } } });
    await rename('Reception', 'Lobby');
    expect(await refusalOf(rename('Reception', 'Stairs'))).toMatchObject({
      code: 'conflict',
      message: displayMessages.changed,
    });
    // The same rename twice is no conflict.
    await rename('Reception', 'Lobby');
  });

  test('is cut off when it is unpaired, and every later wish for it is refused', async () => {
    const { id, cookie, claim } = await paired();
    const stream = await setting.followed(cookie, { path: DISPLAY_SOCKET });
    await admin.client.displays.unpair.mutate({ operationId: uuidv7(), id });
    await expect.poll(() => stream.closes).toEqual([4401]);
    expect(await fetchWall(cookie)).toBe(401);
    expect(await beat(cookie)).toBe(401);
    expect((await claimed(claim)).state).toBe('expired');
    const again = admin.client.displays.unpair.mutate({ operationId: uuidv7(), id });
    expect(await refusalOf(again)).toMatchObject({ code: 'not_found', message: displayMessages.gone });
    const { data } = await admin.client.displays.list.query();
    expect(data.map((one) => one.id)).not.toContain(id);
  });

  test('keeps its name and settings with another screen, and the one before is cut off', async () => {
    const { id, cookie } = await paired({ name: 'Loading bay' });
    const stream = await setting.followed(cookie, { path: DISPLAY_SOCKET });
    const next = await screen();
    await admin.client.displays.replace.mutate({ operationId: uuidv7(), id, code: next.code });
    await expect.poll(() => stream.closes).toEqual([4401]);
    expect(await fetchWall(cookie)).toBe(401);
    const { cookie: other = '' } = await claimed(next.claim);
    expect(await fetchWall(other)).toMatchObject({ display: { name: 'Loading bay' } });
  });

  test('tells of itself, which is recorded nowhere', async () => {
    const { id, cookie } = await paired();
    const before = await setting.newest();
    expect(await beat(cookie, `${uuidv7()}.7.0a1b2c3d`)).toBe(200);
    const fleet = await admin.client.displays.fleet.query();
    expect(fleet.rows.find(({ displayId }) => displayId === id)).toMatchObject({
      g: 7,
      build: 'abcdef',
      width: 1920,
      address: '127.0.0.1',
    });
    expect(fleet.head).toBeGreaterThan(7);
    expect(await setting.newest()).toBe(before);
  });

  test('shows a building no longer when it is archived, and again when it is restored', async () => {
    const { here, there } = setting;
    await setting.report(there);
    const { id, cookie } = await paired({ allBuildings: false, buildingIds: [here.id, there.id] });
    const stream = await setting.followed(cookie, { path: DISPLAY_SOCKET });
    const versions = () => stream.frames.flatMap(({ access }) => access?.version ?? []);
    const names = async () => {
      const wall = await fetchWall(cookie);
      return typeof wall === 'number' ? [] : wall.places.map(({ name }) => name).sort();
    };
    expect(await names()).toEqual(['Here', 'There']);
    await admin.client.locations.removeBuilding.mutate({ operationId: uuidv7(), id: there.id });
    await expect.poll(versions).toEqual([2]);
    expect(await names()).toEqual(['Here']);
    // The archived building stays in the list and blocks no edit: another building can be added.
    const other = await createBuilding(setting.server.services, { name: 'Mill' });
    const from = [here.id, there.id];
    const edit = (to: string[], seen = from) =>
      admin.client.displays.update.mutate({
        operationId: uuidv7(),
        id,
        changes: { buildingIds: { from: seen, to } },
      });
    await edit([...from, other.id]);
    await expect.poll(versions).toEqual([2, 3]);
    expect(await names()).toEqual(['Here', 'Mill']);
    await edit([here.id, other.id], [...from, other.id]);
    // Once removed from the list, it cannot be added again while it is archived.
    expect((await refusalOf(edit([...from, other.id], [here.id, other.id]))).code).toBe('not_found');
    const forged = edit([...from, other.id], [...from, other.id]);
    await forged.catch(() => undefined);
    expect(await names()).toEqual(['Here', 'Mill']);
    await admin.client.locations.restoreBuilding.mutate({ operationId: uuidv7(), id: there.id });
    await edit(from, [here.id, other.id]);
    await admin.client.locations.removeBuilding.mutate({ operationId: uuidv7(), id: there.id });
    await expect.poll(() => versions().at(-1)).toBe(6);
    expect(await names()).toEqual(['Here']);
    await admin.client.locations.restoreBuilding.mutate({ operationId: uuidv7(), id: there.id });
    await expect.poll(() => versions().at(-1)).toBe(7);
    expect(await names()).toEqual(['Here', 'There']);
  });
});

test('the Activity tells what was done with a display, in one entry each', async () => {
  const { id } = await paired({ name: 'Boardroom' });
  const next = await screen();
  await admin.client.displays.replace.mutate({ operationId: uuidv7(), id, code: next.code });
  await admin.client.displays.unpair.mutate({ operationId: uuidv7(), id });
  const told = async () => {
    const { data } = await admin.client.activity.list.query({ filter: { actorId: admin.id }, limit: 10 });
    return data.entries.map(({ command, subject }) => [command, subject]);
  };
  // The Activity reads the event log, which the last command reaches just after its answer.
  await expect.poll(told).toEqual([
    ['displays.unpair', 'Boardroom'],
    ['displays.replace', 'Boardroom'],
    ['displays.pair', 'Boardroom'],
  ]);
});
