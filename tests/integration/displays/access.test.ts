import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { EXPORTED_LISTS } from '#server/http/downloads/exported-lists.ts';
import { uuidv7 } from '#shared/ids.ts';
import { EXPECTATIONS } from '#tests/support/expectations/expectations.ts';
import type { Ids } from '#tests/support/expectations/row.ts';
import { openRaw } from '#tests/support/live/live-client.ts';
import { createLiveSetting, type LiveSetting, tell } from '#tests/support/live/live-setting.ts';
import {
  createDisplay,
  DISPLAY_SOCKET,
  displayHeaders,
  type TestDisplay,
} from '#tests/support/rows/displays.ts';
import { headersFor } from '#tests/support/server/client.ts';
import { PROCEDURES } from '#tests/support/server/procedures.ts';

// Everything that the server offers, called with the credential of a display.

const LIMIT = { burst: 100_000, perSecond: 1_000 };
/** The procedures that a display may call over HTTP. The stream is served only over the socket. */
const ITS_OWN = ['checks.pastWeeks', 'displays.beat', 'displays.wall'];

let setting: LiveSetting;
let display: TestDisplay;
let url: string;

beforeAll(async () => {
  setting = await createLiveSetting({ limits: { person: LIMIT, anonymous: LIMIT } });
  url = setting.server.url;
  display = await createDisplay(setting.server.services);
});
afterEach(() => setting.closeStreams());
afterAll(() => setting.end());

/** Ids that do not exist, because every call is refused before a row is looked up. */
const ids = new Proxy({}, { get: () => uuidv7() }) as Ids;

async function call(path: string, headers: Record<string, string>): Promise<string> {
  const row = EXPECTATIONS[path];
  const input = JSON.stringify(row?.input(ids));
  const isQuery = row?.kind !== 'mutation';
  const response = isQuery
    ? await fetch(`${url}/trpc/${path}${input === undefined ? '' : `?input=${encodeURIComponent(input)}`}`, {
        headers,
      })
    : await fetch(`${url}/trpc/${path}`, {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/json' },
        body: input ?? null,
      });
  // The cast: the shape of a tRPC answer.
  const { error } = (await response.json()) as { error?: { data: { app: { code: string } } } };
  return error?.data.app.code ?? 'ok';
}

describe('every procedure', () => {
  test('refuses a display, but for its own three', async () => {
    const answers = new Map<string, string>();
    for (const { path } of PROCEDURES) answers.set(path, await call(path, displayHeaders(url, display)));
    expect(answers.size).toBeGreaterThan(100);
    const opened = [...answers].filter(([, code]) => code === 'ok').map(([path]) => path);
    expect(opened.sort()).toEqual(ITS_OWN);
    expect([...new Set(answers.values())].sort()).toEqual(['forbidden', 'ok', 'unsupported']);
  });

  test('takes the cookie for nothing where the page does not say that it is a display', async () => {
    for (const { path } of PROCEDURES) {
      const plain = await call(path, headersFor(url, display.cookie));
      expect([path, plain]).toEqual([path, await call(path, headersFor(url))]);
    }
  });

  test('knows no session by the credential of a display', async () => {
    const cookie = `sid=${display.token}`;
    for (const { path } of PROCEDURES.filter((one) => EXPECTATIONS[one.path]?.needs !== 'everyone')) {
      expect([path, await call(path, headersFor(url, cookie))]).toEqual([path, 'unauthenticated']);
    }
  });

  test('of displays knows no person, whatever the page says', async () => {
    for (const path of ITS_OWN) {
      expect(await call(path, headersFor(url, setting.admin.cookie))).toBe('forbidden');
      const asDisplay = { ...headersFor(url, setting.admin.cookie), 'x-display': '1' };
      expect(await call(path, asDisplay)).toBe('unauthenticated');
      const forged = `display=${setting.admin.cookie.split('=')[1]}`;
      expect(await call(path, { ...headersFor(url, forged), 'x-display': '1' })).toBe('unauthenticated');
    }
  });

  test('answers the display in a browser in which a person is signed in', async () => {
    const cookie = `${setting.admin.cookie}; ${display.cookie}`;
    expect(await call('displays.wall', displayHeaders(url, { cookie }))).toBe('ok');
    expect(await call('users.list', displayHeaders(url, { cookie }))).toBe('forbidden');
    expect(await call('displays.wall', headersFor(url, cookie))).toBe('forbidden');
  });
});

