import { Device, type Page } from '#tests/support/offline/device.ts';
import { pause } from '#tests/support/pace.ts';
import type { Random } from '#tests/support/random.ts';
import { createTransport } from '#web/app/offline/offline-commands.ts';
import { photoTargetOf } from '#web/app/send-attachment.ts';
import { sendPhoto } from '#web/features/photos/send-photo.ts';
import { announcementOf } from '#web/features/photos/taken-photo.ts';
import type { Transport } from '#web/offline/queue/transport.ts';
import { OfflineError, type QueuedCommand } from '#web/offline/types.ts';
import type { StandingIssue, Submission } from './submissions.ts';
import { type NotedPhoto, takePhotos } from './taken-photos.ts';

/** Faults of a phone, with their weights. */
export const MISHAPS = {
  killPage: 12,
  killAll: 3,
  openSecond: 8,
  closePage: 4,
  network: 8,
  switchPerson: 5,
  endSessions: 4,
  fullDisk: 4,
  loseDatabase: 3,
  breathe: 10,
} as const;

/** Most photos taken of an issue from this phone, well below the limit per issue. */
const REPORTED_PHOTOS_MAX = 8;

export type PhoneParts = {
  url: string;
  random: Random;
  /** The people who share it. */
  people: readonly string[];
  /**
   * Begins a new session of a person.
   * @returns the `Cookie` header
   */
  signIn: (personId: string) => Promise<string>;
  /** Ends every session of a person. */
  endSessions: (personId: string) => Promise<void>;
};

type Noted = { id: string; sha256: string };

/** For a page that only reads. */
const NO_TRANSPORT: Transport = {
  send: () => Promise.reject(new TypeError('fetch failed')),
  sendAttachment: () => Promise.reject(new TypeError('fetch failed')),
};

/** One device and the people who use it. */
export class Phone {
  readonly submitted: Submission[] = [];
  /** Photos that the phone shows as received. */
  readonly photos: NotedPhoto[] = [];
  /** The issue that a photo was taken of, by photo id; includes photos that were never saved. */
  readonly #issueOf = new Map<string, string>();
  /** Marks that the phone showed as received before it lost its list, which a person would not enter again. */
  readonly #seenReceived = new Set<string>();
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
    // The other pages notice the change a little later; until then they send with the new person's cookie.
    for (const page of this.#device.pages) {
      if (this.#random.chance(0.5)) await pause(this.#random.below(5));
      await Promise.race([page.offline.setPerson(personId), page.death]);
    }
  }

