import { connect as connectTcp } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import WebSocket from 'ws';
import { openRaw } from '#tests/support/live/live-client.ts';
import {
  createLiveSetting,
  type LiveSetting,
  type SignedInPerson,
} from '#tests/support/live/live-setting.ts';
import { PATIENCE } from '#tests/support/patience.ts';

let setting: LiveSetting;
let viewer: SignedInPerson;
const opened: WebSocket[] = [];

beforeAll(async () => {
  setting = await createLiveSetting();
  viewer = await setting.someone('viewer', [setting.here]);
});
afterEach(async () => {
  for (const ws of opened.splice(0)) ws.terminate();
  await setting.closeStreams();
  // After every test, whatever it sent, the server still runs and accepts streams.
  await expect.poll(() => setting.server.live.figures()['sockets']).toBe(0);
  await setting.followed(setting.admin.cookie);
  await setting.closeStreams();
});
afterAll(() => setting.end());

type Answer = {
  id: unknown;
  error?: { data: { code: string; app: { code: string } } };
  result?: { type: string };
};

async function socket(cookie: string | undefined = viewer.cookie) {
  const raw = await openRaw(setting.server.url, cookie);
  opened.push(raw.ws);
  return { ...raw, answers: raw.messages as Answer[] };
}
const subscribe = (id: unknown, more: object = {}) =>
  JSON.stringify({ id, method: 'subscription', params: { path: 'live.stream', input: {}, ...more } });
const codes = (answers: Answer[]) =>
  answers.flatMap(({ id, error }) => (error ? [[id, error.data.code]] : []));

/** Sends text, then bytes, over plain TCP and returns everything received. */
async function speak(text: string, then: readonly number[] = []): Promise<string> {
  const { port } = new URL(setting.server.url);
  const tcp = connectTcp(Number(port), '127.0.0.1');
  let answer = '';
  tcp.on('data', (chunk) => {
    answer += String(chunk);
  });
  tcp.on('error', () => undefined);
  tcp.write(Buffer.concat([Buffer.from(text), Buffer.from(then)]));
  await new Promise((resolve) => {
    tcp.once('close', resolve);
    tcp.setTimeout(PATIENCE.timeout, () => tcp.destroy());
  });
  return answer;
}