describe('files, exports, uploads and photos', () => {
  const id = uuidv7();
  const paths: (readonly [method: string, path: string])[] = [
    ...Object.keys(EXPORTED_LISTS).map((list) => ['GET', `/files/export/${list}.csv`] as const),
    ['GET', `/files/${id}`],
    ['GET', `/files/documents/archive?ids=${id}`],
    ['GET', `/files/documents/${id}/thumbnail`],
    ['GET', `/files/photos/${id}`],
    ['GET', `/files/photos/${id}/thumbnail`],
    ['PUT', `/files/photos/${id}`],
    ['POST', '/files/unsent'],
    ['POST', '/files/import/assets/check'],
    ['POST', '/files/import/assets/run'],
    ['POST', '/files/import/people/links'],
    ['POST', '/api/uploadthing?slug=document&actionType=upload'],
    ['PUT', `/ut/${id}`],
    ['HEAD', `/ut/${id}`],
    ['GET', `/ut/${id}`],
  ];

  test.each(paths)('%s %s', async (method, path) => {
    for (const cookie of [display.cookie, `sid=${display.token}`]) {
      const response = await fetch(`${url}${path}`, {
        method,
        headers: { ...displayHeaders(url, { cookie }), 'content-type': 'application/octet-stream' },
        ...(method === 'PUT' || method === 'POST' ? { body: 'x' } : {}),
      });
      expect(response.status).toBeGreaterThanOrEqual(400);
      expect(response.status).toBeLessThan(500);
    }
  });
});

describe('sockets', () => {
  test('live/D1 follows the stream at its own address, and there alone', async () => {
    const own = await setting.followed(display.cookie, { path: DISPLAY_SOCKET });
    const elsewhere = setting.follow(display.cookie);
    const asSession = setting.follow(`sid=${display.token}`);
    const person = setting.follow(setting.admin.cookie, { path: DISPLAY_SOCKET });
    for (const one of [elsewhere, asSession, person]) {
      await expect.poll(() => one.closes).toEqual([4401]);
      expect(one.frames).toEqual([]);
    }
    const id = await setting.report(setting.here);
    await expect.poll(() => own.events.map(({ entityId }) => entityId)).toContain(id);
    expect(own.closes).toEqual([]);
  });

  test('every other path on the socket is refused', async () => {
    const { ws, messages } = await openRaw(url, display.cookie, DISPLAY_SOCKET);
    const paths = PROCEDURES.map(({ path }) => path).filter((path) => path !== 'live.stream');
    for (let from = 0; from < paths.length; from += 20) {
      const calls = paths.slice(from, from + 20).flatMap((path, n) =>
        ['query', 'mutation', 'subscription'].map((method, m) => ({
          id: from * 3 + n * 3 + m + 1,
          method,
          params: { path, input: {} },
        })),
      );
      for (let at = 0; at < calls.length; at += 20) ws.send(JSON.stringify(calls.slice(at, at + 20)));
    }
    await expect.poll(() => messages.length).toBe(paths.length * 3);
    const codes = messages.map((one) => (one as { error: { data: { code: string } } }).error.data.code);
    expect([...new Set(codes)]).toEqual(['METHOD_NOT_SUPPORTED']);
    ws.close();
  });
});

