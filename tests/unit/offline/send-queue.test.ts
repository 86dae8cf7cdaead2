import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { AppError, type ErrorCode } from '#shared/errors.ts';
import { uuidv7 } from '#shared/ids.ts';
import { Device, type Page, type PageOptions } from '#tests/support/offline/device.ts';
import { pause } from '#tests/support/pace.ts';
import { PATIENCE } from '#tests/support/patience.ts';
import { editKeyOf, partKeyOf } from '#web/offline/draft-keys.ts';
import { MAX_FAULTS } from '#web/offline/queue/backoff.ts';
import type { OutgoingCommand, Transport } from '#web/offline/queue/transport.ts';
import { UPGRADES } from '#web/offline/storage/idb.ts';
import { pack } from '#web/offline/storage/mirror-cache.ts';
import type { OfflineDatabase } from '#web/offline/storage/offline-schema.ts';
import { OfflineError, type QueuedCommand } from '#web/offline/types.ts';

// The rules of web/offline/SPEC.md, one by one, against a server whose answers the test chooses.

type Answer = (entry: OutgoingCommand, userId: string) => unknown;

/** A server that records its requests, their senders and their order. */
function someServer(answer: Answer = () => ({ ok: true })) {
  const got: { id: string; input: unknown; userId: string }[] = [];
  const files: string[] = [];
  const transport: Transport = {
    send: async (entry, { userId }) => {
      const receipt = await answer(entry, userId);
      got.push({ id: entry.id, input: entry.input, userId });
      return receipt;
    },
    sendAttachment: async ({ id, data, sha256 }, { onProgress }) => {
      if (sha256 === 'bad') throw refusal('invalid', 'The picture cannot be read');
      onProgress(data.size);
      files.push(id);
    },
  };
  return { got, files, transport, options: { transport } satisfies PageOptions };
}

/** An error as it arrives over the wire. */
function refusal(code: ErrorCode, message?: string, more: { thisOnly?: true } = {}): Error {
  const app = { code, ...(message && { message }), ...more };
  return Object.assign(new AppError(code), { data: { code, app } });
}

async function signedIn(device: Device, options: PageOptions, person = 'ann'): Promise<Page> {
  const page = device.openPage(options);
  await page.offline.setPerson(person);
  return page;
}

const eventually = (check: () => void) => vi.waitFor(check, { ...PATIENCE, interval: 3 });
const entry = (n: number) => ({ command: 'x.do', input: { n }, title: `Entry ${n}` });
const items = (page: Page): readonly QueuedCommand[] => page.offline.sendQueue.items();
const stateOf = (page: Page, id: string) => items(page).find((item) => item.id === id)?.state;
const numbers = (got: readonly { input: unknown }[]) => got.map(({ input }) => (input as { n: number }).n);

describe('O1 saved before it says saved', () => {
  test('what has resolved is there after the browser was killed', async () => {
    const device = new Device();
    device.online = false;
    const { options } = someServer();
    const page = await signedIn(device, options);
    const { id } = await page.offline.enqueue(entry(1));
    device.kill();
    const again = await signedIn(device, options);
    expect(items(again).map((item) => [item.id, item.state, item.title])).toEqual([[id, 'saved', 'Entry 1']]);
  });

  test('without room nothing of it is kept, and the draft still is', async () => {
    const device = new Device();
    const { options, got } = someServer();
    const page = await signedIn(device, options);
    page.offline.drafts.set('form', { text: 'typed' });
    await eventually(() => expect(page.offline.drafts.get('form').state).toBe('saved'));
    device.full = true;
    const failed = page.offline.enqueue({
      ...entry(1),
      draftKey: 'form',
      attachments: [{ id: uuidv7(), blob: new Blob(['abc']), sha256: 'x' }],
    });
    await expect(failed).rejects.toMatchObject({ name: 'OfflineError', code: 'storage_full' });
    await eventually(() => expect(page.offline.drafts.get('form').state).toBe('failed'));
    device.full = false;
    device.kill();
    const again = await signedIn(device, options);
    expect(items(again)).toEqual([]);
    expect(again.offline.drafts.get('form').value).toEqual({ text: 'typed' });
    expect(got).toEqual([]);
  });

  test('the draft goes exactly when the entry is there', async () => {
    const device = new Device();
    device.online = false;
    const { options } = someServer();
    for (let fuse = 1; fuse <= 12; fuse += 1) {
      const page = await signedIn(device, options);
      const key = `form ${fuse}`;
      page.offline.drafts.set(key, fuse);
      await eventually(() => expect(page.offline.drafts.get(key).state).toBe('saved'));
      page.lightFuse(fuse);
      await Promise.race([page.offline.enqueue({ ...entry(fuse), draftKey: key }), page.death]);
      page.kill();
      const again = await signedIn(device, options);
      const kept = items(again).some(({ title }) => title === `Entry ${fuse}`);
      expect([kept, again.offline.drafts.get(key).state]).toEqual(kept ? [true, 'empty'] : [false, 'saved']);
      again.kill();
    }
  });

  test('what is saved while the device is first read stays in the list', async () => {
    const device = new Device();
    const { options } = someServer();
    let now = Date.parse('2026-11-21T10:00:00Z');
    const page = await signedIn(device, { ...options, now: () => now });
    for (let n = 0; n < 8; n += 1) await page.offline.enqueue(entry(n));
    await eventually(() => expect(items(page).every(({ state }) => state === 'received')).toBe(true));
    await page.close();
    now += 2 * 86_400_000;
    device.online = false;
    const again = device.openPage({ ...options, now: () => now });
    // Meanwhile the receipts of the day before are being removed.
    const reading = again.offline.setPerson('ann');
    await again.offline.enqueue(entry(8));
    await reading;
    expect(items(again).map(({ title }) => title)).toEqual(['Entry 8']);
  });

  test('handed in twice under one id it is one entry', async () => {
    const device = new Device();
    const { options, got } = someServer();
    const page = await signedIn(device, options);
    const id = uuidv7();
    await page.offline.enqueue({ ...entry(1), id });
    await page.offline.enqueue({ ...entry(1), id });
    await eventually(() => expect(stateOf(page, id)).toBe('received'));
    await page.offline.sendQueue.idle();
    expect(numbers(got)).toEqual([1]);
  });
});

