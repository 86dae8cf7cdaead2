import { createHash } from 'node:crypto';
import type { Sql } from 'postgres';
import type { AnnouncePhotoInput } from '#shared/features/photos.ts';
import { uuidv7 } from '#shared/ids.ts';
import { Device, type Page } from '#tests/support/device.ts';
import { picture } from '#tests/support/photos.ts';
import { createTransport } from '#web/app/offline-commands.ts';
import { sendPhoto } from '#web/features/photos/send-photo.ts';
import type { OutgoingAttachment } from '#web/offline/transport.ts';
import { type NewAttachment, OfflineError } from '#web/offline/types.ts';
import { pause } from '../bench/pace.ts';
import { createRandom, type Random } from './random.ts';
import { findPhotos, findSubmissions, furnish, makeSubmissions, type Submission } from './submissions.ts';
import { CALM, type Faults, startWebProxy } from './web-proxy.ts';

export type OutboxChaosOptions = {
  /** Asked for at each call. */
  serverUrl: () => string;
  sql: Sql;
  seed: string;
  submissions: number;
  /** Two or more people who share one phone, and may report in all of the buildings. */
  people: readonly string[];
  buildings: readonly string[];
  /** A new session of a person. @returns the `Cookie` header */
  signIn: (personId: string) => Promise<string>;
  /** Ends every session of a person. */
  endSessions: (personId: string) => Promise<void>;
  log?: ((line: string) => void) | undefined;
};

export type OutboxChaosReport = {
  seed: string;
  /** What is not as it must be; nothing, if all is well. */
  problems: string[];
  submissions: number;
  /** What happened meanwhile, and how often. */
  faults: Record<string, number>;
  seconds: number;
};

const STORMY: Faults = { ...CALM, dropAnswer: 0.3, doubleRequest: 0.05, loseRequest: 0.1 };
/** So long nothing may move. */
const STANDSTILL_MS = 60_000;
/** Beside a submission: how often something else happens. */
const EVENTS = {
  submit: 60,
  killPage: 12,
  killAll: 3,
  openSecond: 8,
  closePage: 4,
  network: 8,
  switchPerson: 5,
  endSessions: 4,
  fullDisk: 4,
  breathe: 10,
} as const;

/**
 * Two people share a phone in a bad network: pages die in the middle of anything, answers are lost, the disk is full,
 * sessions end, somebody else signs in. At the end the server must have each submission exactly once, from its owner.
 */
export async function runOutboxChaos(options: OutboxChaosOptions): Promise<OutboxChaosReport> {
  const { seed, people, log } = options;
  const started = performance.now();
  const random = createRandom(seed);
  const proxy = await startWebProxy(options.serverUrl, random.fork('network'));
  const problems: string[] = [];
  const onRejection = (reason: unknown) => void problems.push(`nobody handled: ${String(reason)}`);
  process.on('unhandledRejection', onRejection);
  const phone = new Phone({ ...options, url: proxy.url, random });
  const faults: Record<string, number> = {};
  try {
    proxy.faults(STORMY);
    const sites = await furnish(options.sql, options.buildings);
    const left = makeSubmissions(options.submissions, people, sites, random);
    await phone.switchTo(random.pick(people));
    while (left.length > 0) {
      const what = random.weighted(EVENTS);
      faults[what] = (faults[what] ?? 0) + 1;
      if (what === 'submit') {
        const place = left.findIndex(({ personId }) => personId === phone.personId);
        const next = left[place];
        if (next === undefined)
          await phone.switchTo(people[(people.indexOf(phone.personId) + 1) % people.length] ?? '');
        else if (await phone.submit(next)) left.splice(place, 1);
      } else await phone.suffer(what);
      if (left.length % 100 === 0 && what === 'submit') log?.(`${left.length} left to submit`);
    }
    // Answers are lost to the end: nothing that the phone does may depend on getting one.
    proxy.faults({ ...CALM, dropAnswer: STORMY.dropAnswer });
    log?.(`all saved after ${((performance.now() - started) / 1_000).toFixed(1)} s`);
    phone.heal();
    for (const personId of people) problems.push(...(await phone.drain(personId, STANDSTILL_MS)));
    problems.push(...(await differences(options.sql, phone.submitted)));
    problems.push(...(await missingPhotos(options.sql, phone.photos)));
  } finally {
    await phone.end();
    await proxy.close();
    process.off('unhandledRejection', onRejection);
  }
  const seconds = (performance.now() - started) / 1_000;
  const { dropped, doubled, lost } = proxy.counts;
  return {
    seed,
    problems,
    submissions: phone.submitted.length,
    faults: { ...faults, dropped, doubled, lost },
    seconds,
  };
}