  /** @returns whether the phone shows the submission as saved */
  async submit(submission: Submission): Promise<boolean> {
    const { mark, command } = submission;
    const page = await this.#page();
    const { sendQueue } = page.offline;
    // A page in the foreground reads the disk, because the page before it may have died in the middle of a write.
    if ((await Promise.race([page.offline.refresh(), page.death])) === 'dead') return false;
    // A person who sees the submission in the list does not enter it again.
    if (this.#seenReceived.has(mark)) return this.#done(submission);
    if (sendQueue.items().some(({ title }) => title === mark)) {
      return (await this.#stays(page, mark)) && this.#done(submission);
    }
    page.offline.drafts.set(mark, submission.mark);
    const photos = takePhotos(submission.photos);
    const issue = this.#issueFor(submission, sendQueue.items());
    if (submission.of.length > 0) for (const { id } of photos) this.#issueOf.set(id, issue.title);
    const input = submission.input(photos, issue);
    const attachments = photos.map((photo) =>
      command === 'photos.announce'
        ? announcementOf(photo, { issueId: issue.id }).attachment
        : { id: photo.id, blob: photo.blob, sha256: photo.sha256, about: photo.about },
    );
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

  async suffer(what: keyof typeof MISHAPS): Promise<void> {
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
    else if (what === 'loseDatabase') await this.#loseDatabase();
    else await pause(random.below(30));
  }

  heal(): void {
    this.#device.full = false;
    this.#device.setOnline(true);
  }

  /** Waits until everything of a person has its receipt, for as long as there is progress. */
  async drain(personId: string, withinMs: number): Promise<string[]> {
    let deadline = performance.now() + withinMs;
    let left = Number.POSITIVE_INFINITY;
    await this.switchTo(personId);
    let page = await this.#page();
    for (;;) {
      if (page.dead) page = await this.#page();
      const { counts, wait, ready } = page.offline.sendQueue.status();
      if (ready && counts.waiting === 0 && counts.attachments === 0) break;
      if (counts.attention > 0 && counts.attention === counts.waiting) break;
      if (counts.waiting + counts.attachments < left) deadline = performance.now() + withinMs;
      left = counts.waiting + counts.attachments;
      if (performance.now() > deadline) return [`${counts.waiting} of ${personId} never left (${wait})`];
      await pause(5);
    }
    const items = page.offline.sendQueue.items();
    this.#note(items);
    const bad = items.filter(({ attachments }) => attachments.some(({ state }) => state !== 'received'));
    const stuck = items.filter(({ state }) => state !== 'received');
    // An announcement without its photo could not be completed by anyone.
    const empty = items.filter((item) => item.command === 'photos.announce' && item.attachments.length !== 1);
    const wrong = items.filter(({ receipt, state }) => state === 'received' && receipt === null);
    return [
      ...stuck.map(({ title, lastError }) => `${title} needs attention: ${JSON.stringify(lastError)}`),
      ...bad.map(({ title, attachments }) => `a photo of ${title}: ${JSON.stringify(attachments)}`),
      ...empty.map(({ title }) => `${title} has lost its photo`),
      ...wrong.map(({ title }) => `${title} was received without a receipt`),
    ];
  }

  /** Picks an existing issue, or one that this phone reported and the server has received. */
  #issueFor({ of }: Submission, items: readonly QueuedCommand[]): StandingIssue {
    const reported = items.flatMap(({ command, state, receipt, title }) => {
      const id: unknown = Reflect.get(Object(receipt), 'id');
      const isThere = command === 'issues.create' && state === 'received' && typeof id === 'string';
      return isThere && this.#photosOn(title) < REPORTED_PHOTOS_MAX ? [{ id, title }] : [];
    });
    if (of.length === 0) return { id: '', title: '' };
    return reported.length > 0 && this.#random.chance(0.5)
      ? this.#random.pick(reported)
      : this.#random.pick(of);
  }

  #photosOn(title: string): number {
    return [...this.#issueOf.values()].filter((one) => one === title).length;
  }

  async end(): Promise<void> {
    await Promise.all([...this.#device.pages].map((page) => Promise.race([page.close(), page.death])));
  }

  /**
   * Returns whether an item in the list is stored permanently: a page that ends too early leaves the second copy to the
   * next page.
   */
  async #stays(page: Page, mark: string): Promise<boolean> {
    for (;;) {
      const item = page.offline.sendQueue.items().find(({ title }) => title === mark);
      if (page.dead || item === undefined) return false;
      const copies = [...this.#device.mirror.keys()];
      const rows = item.state === 'received' ? [] : [item.id];
      for (const { id, state } of item.attachments) if (state !== 'received') rows.push(id);
      const isCopied = rows.every((id) => copies.some((name) => name.includes(id)));
      if (isCopied || this.#device.full || page.gaveWay) return true;
      await pause(2);
    }
  }

  /** Kills the browser, which then finds its database damaged and discards it. */
  async #loseDatabase(): Promise<void> {
    this.#device.kill();
    const page = this.#device.openPage({ transport: NO_TRANSPORT });
    const received = (await page.store.read((db) => db.getAll('items'))).filter(
      ({ phase }) => phase === 'done',
    );
    this.#note(received);
    for (const { title } of received) this.#seenReceived.add(title);
    this.#device.loseDatabase();
  }

  #note(items: readonly { title: string; userId: string; attachments: readonly Noted[] }[]): void {
    for (const { attachments, title, userId } of items) {
      for (const { id, sha256 } of attachments) {
        if (this.photos.some((photo) => photo.id === id)) continue;
        const on = this.#issueOf.get(id) ?? title;
        this.photos.push({ id, sha256, personId: userId, mark: title, on });
      }
    }
  }

  #done(submission: Submission): true {
    this.submitted.push(submission);
    return true;
  }

  async #page(): Promise<Page> {
    const pages = [...this.#device.pages];
    for (let tries = 0; ; tries += 1) {
      const page = tries === 0 && pages.length > 0 ? this.#random.pick(pages) : await this.#open();
      if (!page.dead && page.offline.sendQueue.status().ready) return page;
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
          sendPhoto(attachment, photoTargetOf(attachment), { ...context, to: { url, headers } }),
        { url: `${url}/trpc`, headers },
      ),
    });
    await Promise.race([page.offline.setPerson(this.personId), page.death]);
    return page;
  }
}