describe('what a display may see', () => {
  test('live/D3 is that of its buildings, and changes at once', async () => {
    const { here, there, owner } = setting;
    const one = await createDisplay(setting.server.services, { buildings: [here.id] });
    const stream = await setting.followed(one.cookie, { path: DISPLAY_SOCKET });
    const elsewhere = await setting.report(there);
    const own = await setting.report(here);
    await expect.poll(() => stream.events.map(({ entityId }) => entityId)).toContain(own);
    expect(stream.events.map(({ entityId }) => entityId)).not.toContain(elsewhere);

    await owner.sql`insert into display_buildings values (${one.id}, ${there.id})`;
    await change(one, 2);
    await expect
      .poll(() => stream.frames.flatMap(({ access }) => access ?? []))
      .toMatchObject([{ version: 2, gained: [there.id] }]);
    const later = await setting.report(there);
    await expect.poll(() => stream.events.map(({ entityId }) => entityId)).toContain(later);
  });

  test('live/D3 a client that comes back is told what changed meanwhile', async () => {
    const { here, there, owner } = setting;
    const one = await createDisplay(setting.server.services, { buildings: [here.id, there.id] });
    const stream = await setting.followed(one.cookie, { path: DISPLAY_SOCKET });
    const position = stream.position() ?? '';
    await stream.close();
    await owner.sql`delete from display_buildings where display_id = ${one.id} and building_id = ${there.id}`;
    await change(one, 2);
    const elsewhere = await setting.report(there);
    const own = await setting.report(here);
    const again = await setting.followed(one.cookie, { path: DISPLAY_SOCKET, lastEventId: position });
    await expect.poll(() => again.events.map(({ entityId }) => entityId)).toContain(own);
    expect(again.events.map(({ entityId }) => entityId)).not.toContain(elsewhere);
    expect(again.frames.flatMap(({ access }) => access ?? [])).toMatchObject([
      { version: 2, lost: 'all', gained: [here.id] },
    ]);
  });

  test('live/D3 one that is unpaired is cut off, and its credential is dead', async () => {
    const one = await createDisplay(setting.server.services);
    const stream = await setting.followed(one.cookie, { path: DISPLAY_SOCKET });
    await setting.owner.sql`update displays set unpaired_at = now() where id = ${one.id}`;
    await change(one, 2);
    await expect.poll(() => stream.closes).toEqual([4401]);
    expect(stream.errors).toEqual([{ code: 'UNAUTHORIZED', app: 'unauthenticated' }]);
    for (const path of ITS_OWN) expect(await call(path, displayHeaders(url, one))).toBe('unauthenticated');
    const back = setting.follow(one.cookie, { path: DISPLAY_SOCKET });
    await expect.poll(() => back.closes).toEqual([4401]);
  });
});

test('a screen that was replaced is closed when sessions are next read', async () => {
  let aheadMs = 0;
  const other = await createLiveSetting({ liveParts: { monotonicMs: () => performance.now() + aheadMs } });
  try {
    const one = await createDisplay(other.server.services);
    const kept = await createDisplay(other.server.services);
    const stream = await other.followed(one.cookie, { path: DISPLAY_SOCKET });
    const untouched = await other.followed(kept.cookie, { path: DISPLAY_SOCKET });
    await other.owner.sql`delete from display_credentials where display_id = ${one.id}`;
    aheadMs = 31_000;
    await expect.poll(() => stream.closes).toEqual([4401]);
    expect(untouched.closes).toEqual([]);
  } finally {
    await other.end();
  }
});

/** Records a change of a display's access, as the commands about displays do. */
async function change({ id }: TestDisplay, version: number): Promise<void> {
  await setting.owner.sql`update displays set version = ${version} where id = ${id}`;
  await tell(setting, ({ recordAccess }) =>
    recordAccess({ people: { [id]: version }, lost: [], gained: [], lists: 'left_out' }),
  );
}

test('the page is opened without a session, is one file, and is small', async () => {
  const response = await fetch(`${url}/wall`);
  expect(response.headers.get('content-type')).toContain('text/html');
  const text = await response.text();
  // 60 kB: each character is one byte.
  expect(text.length).toBeLessThanOrEqual(60_000);
  expect([...text.matchAll(/(?:src|href)="([^"]*)"/g)].map(([, path]) => path)).toEqual(['/lintel.svg']);
});