async function differences(sql: Sql, submitted: readonly Submission[]): Promise<string[]> {
  const found = new Map<string, string[]>();
  for (const { mark, personId } of await findSubmissions(sql)) {
    found.set(mark, [...(found.get(mark) ?? []), personId]);
  }
  return submitted.flatMap(({ mark, personId, command }) => {
    const owners = found.get(mark) ?? [];
    if (owners.length !== 1) return [`${mark} (${command}) is there ${owners.length} times`];
    return owners[0] === personId ? [] : [`${mark} (${command}) is in a wrong name`];
  });
}

type TakenPhoto = { id: string; sha256: string; personId: string };

async function missingPhotos(sql: Sql, taken: readonly TakenPhoto[]): Promise<string[]> {
  const stored = await findPhotos(sql);
  const missing = taken.filter((one) => !stored.some((row) => JSON.stringify(row) === JSON.stringify(one)));
  const more =
    stored.length > taken.length ? [`${stored.length - taken.length} photos that nobody took`] : [];
  return [...missing.map(({ id }) => `photo ${id} is not there as the phone noted it`), ...more];
}

function takePhotos(count: number): NewAttachment[] {
  return Array.from({ length: count }, () => {
    const bytes = picture(5_000);
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    const blob = new Blob([new Uint8Array(bytes)], { type: 'image/png' });
    return { id: uuidv7(), blob, sha256, about: { width: 1, height: 1 } };
  });
}

function placeOf({ entry: { command, receipt } }: OutgoingAttachment): AnnouncePhotoInput['of'] {
  // What both commands answer.
  const { id } = receipt as { id: string };
  return command === 'issues.create' ? { issueId: id } : { visitId: id };
}

type PhoneParts = OutboxChaosOptions & { url: string; random: Random };

/** One device and whoever holds it. */
class Phone {
  readonly submitted: Submission[] = [];
  /** Those that the phone says have arrived. */
  readonly photos: TakenPhoto[] = [];
  personId = '';
  readonly #parts: PhoneParts;
  readonly #device = new Device();
  readonly #random: Random;

  constructor(parts: PhoneParts) {
    this.#parts = parts;
    this.#random = parts.random;
  }

