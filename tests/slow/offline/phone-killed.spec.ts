import { createHash } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { operativeVisits } from '#db/schema/checks/visits.ts';
import { CHECK_KINDS, CHECK_VOCABULARY, type CheckKind } from '#shared/features/checks/kinds.vocabulary.ts';
import { rowsOnPhone } from '#tests/support/browser/kept-on-phone.ts';
import { enterAs } from '#tests/support/browser/pages.ts';
import { createPhone, type Phone } from '#tests/support/browser/phone.ts';
import { CALM, startWebProxy, type WebProxy } from '#tests/support/network/web-proxy.ts';
import { PATIENCE } from '#tests/support/patience.ts';
import { createTestDatabase, type TestDatabase } from '#tests/support/postgres/database.ts';
import { type Random, seededRandom } from '#tests/support/random.ts';
import { createAsset } from '#tests/support/rows/checks.ts';
import {
  createBuilding,
  createPerson,
  type TestBuilding,
  type TestPerson,
} from '#tests/support/rows/factories.ts';
import { noisyPicture, photoRows } from '#tests/support/rows/photos.ts';
import { choose } from '#tests/support/screens/check-form.ts';
import { startTestServer, type TestServer } from '#tests/support/server/server.ts';

const NO_NETWORK = { ...CALM, loseRequest: 1 };
const KINDS = CHECK_KINDS.filter((kind) =>
  ['fire_alarm_test', 'emergency_lighting_test', 'water_temperature_check', 'outlet_flushing'].includes(kind),
);
/** The total number of kills, while filling in and while sending. */
const KILLS = 8;
const PATIENCE_MS = 420_000;

let database: TestDatabase;
let server: TestServer;
let dataDir: string;
let building: TestBuilding;

beforeAll(async () => {
  database = await createTestDatabase();
  dataDir = await mkdtemp(join(tmpdir(), 'lintel-killed-'));
  server = await startTestServer(database, { env: { dataDir } });
  building = await createBuilding(server.services, { name: 'Harbour House' });
  const make = (name: string, values: Partial<Parameters<typeof createAsset>[1]>) =>
    createAsset(server.services, { buildingId: building.id, name, ...values });
  await make('Front Door', { type: 'call_point' });
  await make('Exit sign', { type: 'emergency_light' });
  await make('Kitchen tap', { type: 'water_outlet', outletKind: 'cold' });
});
afterAll(async () => {
  await server.stop();
  await database.drop();
  await rm(dataDir, { recursive: true, force: true });
});

/** One person with a phone, through all kills. */
class Round {
  readonly #phone: Phone;
  readonly #proxy: WebProxy;
  readonly #random: Random;
  readonly #person: TestPerson;
  #left = KILLS;
  /** The duration of the last completed step, so that a kill hits a random moment of a step on any machine. */
  #usualMs = 2_000;
  #page: Page | undefined;

  constructor(phone: Phone, proxy: WebProxy, random: Random, person: TestPerson) {
    this.#phone = phone;
    this.#proxy = proxy;
    this.#random = random;
    this.#person = person;
  }