function upgrade(path: string, headers: Record<string, string> = {}): string {
  const all = {
    host: new URL(setting.server.url).host,
    connection: 'Upgrade',
    upgrade: 'websocket',
    'sec-websocket-version': '13',
    'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==',
    origin: setting.server.url,
    cookie: viewer.cookie,
    ...headers,
  };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}`);
  return `GET ${path} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`;
}

describe('opening a socket', () => {
  test('live/T7 only on its own path, whatever the address looks like', async () => {
    for (const path of [
      '//',
      '/',
      'http://',
      '/trpc/',
      '/trpc?x=1',
      '/trpc/live.stream',
      '/livez',
      '*',
      '/%ff',
    ]) {
      expect(await speak(upgrade(path)), path).toMatch(/^(HTTP\/1.1 4\d\d|$)/);
    }
  });

  test('live/T7 only from our own pages', async () => {
    for (const origin of ['http://evil.example', 'null', '', setting.server.url.replace('http', 'https')]) {
      expect(await speak(upgrade('/trpc', { origin })), origin).toMatch(/^HTTP\/1.1 403/);
    }
  });

  test('live/T7 a broken handshake is refused', async () => {
    expect(await speak(upgrade('/trpc', { 'sec-websocket-key': 'short' }))).toMatch(/^HTTP\/1.1 400/);
    expect(await speak(upgrade('/trpc', { 'sec-websocket-version': '7' }))).toMatch(/^HTTP\/1.1 (400|426)/);
  });

  test('live/T7 at most ten for each person', async () => {
    const many = [];
    for (let n = 0; n < 10; n += 1) many.push(await socket());
    const eleventh = await socket();
    expect(await eleventh.closed).toBe(1013);
    await socket(setting.admin.cookie);
    expect(many.filter(({ ws }) => ws.readyState === WebSocket.OPEN)).toHaveLength(10);
  });
});

describe('what a client may say', () => {
  test('live/F1 every path but the stream is refused, whatever the method', async () => {
    const { ws, answers } = await socket();
    const calls = [
      { id: 1, method: 'query', params: { path: 'session.me' } },
      { id: 2, method: 'mutation', params: { path: 'session.signOut', input: {} } },
      { id: 3, method: 'subscription', params: { path: 'issues.list', input: {} } },
      { id: 4, method: 'query', params: { path: 'live.stream' } },
      { id: 5, method: 'query', params: { path: 'no.such' } },
      { id: 'six', method: 'subscription', params: { path: '__proto__' } },
    ];
    ws.send(JSON.stringify(calls));
    await expect.poll(() => answers.length).toBe(calls.length);
    expect(codes(answers)).toEqual(calls.map(({ id }) => [id, 'METHOD_NOT_SUPPORTED']));
  });

  test('live/F1 an escaped path is the same path, and an id may be a text', async () => {
    const { ws, answers } = await socket();
    ws.send(subscribe('a"b').replace('live.stream', 'live\\u002estream'));
    await expect.poll(() => answers.length).toBeGreaterThanOrEqual(2);
    expect(answers.slice(0, 2)).toMatchObject([
      { id: 'a"b', result: { type: 'started' } },
      { id: 'a"b', result: { type: 'data' } },
    ]);
  });

  test('live/T7 one subscription for each socket, and no id twice', async () => {
    const { ws, answers } = await socket();
    ws.send(JSON.stringify([JSON.parse(subscribe(1)), JSON.parse(subscribe(1)), JSON.parse(subscribe(2))]));
    await expect.poll(() => answers.length).toBeGreaterThanOrEqual(4);
    expect(codes(answers)).toEqual([
      [1, 'BAD_REQUEST'],
      [2, 'BAD_REQUEST'],
    ]);
    ws.send(JSON.stringify({ id: 1, method: 'subscription.stop' }));
    await expect.poll(() => answers.at(-1)?.result?.type).toBe('stopped');
    ws.send(subscribe(3));
    await expect.poll(() => answers.filter(({ id }) => id === 3).length).toBeGreaterThanOrEqual(2);
  });

  test('live/T2 a stop that comes before the start takes effect', async () => {
    const { ws, answers } = await socket();
    ws.send(JSON.stringify([JSON.parse(subscribe(1)), { id: 1, method: 'subscription.stop' }]));
    await expect.poll(() => answers).toMatchObject([{ id: 1, result: { type: 'stopped' } }]);
    await setting.report(setting.here);
    ws.send(subscribe(2));
    // Events not yet delivered when the subscription began may follow its position.
    await expect.poll(() => answers.length).toBeGreaterThanOrEqual(3);
    expect(answers.slice(1).map(({ id, result }) => [id, result?.type])).toEqual([
      [2, 'started'],
      ...answers.slice(2).map(() => [2, 'data']),
    ]);
  });

  test('live/T3 a position of any type is a reset at most', async () => {
    for (const lastEventId of ['\u0000', 'x'.repeat(9_000), '..', 'a.b', '1.900719925474099']) {
      const { ws, answers } = await socket();
      ws.send(subscribe(1, { lastEventId }));
      await expect.poll(() => answers.length).toBeGreaterThanOrEqual(2);
      expect(answers[1], lastEventId.slice(0, 20)).toMatchObject({
        result: { data: { data: { reset: lastEventId.startsWith('1.') ? 'epoch' : 'unreadable' } } },
      });
      ws.terminate();
    }
    for (const input of [null, 7, 'text', [], { lastEventId: 7 }, { lastEventId: { a: 1 } }]) {
      const { ws, answers } = await socket();
      ws.send(subscribe(1, { input }));
      await expect.poll(() => answers.length).toBeGreaterThanOrEqual(2);
      expect(codes(answers)).toEqual([]);
      ws.terminate();
    }
  });

  test('live/T7 nonsense is answered, and ends neither socket nor process', async () => {
    const { ws, answers } = await socket();
    const nonsense = [
      '',
      '{',
      'null',
      '[]',
      '[[]]',
      '{"id":null}',
      '{"id":null,"method":"reconnect"}',
      '{"id":1}',
      '{"id":1,"method":"query"}',
      '{"id":1,"method":"query","params":{"path":7}}',
      '{"id":{},"method":"query","params":{"path":"a.b"}}',
      `{"id":"${'x'.repeat(1_000)}","method":"query","params":{"path":"a.b"}}`,
      '{"method":"connectionParams","data":{"a":1}}',
      '{"id":1,"jsonrpc":"1.0","method":"query","params":{"path":"a.b"}}',
      `[${Array.from({ length: 30 }, () => '{"id":1,"method":"query","params":{"path":"a.b"}}').join()}]`,
      `${'['.repeat(20_000)}`,
      '\u0000\uffff',
      '{"__proto__":{"id":1}}',
    ];
    for (const text of nonsense) ws.send(text);
    ws.send(Buffer.from([0, 255, 1]), { binary: true });
    ws.send(subscribe(1));
    await expect.poll(() => answers.some(({ result }) => result?.type === 'data')).toBe(true);
    // An empty list contains no request.
    expect(codes(answers)).toEqual(Array.from({ length: nonsense.length }, () => [null, 'PARSE_ERROR']));
    expect(JSON.stringify(answers)).not.toMatch(/at .*\.ts|stack/);
  });

  test('live/T7 a message over 64 KiB, or a flood of fragments or messages, ends the socket', async () => {
    const large = await socket();
    large.ws.send('x'.repeat(65 * 1024));
    expect(await large.closed).toBe(1009);

    const flood = await socket();
    for (let n = 0; n < 400; n += 1) flood.ws.send('PING', () => undefined);
    expect(await flood.closed).toBe(1008);

    const fragments = await socket();
    for (let n = 0; n < 20_000; n += 1) fragments.ws.send('', { fin: false }, () => undefined);
    expect(await fragments.closed).toBeGreaterThan(1000);
  });

  test('live/T6 raw frames that break the protocol end the socket', async () => {
    const handshake = upgrade('/trpc');
    for (const bytes of [
      [0xf1, 0x80, 1, 2, 3, 4], // reserved bits
      [0x81, 0x01, 0x41], // not masked
      [0x83, 0x80, 1, 2, 3, 4], // no such opcode
      [0x89, 0xfe, 0xff, 0xff], // an overlong ping
      [0x81, 0x82, 0, 0, 0, 0, 0xc3, 0x28], // not UTF-8
      [0x81, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff], // longer than anything
    ]) {
      const answer = await speak(handshake, bytes);
      expect(answer, String(bytes)).toMatch(/^HTTP\/1.1 101/);
    }
  });
});

describe('keep-alive', () => {
  test('live/T6 a PING is answered with a PONG', async () => {
    const ws = new WebSocket(`${setting.server.url.replace('http', 'ws')}/trpc`, {
      headers: { origin: setting.server.url, cookie: viewer.cookie },
    });
    opened.push(ws);
    await new Promise((resolve) => ws.once('open', resolve));
    const answer = new Promise((resolve) => ws.once('message', (data) => resolve(String(data))));
    ws.send('PING');
    expect(await answer).toBe('PONG');
  });

  test('live/T6 the stock client’s own keep-alive accepts the answers', async () => {
    const stream = await setting.followed(viewer.cookie, { keepAliveMs: 100, pongMs: PATIENCE.timeout });
    await expect.poll(() => stream.frames.length).toBeGreaterThan(1);
    expect(stream.closes).toEqual([]);
  });
});