  async switchTo(personId: string): Promise<void> {
    this.personId = personId;
    this.#device.cookie = await this.#parts.signIn(personId);
    // The other pages hear of it a little later: until then they still send with the cookie of somebody else.
    for (const page of this.#device.pages) {
      if (this.#random.chance(0.5)) await pause(this.#random.below(5));
      await Promise.race([page.offline.setPerson(personId), page.death]);
    }
  }

  /** @returns whether the phone says that it is saved */
  async submit(submission: Submission): Promise<boolean> {
    const { mark, command } = submission;
    const page = await this.#page();
    const { outbox } = page.offline;
    // A page that is looked at reads the disk: the one before may have died in the middle.
    if ((await Promise.race([page.offline.refresh(), page.death])) === 'dead') return false;
    // Whoever finds it in the list does not type it again.
    if (outbox.items().some(({ title }) => title === mark)) return this.#done(submission);
    page.offline.drafts.set(mark, submission.mark);
    const attachments = takePhotos(submission.photos);
    const input = submission.input(attachments.map(({ id }) => id));
    const entry = { command, input, title: mark, draftKey: mark, attachments };
    try {
      const end = await Promise.race([page.offline.enqueue(entry), page.death]);
      return end !== 'dead' && this.#done(submission);
    } catch (error) {
      if (error instanceof OfflineError && error.code === 'storage_full') this.#device.full = false;
      else throw error;
      return false;
    }
  }

  async suffer(what: Exclude<keyof typeof EVENTS, 'submit'>): Promise<void> {
    const random = this.#random;
    const pages = [...this.#device.pages];
    if (what === 'killPage') pages[random.below(pages.length)]?.lightFuse(1 + random.below(30));
    else if (what === 'killAll') this.#device.kill();
    else if (what === 'openSecond') {
      if (pages.length < 2) await this.#open();
    } else if (what === 'closePage') {
      if (pages.length > 1) await Promise.race([pages[0]?.close(), pages[0]?.death]);
    } else if (what === 'network') this.#device.setOnline(!this.#device.online || random.chance(0.5));
    else if (what === 'switchPerson') await this.switchTo(random.pick(this.#parts.people));
    else if (what === 'endSessions') {
      await this.#parts.endSessions(this.personId);
      await pause(random.below(20));
      await this.switchTo(this.personId);
    } else if (what === 'fullDisk') this.#device.full = true;
    else await pause(random.below(30));
  }

  heal(): void {
    this.#device.full = false;
    this.#device.setOnline(true);
  }

  /** Waits until everything of a person has its receipt, for as long as something moves. */
  async drain(personId: string, withinMs: number): Promise<string[]> {
    let deadline = performance.now() + withinMs;
    let left = Number.POSITIVE_INFINITY;
    await this.switchTo(personId);
    let page = await this.#page();
    for (;;) {
      if (page.dead) page = await this.#page();
      const { counts, wait, ready } = page.offline.outbox.status();
      if (ready && counts.waiting === 0 && counts.attachments === 0) break;
      if (counts.attention > 0 && counts.attention === counts.waiting) break;
      if (counts.waiting + counts.attachments < left) deadline = performance.now() + withinMs;
      left = counts.waiting + counts.attachments;
      if (performance.now() > deadline) return [`${counts.waiting} of ${personId} never left (${wait})`];
      await pause(5);
    }
    const items = page.offline.outbox.items();
    for (const { attachments } of items) {
      for (const { id, sha256 } of attachments) this.photos.push({ id, sha256, personId });
    }
    const bad = items.filter(({ attachments }) => attachments.some(({ state }) => state !== 'received'));
    const stuck = items.filter(({ state }) => state !== 'received');
    const wrong = items.filter(({ receipt, state }) => state === 'received' && receipt === null);
    return [
      ...stuck.map(({ title, lastError }) => `${title} needs attention: ${JSON.stringify(lastError)}`),
      ...bad.map(({ title, attachments }) => `a photo of ${title}: ${JSON.stringify(attachments)}`),
      ...wrong.map(({ title }) => `${title} was received without a receipt`),
    ];
  }

  async end(): Promise<void> {
    await Promise.all([...this.#device.pages].map((page) => Promise.race([page.close(), page.death])));
  }

  #done(submission: Submission): true {
    this.submitted.push(submission);
    return true;
  }

  async #page(): Promise<Page> {
    const pages = [...this.#device.pages];
    for (let tries = 0; ; tries += 1) {
      const page = tries === 0 && pages.length > 0 ? this.#random.pick(pages) : await this.#open();
      if (!page.dead && page.offline.outbox.status().ready) return page;
    }
  }

  async #open(): Promise<Page> {
    const { url } = this.#parts;
    const device = this.#device;
    const headers = () => ({
      origin: url,
      ...(device.cookie === undefined ? {} : { cookie: device.cookie }),
    });
    const page = device.openPage({
      transport: createTransport(
        (attachment, context) =>
          sendPhoto(attachment, placeOf(attachment), { ...context, to: { url, headers } }),
        { url: `${url}/trpc`, headers },
      ),
    });
    await Promise.race([page.offline.setPerson(this.personId), page.death]);
    return page;
  }
}