  /** Signs in once, with a network, and waits until everything needed below is on the phone. */
  async prepare(): Promise<void> {
    const page = await this.#phone.open();
    await enterAs(page.context(), server, this.#person, { url: this.#proxy.url, lasting: true });
    await page.goto(`${this.#proxy.url}/operative-tasks`);
    const ready = async () => {
      const names = (await rowsOnPhone<{ name: string }>(page, 'copies')).map(({ name: copy }) => copy);
      const worker = await page.evaluate(
        async () => (await navigator.serviceWorker.getRegistration())?.active?.state === 'activated',
      );
      return worker && names.includes('checks.sites');
    };
    await expect.poll(ready).toBe(true);
    await this.#phone.close();
  }

  /** Repeats a step until it succeeds, and sometimes kills the page or the whole browser during it. */
  async survive(step: (page: Page) => Promise<boolean>): Promise<void> {
    for (;;) {
      const kill = this.#left > 0 && this.#random.chance(0.6);
      const moment = 100 + this.#random.below(this.#usualMs);
      let ended = false;
      const end = () => {
        ended = true;
        void this.#end();
      };
      const timer = kill ? setTimeout(end, moment) : undefined;
      const begun = Date.now();
      try {
        this.#page ??= await this.#phone.open();
        // A call to a killed browser may never return.
        const done = await Promise.race([step(this.#page), this.#gone()]);
        this.#usualMs = Date.now() - begun;
        if (done) return;
      } catch (error) {
        // After a kill any call may fail; another error is a failure of the test.
        if (!ended) throw error;
        // A page that was opened just before the kill is gone, too.
        this.#page = undefined;
      } finally {
        clearTimeout(timer);
        await this.#ending;
      }
    }
  }

  #tellGone: (() => void) | undefined;
  #gone(): Promise<never> {
    return new Promise((_, reject) => {
      this.#tellGone = () => reject(new Error('ended in the middle'));
    });
  }

  #ending: Promise<void> | undefined;
  #end(): Promise<void> {
    const page = this.#page;
    this.#page = undefined;
    this.#left -= 1;
    const whole = this.#random.chance(0.6);
    this.#ending = (whole ? this.#phone.kill() : (page?.close() ?? Promise.resolve()))
      .catch(() => undefined)
      .then(() => this.#tellGone?.());
    return this.#ending;
  }

  /** The number of kills so far. */
  get ends(): number {
    return KILLS - this.#left;
  }

  get url(): string {
    return this.#proxy.url;
  }
}

type Item = {
  command: string;
  state: string;
  receipt: { logNumber?: number } | null;
  title: string;
  attachments: { id: string; sha256: string; state: string; lastError: unknown }[];
  lastError: unknown;
};

const outboxOf = (page: Page) => rowsOnPhone<Item>(page, 'items');
const itemOf = async (page: Page, kind: CheckKind) =>
  (await outboxOf(page)).find(({ title }) => title.startsWith(CHECK_VOCABULARY[kind].title));

/** Continues a form from its draft, with a photo, and hands it in. @returns whether it is in the send queue */
async function recordOnce(page: Page, url: string, kind: CheckKind): Promise<boolean> {
  await page.goto(`${url}/operative-tasks/${CHECK_VOCABULARY[kind].slug}?site=${building.id}`);
  const submit = page.getByRole('button', { name: /^Record/ });
  await submit.or(page.getByText('Saved on this phone').first()).first().waitFor();
  if ((await itemOf(page, kind)) !== undefined) return true;
  switch (kind) {
    case 'fire_alarm_test':
      if ((await page.getByText('Front Door').count()) === 0) {
        await choose(page, 'Test location', 'Front Door');
      }
      await press(page, 'Pass');
      break;
    case 'emergency_lighting_test':
      await press(page, 'Pass');
      await page.getByLabel(/^Supply restored/).check();
      break;
    case 'water_temperature_check':
      await page.getByLabel('Temperature of Kitchen tap', { exact: true }).fill('14.2');
      break;
    default:
      await press(page, 'Flushed');
  }
  if ((await page.getByRole('button', { name: /not sent yet/ }).count()) === 0) {
    await page
      .locator('input[type=file]')
      .first()
      .setInputFiles({ name: 'photo.png', mimeType: 'image/png', buffer: noisyPicture(700, 520) });
    await page.getByRole('button', { name: /not sent yet/ }).waitFor();
  }
  await submit.click();
  await expect.poll(() => itemOf(page, kind)).toBeDefined();
  return true;
}

/** Presses a button that is not pressed yet: a second press would undo it. */
async function press(page: Page, name: string): Promise<void> {
  const button = page.getByRole('button', { name, exact: true }).first();
  if ((await button.getAttribute('aria-pressed')) !== 'true') await button.click();
}

/** @returns whether everything is received; if not, the next opening of the page sends the waiting items again */
async function allReceived(page: Page, url: string): Promise<boolean> {
  await page.goto(`${url}/operative-tasks`);
  let states: string[] = [];
  const settled = async () => {
    const items = await outboxOf(page);
    states = items.flatMap(({ state, attachments }) => [state, ...attachments.map((one) => one.state)]);
    const received = items.length === KINDS.length && states.every((state) => state === 'received');
    return received || states.includes('attention');
  };
  const inTime = await vi.waitUntil(settled, PATIENCE).catch((error: unknown) => {
    if (error instanceof Error && error.message.startsWith('Timed out')) return false;
    throw error;
  });
  expect(states).not.toContain('attention');
  return inTime;
}

test.each([
  ['answers come', 0, 'phone-1'],
  ['half of the answers are lost after the server has done its part', 0.5, 'phone-2'],
])(
  'four checks with photos survive a phone that dies, offline and while it sends; %s',
  async (_, drop, seed) => {
    const random = seededRandom(seed);
    const proxy = await startWebProxy(() => server.url, random.fork('network'));
    const phone = await createPhone();
    const person = await createPerson(server.services, { role: 'operative', buildings: [building.id] });
    try {
      const round = new Round(phone, proxy, random.fork('kills'), person);
      await round.prepare();
      proxy.faults(NO_NETWORK);
      proxy.cut();
      for (const kind of KINDS) await round.survive((page) => recordOnce(page, round.url, kind));

      proxy.faults({ ...CALM, dropAnswer: drop });
      let items: Item[] = [];
      await round.survive(async (page) => {
        const done = await allReceived(page, round.url);
        if (done) items = await outboxOf(page);
        return done;
      });

      const { db, stores } = server.services;
      const visits = (await db.select().from(operativeVisits)).filter(
        ({ recordedBy }) => recordedBy === person.id,
      );
      expect(visits.map(({ kind }) => kind).sort()).toEqual([...KINDS].sort());
      expect(items.map(({ receipt }) => receipt?.logNumber).sort()).toEqual(
        visits.map(({ logNumber }) => logNumber).sort(),
      );
      const noted = items.flatMap(({ attachments }) => attachments);
      const stored = (await photoRows(db)).filter(({ uploadedBy }) => uploadedBy === person.id);
      expect(noted).toHaveLength(KINDS.length);
      expect(stored.map(({ id, state, sha256 }) => ({ id, state, sha256 })).sort(byId)).toEqual(
        noted.map(({ id, sha256 }) => ({ id, state: 'stored', sha256 })).sort(byId),
      );
      for (const photo of stored) {
        const hash = createHash('sha256');
        const file = await stores.disk.storage.get(photo.key);
        for await (const piece of file?.stream ?? []) hash.update(piece);
        expect(hash.digest('hex')).toBe(photo.sha256);
      }
      expect(round.ends).toBeGreaterThan(2);
      if (drop > 0) expect(proxy.counts.dropped).toBeGreaterThan(0);
    } finally {
      await phone.discard();
      await proxy.close();
    }
  },
  PATIENCE_MS,
);

function byId(a: { id: string }, b: { id: string }): number {
  return a.id < b.id ? -1 : 1;
}