describe('O2 oldest first, one at a time', () => {
  test('in the order of saving, whatever the clock of the device does', async () => {
    const device = new Device();
    device.online = false;
    const { options, got } = someServer();
    let now = Date.parse('2026-11-21T10:00:00Z');
    const page = await signedIn(device, { ...options, now: () => now });
    for (let n = 0; n < 10; n += 1) {
      now -= 3_600_000;
      await page.offline.enqueue(entry(n));
    }
    device.setOnline(true);
    await eventually(() => expect(got).toHaveLength(10));
    expect(numbers(got)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
  });
});

describe('O3 retried by code', () => {
  test.each(['busy', 'rate_limited', 'internal'] as const)(
    '%s is tried again with the same id',
    async (code) => {
      const device = new Device();
      const tries: string[] = [];
      const { options } = someServer(({ id }) => {
        tries.push(id);
        if (tries.length < 3) throw refusal(code);
        return 'receipt';
      });
      const page = await signedIn(device, options);
      const { id } = await page.offline.enqueue(entry(1));
      await eventually(() => expect(stateOf(page, id)).toBe('received'));
      expect(tries).toEqual([id, id, id]);
      expect(items(page)[0]).toMatchObject({ attempts: 3, receipt: 'receipt', lastError: null, input: null });
    },
  );

  test('a lost connection holds everything, in order', async () => {
    const device = new Device();
    let away = true;
    const { options, got } = someServer(() => {
      if (away) throw new TypeError('fetch failed');
    });
    const page = await signedIn(device, options);
    for (let n = 0; n < 3; n += 1) await page.offline.enqueue(entry(n));
    await eventually(() => expect(items(page)[0]?.attempts).toBeGreaterThan(2));
    expect(items(page).map(({ attempts }) => attempts > 0)).toEqual([true, false, false]);
    expect(items(page)[0]?.lastError).toEqual({ code: 'unreachable' });
    away = false;
    await eventually(() => expect(numbers(got)).toEqual([0, 1, 2]));
  });

  test.each(['internal', 'busy'] as const)(
    'a wait that ends while the queue is looked at ends (%s)',
    async (code) => {
      const device = new Device();
      let tries = 0;
      const { options } = someServer(() => {
        tries += 1;
        if (tries < 3) throw refusal(code);
      });
      const page = await signedIn(device, { ...options, backoff: () => 0 });
      const { id } = await page.offline.enqueue(entry(1));
      await eventually(() => expect(stateOf(page, id)).toBe('received'));
    },
  );

  test('one for which alone there is no room holds up no other, and is tried for as long as it takes', async () => {
    const device = new Device();
    let room = false;
    const { options, got } = someServer(({ input }) => {
      if ((input as { n: number }).n === 0 && !room) throw refusal('busy', 'No room', { thisOnly: true });
    });
    const page = await signedIn(device, options);
    for (let n = 0; n < 3; n += 1) await page.offline.enqueue(entry(n));
    await eventually(() => expect(numbers(got)).toEqual([1, 2]));
    await eventually(() => {
      const [held] = items(page);
      expect(held?.attempts).toBeGreaterThan(MAX_FAULTS);
      // The command waits between two tries.
      expect(held).toMatchObject({ state: 'saved', lastError: { code: 'busy', message: 'No room' } });
    });
    room = true;
    await eventually(() => expect(numbers(got)).toEqual([1, 2, 0]));
  });

  test('one that the server fails on again and again does not hold up the others, and ends with a person', async () => {
    const device = new Device();
    const { options, got } = someServer(({ input }) => {
      if ((input as { n: number }).n === 0) throw refusal('internal');
    });
    const page = await signedIn(device, options);
    for (let n = 0; n < 3; n += 1) await page.offline.enqueue(entry(n));
    await eventually(() => expect(numbers(got)).toEqual([1, 2]));
    await eventually(() => expect(items(page)[0]?.state).toBe('attention'));
    expect(items(page)[0]).toMatchObject({ attempts: 8, input: { n: 0 } });
  });
});

describe('O4 a refusal needs a person', () => {
  test('it keeps its reason and its data, the queue goes on, and it can be sent again or thrown away', async () => {
    const device = new Device();
    let strict = true;
    const { options, got } = someServer(({ input }) => {
      if (strict && (input as { n: number }).n === 0)
        throw refusal('invalid', 'That date lies in the future');
    });
    const page = await signedIn(device, options);
    const { id } = await page.offline.enqueue(entry(0));
    await page.offline.enqueue(entry(1));
    await eventually(() => expect(numbers(got)).toEqual([1]));
    await page.offline.sendQueue.idle();
    expect(items(page)[0]).toMatchObject({
      state: 'attention',
      input: { n: 0 },
      lastError: { code: 'invalid', message: 'That date lies in the future' },
    });
    expect(page.offline.sendQueue.status().counts).toMatchObject({ waiting: 1, attention: 1, sending: 0 });
    strict = false;
    await page.offline.sendQueue.retry(id);
    await eventually(() => expect(stateOf(page, id)).toBe('received'));
    strict = true;
    const refused = await page.offline.enqueue(entry(0));
    await eventually(() => expect(stateOf(page, refused.id)).toBe('attention'));
    expect(await page.offline.sendQueue.discard(refused.id)).toBe(true);
    expect(stateOf(page, refused.id)).toBeUndefined();
  });

  test('an expired session holds everything until the same person is back', async () => {
    const device = new Device();
    let expired = true;
    const { options, got } = someServer(() => {
      if (expired) throw refusal('unauthenticated');
    });
    const page = await signedIn(device, options);
    await page.offline.enqueue(entry(0));
    await page.offline.enqueue(entry(1));
    await eventually(() => expect(page.offline.sendQueue.status().wait).toBe('sign-in'));
    await page.offline.setPerson(null);
    expect(items(page)).toEqual([]);
    expired = false;
    await page.offline.setPerson('bob');
    await page.offline.sendQueue.idle();
    expect([items(page), got]).toEqual([[], []]);
    await page.offline.setPerson('ann');
    await eventually(() => expect(got.map(({ userId }) => userId)).toEqual(['ann', 'ann']));
  });

  test('an old page waits for the update', async () => {
    const device = new Device();
    let old = true;
    const { options, got } = someServer(() => {
      if (old) throw refusal('upgrade_required');
    });
    const page = await signedIn(device, options);
    await page.offline.enqueue(entry(0));
    await eventually(() => expect(page.offline.sendQueue.status().wait).toBe('update'));
    expect(items(page)[0]?.state).toBe('saved');
    page.kill();
    old = false;
    await signedIn(device, options);
    await eventually(() => expect(got).toHaveLength(1));
  });
});

describe('O13 a refused entry is put right in its form', () => {
  const photo = () => ({ id: uuidv7(), sha256: 'x', blob: new Blob(['picture'], { type: 'image/jpeg' }) });
  const rules: Answer = ({ input }) => {
    if ((input as { n: number }).n === 0) throw refusal('invalid', 'Not nought');
    return { ok: true };
  };
  const formOf = (value: unknown) => ({ form: { path: '/form?a=b', value } });

  /** A command that the server has refused, and the drafts in which it is corrected. */
  async function refused(page: Page) {
    const { id, attachments } = await page.offline.enqueue({
      ...entry(0),
      ...formOf('nought'),
      attachments: [photo()],
    });
    await eventually(() => expect(stateOf(page, id)).toBe('attention'));
    await page.offline.sendQueue.idle();
    return { id, fileId: attachments[0]?.id ?? '', draftKey: editKeyOf(id) };
  }
  const reopen = (page: Page, id: string) =>
    page.offline.reopen(
      id,
      (item, files) =>
        new Map<string, unknown>([
          [editKeyOf(id), item.form?.value],
          [partKeyOf(editKeyOf(id), 'row'), [...files.keys()]],
        ]),
    );
  const corrected = (draftKey: string, id: string, fileId: string) => ({
    ...entry(1),
    ...formOf('one'),
    draftKey,
    replaces: id,
    attachments: [{ ...photo(), id: fileId }],
  });

  test('everything that it was made of is there again, and the corrected one takes its place', async () => {
    const device = new Device();
    const { options, got, files } = someServer(rules);
    const page = await signedIn(device, options);
    const { id, fileId, draftKey } = await refused(page);
    await reopen(page, id);
    expect(page.offline.drafts.get(draftKey).value).toBe('nought');
    expect(page.offline.drafts.get(partKeyOf(draftKey, 'row')).value).toEqual([fileId]);
    page.offline.drafts.set(draftKey, 'one');
    // If the form is opened again, the correction that was begun stays.
    await reopen(page, id);
    expect(page.offline.drafts.get(draftKey).value).toBe('one');
    const { id: second } = await page.offline.enqueue(corrected(draftKey, id, fileId));
    await eventually(() => expect(stateOf(page, second)).toBe('received'));
    await page.offline.sendQueue.idle();
    expect(items(page).map((item) => [item.id, item.form])).toEqual([[second, null]]);
    expect([numbers(got), files]).toEqual([[1], [fileId]]);
    expect(page.offline.drafts.get(draftKey).state).toBe('empty');
    expect(page.offline.drafts.get(partKeyOf(draftKey, 'row')).state).toBe('empty');
  });

  test('killed in the middle it is the one or the other, with its photo, and at the end one was received', async () => {
    const outcomes = new Set<string>();
    for (let fuse = 1; fuse <= 24; fuse += 1) {
      const device = new Device();
      const { options, got } = someServer(rules);
      const page = await signedIn(device, options);
      const { id, fileId, draftKey } = await refused(page);
      device.setOnline(false);
      page.lightFuse(fuse);
      const handIn = async () => {
        await reopen(page, id);
        await page.offline.enqueue(corrected(draftKey, id, fileId));
      };
      await Promise.race([handIn(), page.death]);
      page.kill();

      const again = await signedIn(device, options);
      const left = items(again).map(({ title, state }) => `${title} ${state}`);
      expect([['Entry 0 attention'], ['Entry 1 saved']]).toContainEqual(left);
      outcomes.add(left.join());
      const bytes = await again.offline.items.bytesOf(fileId);
      expect(bytes?.byteLength).toBe(7);
      if (left[0] === 'Entry 0 attention') {
        await reopen(again, id);
        await again.offline.enqueue(corrected(draftKey, id, fileId));
      } else {
        expect(again.offline.drafts.get(draftKey).state).toBe('empty');
      }
      device.setOnline(true);
      await eventually(() => expect(items(again).map(({ state }) => state)).toEqual(['received']));
      expect(numbers(got)).toEqual([1]);
      again.kill();
    }
    expect(outcomes.size).toBe(2);
  });

  test('one that was sent again meanwhile is not replaced, and nothing that was typed is lost', async () => {
    const device = new Device();
    let strict = true;
    const { options, got } = someServer((one, userId) => (strict ? rules(one, userId) : { ok: true }));
    const page = await signedIn(device, options);
    const { id, fileId, draftKey } = await refused(page);
    await reopen(page, id);
    strict = false;
    await page.offline.sendQueue.retry(id);
    await eventually(() => expect(stateOf(page, id)).toBe('received'));
    const late = page.offline.enqueue(corrected(draftKey, id, fileId));
    await expect(late).rejects.toMatchObject({ name: 'OfflineError', code: 'moved_on' });
    expect(page.offline.drafts.get(draftKey).value).toBe('nought');
    expect(numbers(got)).toEqual([0]);
    // No form uses the draft any more, so the next page removes it.
    await page.close();
    const again = await signedIn(device, options);
    expect(again.offline.drafts.get(draftKey).state).toBe('empty');
    expect(again.offline.drafts.get(partKeyOf(draftKey, 'row')).state).toBe('empty');
  });
});

describe('O5 one sender in the browser', () => {
  test('two pages send one after the other, and both show how it went', async () => {
    const device = new Device();
    let under = 0;
    let most = 0;
    const { options, got } = someServer(async () => {
      under += 1;
      most = Math.max(most, under);
      await pause(2);
      under -= 1;
    });
    const pages = [await signedIn(device, options), await signedIn(device, options)] as const;
    for (let n = 0; n < 10; n += 1) await pages[n % 2 === 0 ? 0 : 1].offline.enqueue(entry(n));
    for (const page of pages) {
      await eventually(() =>
        expect(items(page).map(({ state }) => state)).toEqual(Array(10).fill('received')),
      );
    }
    expect([numbers(got), most]).toEqual([[0, 1, 2, 3, 4, 5, 6, 7, 8, 9], 1]);
  });

  test('a page that dies while it sends hands over to the other', async () => {
    const device = new Device();
    let first = true;
    const { options } = someServer(() => {
      if (!first) return 'receipt';
      first = false;
      return new Promise(() => undefined);
    });
    const page = await signedIn(device, options);
    const other = await signedIn(device, options);
    const { id } = await page.offline.enqueue(entry(1));
    await eventually(() => expect(stateOf(other, id)).toBe('sending'));
    page.kill();
    await eventually(() => expect(stateOf(other, id)).toBe('received'));
  });
});

describe('O6 with a full disk', () => {
  test('all that waits reaches the server once, with its photos, and leaves the queue when there is room', async () => {
    const device = new Device();
    device.online = false;
    const { options, got, files } = someServer(({ input }) => {
      if ((input as { n: number }).n === 1) throw refusal('invalid', 'Not one');
      return { ok: true };
    });
    const page = await signedIn(device, options);
    const photos = ['x', 'y'].map((sha256) => ({ id: uuidv7(), sha256, blob: new Blob(['picture']) }));
    await page.offline.enqueue({ ...entry(0), attachments: photos });
    const refused = await page.offline.enqueue(entry(1));
    const last = await page.offline.enqueue(entry(2));
    device.full = true;
    device.setOnline(true);
    const { sendQueue } = page.offline;
    await eventually(() => expect([numbers(got), sendQueue.status().wait]).toEqual([[0, 2], 'storage']));
    // The server has the record: a person who could discard it now would believe that the server does not have it.
    expect(await sendQueue.discard(last.id)).toBe(false);
    for (let n = 0; n < 3; n += 1) {
      await sendQueue.sendNow();
      await sendQueue.idle();
    }
    expect([numbers(got), files]).toEqual([[0, 2], []]);
    expect(items(page).map(({ state }) => state)).toEqual(['saved', 'saved', 'saved']);
    device.full = false;
    await eventually(() => expect(files).toEqual(photos.map(({ id }) => id)));
    await sendQueue.idle();
    expect(items(page).map(({ state }) => state)).toEqual(['received', 'attention', 'received']);
    expect(stateOf(page, refused.id)).toBe('attention');
    expect(numbers(got)).toEqual([0, 2]);
  });

  test('photos go, too, each once', async () => {
    const device = new Device();
    const { options, got, files } = someServer();
    const page = await signedIn(device, options);
    const bad = { id: uuidv7(), sha256: 'bad', blob: new Blob(['picture']) };
    const photos = ['x', 'y'].map((sha256) => ({ id: uuidv7(), sha256, blob: new Blob(['picture']) }));
    const send = options.transport.sendAttachment;
    let first = true;
    options.transport.sendAttachment = async (...asked) => {
      device.full = true;
      if (first) {
        first = false;
        throw new TypeError('fetch failed');
      }
      return send(...asked);
    };
    const { id } = await page.offline.enqueue({ ...entry(0), attachments: [bad, ...photos] });
    await eventually(() => expect(files).toEqual(photos.map((one) => one.id)));
    await eventually(() => expect(page.offline.sendQueue.status().wait).toBe('storage'));
    device.full = false;
    await eventually(() =>
      expect(items(page)[0]?.attachments.map(({ state }) => state)).toEqual([
        'attention',
        'received',
        'received',
      ]),
    );
    await page.offline.sendQueue.idle();
    expect([stateOf(page, id), numbers(got), files.length]).toEqual(['received', [0], 2]);
  });

  test('what it could not write down is sent again by the next page, under the same id', async () => {
    const device = new Device();
    device.online = false;
    const { options, got } = someServer();
    const page = await signedIn(device, options);
    const { id } = await page.offline.enqueue(entry(0));
    device.full = true;
    device.setOnline(true);
    await eventually(() => expect(page.offline.sendQueue.status().wait).toBe('storage'));
    device.kill();
    device.full = false;
    const again = await signedIn(device, options);
    await eventually(() => expect(stateOf(again, id)).toBe('received'));
    expect(got.map((one) => one.id)).toEqual([id, id]);
  });
});

describe('O8 attachments', () => {
  const attached = (...hashes: string[]) => ({
    ...entry(1),
    attachments: hashes.map((sha256) => ({
      id: uuidv7(),
      sha256,
      blob: new Blob(['picture'], { type: 'image/jpeg' }),
    })),
  });

  test('go after the entry, and a bad one blocks neither it nor the others', async () => {
    const device = new Device();
    const { options, files, got } = someServer();
    const page = await signedIn(device, options);
    const { id, attachments } = await page.offline.enqueue(attached('good', 'bad', 'fine'));
    await page.offline.enqueue(entry(2));
    await eventually(() => expect(files).toHaveLength(2));
    await page.offline.sendQueue.idle();
    expect(numbers(got)).toEqual([1, 2]);
    const item = items(page).find((one) => one.id === id);
    expect(item?.state).toBe('received');
    expect(item?.attachments.map(({ state, sentBytes }) => [state, sentBytes])).toEqual([
      ['received', 7],
      ['attention', 0],
      ['received', 7],
    ]);
    expect(item?.attachments[1]?.lastError?.message).toBe('The picture cannot be read');
    expect(page.offline.sendQueue.status().counts).toMatchObject({
      waiting: 0,
      attention: 1,
      attachments: 0,
    });
    // Attachments that the server has are not kept; a refused attachment is kept.
    const left = await Promise.all(attachments.map((one) => page.offline.items.bytesOf(one.id)));
    expect(left.map((bytes) => bytes?.byteLength)).toEqual([undefined, 7, undefined]);
  });
});

describe('O9 parts of a draft', () => {
  const part = partKeyOf('form', 'row');
  const kept = async (page: Page) => {
    const rows = await page.store.read((db) => db.getAllKeys('drafts'));
    return rows.map(([, key]) => key);
  };
  async function filled(page: Page): Promise<void> {
    page.offline.drafts.set('form', 'typed');
    page.offline.drafts.set(part, ['photo']);
    page.offline.drafts.set('form two', 'typed');
    await page.offline.drafts.settled();
  }

  test('go when it is thrown away, and when it has become an entry', async () => {
    const device = new Device();
    device.online = false;
    const { options } = someServer();
    const page = await signedIn(device, options);
    await filled(page);
    await page.offline.drafts.clear('form');
    expect(await kept(page)).toEqual(['form two']);
    expect(page.offline.drafts.get(part).state).toBe('empty');
    await filled(page);
    await page.offline.enqueue({ ...entry(1), draftKey: 'form' });
    expect(await kept(page)).toEqual(['form two']);
    expect(page.offline.drafts.get(part).state).toBe('empty');
  });

  test('are forgotten where their draft is gone', async () => {
    const device = new Device();
    const { options } = someServer();
    const page = await signedIn(device, options);
    page.offline.drafts.set(part, ['photo']);
    await page.offline.drafts.settled();
    await page.close();
    const again = await signedIn(device, options);
    expect(await kept(again)).toEqual([]);
    expect(again.offline.drafts.get(part).state).toBe('empty');
  });
});

describe('O10 updates of the page', () => {
  const upgrades = [...UPGRADES, (db: OfflineDatabase) => void db.deleteObjectStore('copies')];

  test('a newer page takes over what an older one saved', async () => {
    const device = new Device();
    device.online = false;
    const { options, got } = someServer();
    const page = await signedIn(device, options);
    await page.offline.enqueue(entry(1));
    page.offline.drafts.set('form', 'typed');
    await eventually(() => expect(page.offline.drafts.get('form').state).toBe('saved'));
    // The older page is still open, and closes its database for the newer page.
    const newer = await signedIn(device, { ...options, upgrades });
    expect(items(newer).map(({ title }) => title)).toEqual(['Entry 1']);
    expect(newer.offline.drafts.get('form').value).toBe('typed');
    await expect(page.offline.enqueue(entry(2))).rejects.toMatchObject({ code: 'newer_version' });
    device.setOnline(true);
    await eventually(() => expect(numbers(got)).toEqual([1]));
  });

  test('an older page does not touch what a newer one saved', async () => {
    const device = new Device();
    device.online = false;
    const { options } = someServer();
    const newer = await signedIn(device, { ...options, upgrades });
    await newer.offline.enqueue(entry(1));
    await newer.close();
    const older = await signedIn(device, options);
    expect(older.offline.sendQueue.status()).toMatchObject({ ready: true, broken: 'newer_version' });
    const failed = await older.offline.enqueue(entry(2)).catch((error: unknown) => error);
    expect(failed).toBeInstanceOf(OfflineError);
    const again = await signedIn(device, { ...options, upgrades });
    expect(items(again).map(({ title }) => title)).toEqual(['Entry 1']);
  });
});

test('O10 a browser that does not open the database is said to keep nothing, and asked again', async () => {
  const device = new Device();
  device.online = false;
  const { options } = someServer();
  await (await signedIn(device, options)).offline.enqueue(entry(1));
  device.kill();
  const silent = vi.spyOn(indexedDB, 'open').mockImplementation(() => new EventTarget() as IDBOpenDBRequest);
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  let isOver = false;
  const signing = signedIn(device, options).finally(() => {
    isOver = true;
  });
  while (!isOver) await vi.advanceTimersByTimeAsync(10_000);
  const page = await signing;
  expect(page.offline.sendQueue.status()).toMatchObject({ ready: true, broken: 'storage_failed' });
  silent.mockRestore();
  vi.useRealTimers();
  await page.offline.enqueue(entry(2));
  await page.offline.refresh();
  expect(items(page).map(({ title }) => title)).toEqual(['Entry 1', 'Entry 2']);
  expect(page.offline.sendQueue.status().broken).toBeNull();
});

describe('O11 another person on the same device', () => {
  test('sees neither entries nor drafts nor copies, and sends nothing of the first', async () => {
    const device = new Device();
    device.online = false;
    const { options, got } = someServer();
    const page = await signedIn(device, options);
    await page.offline.enqueue(entry(1));
    page.offline.drafts.set('form', 'of ann');
    await eventually(() => expect(page.offline.drafts.get('form').state).toBe('saved'));
    await page.offline.copies.keep('rows', ['of ann']);
    expect([...(await page.offline.items.ofOthers('ann'))]).toEqual([]);
    await page.offline.setPerson('bob');
    // An administrator who saves other people's commands to a file sees their number and their owners.
    expect([...(await page.offline.items.ofOthers('bob'))]).toEqual([['ann', 1]]);
    device.setOnline(true);
    const sent = got.length;
    await page.offline.sendQueue.idle();
    expect(items(page)).toEqual([]);
    expect(page.offline.drafts.get('form')).toMatchObject({ state: 'empty', value: undefined });
    await eventually(() => expect(page.offline.copies.get('rows')).toBeNull());
    expect(got.slice(sent)).toEqual([]);
    await page.offline.setPerson('ann');
    await eventually(() => expect(numbers(got)).toEqual([1]));
    await page.offline.sendQueue.idle();
    expect([...(await page.offline.items.ofOthers('bob'))]).toEqual([]);
    expect(page.offline.drafts.get('form').value).toBe('of ann');
    await eventually(() => expect(page.offline.copies.get('rows')).toBeNull());
  });
});

describe('O14 a second copy in another storage', () => {
  const photo = (text = 'picture') => ({ id: uuidv7(), sha256: 'x', blob: new Blob([text]) });
  const taken = () => [{ id: uuidv7(), blob: new Blob(['taken'], { type: 'image/jpeg' }) }];
  const namesIn = (device: Device) => [...device.mirror.keys()].map(decodeURIComponent);

  test('a database that the browser threw away is there again, with everything in it, and is sent once', async () => {
    const device = new Device();
    device.online = false;
    const { options, got, files } = someServer(({ input }) => {
      if ((input as { n: number }).n === 3) throw refusal('invalid', 'Not three');
      return { ok: true };
    });
    const page = await signedIn(device, options);
    const photos = [photo(), photo()];
    await page.offline.enqueue({ ...entry(1), attachments: photos });
    await page.offline.enqueue(entry(2));
    await page.offline.enqueue({ ...entry(3), form: { path: '/form', value: { text: 'wrong' } } });
    page.offline.drafts.set('form', { text: 'typed' });
    page.offline.drafts.set(partKeyOf('form', 'row'), taken());
    await page.offline.copies.keep('rows', ['of ann']);
    await page.offline.setPerson('bob');
    await page.offline.enqueue(entry(4));
    // By now the copies of ann are gone; those of the signed-in person are not.
    await page.offline.copies.keep('rows', ['of bob']);
    await eventually(() => expect(device.mirror.size).toBe(9));
    device.loseDatabase();

    const again = await signedIn(device, options, 'bob');
    expect(items(again).map(({ title, state }) => [title, state])).toEqual([['Entry 4', 'saved']]);
    again.offline.copies.get('rows');
    await eventually(() => expect(again.offline.copies.get('rows')?.value).toEqual(['of bob']));
    device.setOnline(true);
    await eventually(() => expect(numbers(got)).toEqual([4]));
    await again.offline.setPerson('ann');
    expect(items(again).map(({ title }) => title)).toEqual(['Entry 1', 'Entry 2', 'Entry 3']);
    expect(again.offline.drafts.get('form').value).toEqual({ text: 'typed' });
    const [kept] = again.offline.drafts.get(partKeyOf('form', 'row')).value as { blob: Blob }[];
    expect([await kept?.blob.text(), kept?.blob.type]).toEqual(['taken', 'image/jpeg']);
    await eventually(() => expect(files).toEqual(photos.map(({ id }) => id)));
    await again.offline.sendQueue.idle();
    expect(numbers(got)).toEqual([4, 1, 2]);
    expect(items(again).map(({ state, form }) => [state, form])).toEqual([
      ['received', null],
      ['received', null],
      ['attention', { path: '/form', value: { text: 'wrong' } }],
    ]);
    // The mirror keeps nothing that the server has.
    await eventually(() =>
      expect(namesIn(device).filter((name) => /items|blobs/.test(name))).toHaveLength(1),
    );
  });

  test('what was received, discarded, handed in or may not be seen any more does not come back', async () => {
    const device = new Device();
    const { options, got } = someServer(({ input }) => {
      if ((input as { n: number }).n === 2) throw refusal('invalid', 'Not two');
      return { ok: true };
    });
    const page = await signedIn(device, options);
    page.offline.drafts.set('form', 'typed');
    await page.offline.enqueue({ ...entry(1), draftKey: 'form', attachments: [photo()] });
    const { id } = await page.offline.enqueue({ ...entry(2), attachments: [photo()] });
    page.offline.drafts.set('other', 'typed');
    await page.offline.copies.keep('rows', ['of ann']);
    await eventually(() => expect(stateOf(page, id)).toBe('attention'));
    await page.offline.sendQueue.idle();
    await eventually(() =>
      expect(namesIn(device).filter((name) => /drafts|copies/.test(name))).toHaveLength(2),
    );
    expect(await page.offline.sendQueue.discard(id)).toBe(true);
    await page.offline.drafts.clear('other');
    await page.offline.copies.dropAll();
    expect(namesIn(device)).toEqual([]);
    device.loseDatabase();
    const again = await signedIn(device, options);
    expect(items(again)).toEqual([]);
    expect(again.offline.drafts.get('form').state).toBe('empty');
    expect(numbers(got)).toEqual([1]);
  });

  test.each([...Array(12).keys()])('lost, and killed after %i steps of putting it back', async (steps) => {
    const device = new Device();
    device.online = false;
    const { options, got, files } = someServer();
    const page = await signedIn(device, options);
    for (const n of [1, 2, 3]) await page.offline.enqueue({ ...entry(n), attachments: [photo()] });
    device.loseDatabase();
    const first = device.openPage({ ...options, fuse: steps + 1 });
    // A second page at the same time, which also sees everything or dies.
    const second = device.openPage({ ...options, fuse: steps + 5 });
    await Promise.race([first.offline.setPerson('ann'), first.death]);
    await Promise.race([second.offline.setPerson('ann'), second.death]);
    for (const one of [first, second]) if (!one.dead) expect(items(one)).toHaveLength(3);
    device.kill();
    const again = await signedIn(device, options);
    expect(items(again).map(({ title }) => title)).toEqual(['Entry 1', 'Entry 2', 'Entry 3']);
    device.setOnline(true);
    await eventually(() => expect(numbers(got)).toEqual([1, 2, 3]));
    await eventually(() => expect(files).toHaveLength(3));
  });

  test('what a page wrote that ended before the second copy had it follows with the next page', async () => {
    const device = new Device();
    device.online = false;
    const { options } = someServer();
    const page = await signedIn(device, options);
    page.offline.drafts.set('form', 'typed');
    await page.offline.drafts.settled();
    // Two steps for the database, and dead before the mirror is written.
    page.lightFuse(3);
    await Promise.race([page.offline.enqueue({ ...entry(1), attachments: [photo()] }), page.death]);
    expect(page.dead).toBe(true);
    expect(namesIn(device)).toEqual([]);
    const next = await signedIn(device, options);
    expect(items(next).map(({ title }) => title)).toEqual(['Entry 1']);
    await eventually(() => expect(device.mirror.size).toBe(3));
    device.loseDatabase();
    const again = await signedIn(device, options);
    expect(items(again).map(({ title }) => title)).toEqual(['Entry 1']);
    expect(again.offline.drafts.get('form').value).toBe('typed');
  });

  test('saving does not wait until the copies of many sites are made', async () => {
    const device = new Device();
    device.online = false;
    const { options } = someServer();
    const page = await signedIn(device, options);
    device.mirrorTakesMs = 10;
    const sites = [...Array(60).keys()].map((n) => `site:${n}`);
    await Promise.all(sites.map((site) => page.offline.copies.keep(site, [site])));
    await eventually(() => expect(device.mirror.size).toBeGreaterThan(0));
    const { id } = await page.offline.enqueue(entry(1));
    const copied = namesIn(device);
    expect(copied.at(-1)).toContain(id);
    expect(copied.length).toBeLessThan(sites.length);
    await eventually(() => expect(device.mirror.size).toBe(sites.length + 1));
  });

  test('without room it makes some for the first copy, and nothing depends on it', async () => {
    const device = new Device();
    device.online = false;
    const { options, got } = someServer();
    const page = await signedIn(device, options);
    await page.offline.enqueue({ ...entry(1), attachments: [photo()] });
    device.tight = true;
    await page.offline.enqueue(entry(2));
    expect(namesIn(device)).toEqual([]);
    device.tight = false;
    await page.offline.enqueue(entry(3));
    expect(namesIn(device)).toEqual([]);
    device.kill();
    const again = await signedIn(device, options);
    await eventually(() => expect(device.mirror.size).toBe(4));
    device.setOnline(true);
    await eventually(() => expect(numbers(got)).toEqual([1, 2, 3]));
    await again.offline.sendQueue.idle();
    expect(items(again).map(({ state }) => state)).toEqual(['received', 'received', 'received']);
  });

  test('what an older page left goes through the updates since; what a newer one left is not touched', async () => {
    const upgrades = [
      ...UPGRADES,
      (_: OfflineDatabase, tx: Parameters<(typeof UPGRADES)[number]>[1]) => {
        void (async () => {
          for (const row of await tx.objectStore('items').getAll())
            await tx.objectStore('items').put({ ...row, title: `${row.title}, updated` });
        })();
      },
    ];
    const device = new Device();
    device.online = false;
    const { options } = someServer();
    const page = await signedIn(device, options);
    await page.offline.enqueue(entry(1));
    device.loseDatabase();
    const newer = await signedIn(device, { ...options, upgrades });
    expect(items(newer).map(({ title }) => title)).toEqual(['Entry 1, updated']);
    await eventually(() => expect(namesIn(device).map((name) => name.slice(0, 8))).toEqual(['2/items/']));
    // The page that upgraded was closed before it could tidy up, and there are unreadable files in the mirror, too.
    const [[name, entryNow] = ['', undefined]] = [...device.mirror];
    if (entryNow !== undefined) device.mirror.set(name.replace('2/', '1/'), entryNow);
    for (const wrong of ['1/items/%zz', '1/elsewhere/%22x%22', '', '1/drafts/%5B%22ann%22%2C%22x%22%5D'])
      device.mirror.set(wrong, { stamp: '', form: pack({ no: 'row' }) });
    device.loseDatabase();
    const older = await signedIn(device, options);
    expect(older.offline.sendQueue.status()).toMatchObject({ ready: true, broken: 'newer_version' });
    const again = await signedIn(device, { ...options, upgrades });
    expect(items(again).map(({ title }) => title)).toEqual(['Entry 1, updated']);
  });
});
