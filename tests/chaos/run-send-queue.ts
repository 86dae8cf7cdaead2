import type { Sql } from 'postgres';
import { CALM, type Faults, startWebProxy } from '#tests/support/network/web-proxy.ts';
import { createRandom } from '#tests/support/random.ts';
import { MISHAPS, Phone } from './phone.ts';
import { findSubmissions, furnish, makeSubmissions, type Submission } from './submissions.ts';
import { type NotedPhoto, problemsOfPhotos } from './taken-photos.ts';

export type SendQueueChaosOptions = {
  /** Called for each request. */
  serverUrl: () => string;
  sql: Sql;
  seed: string;
  submissions: number;
  /** Two or more people who share a phone and may report in all of the buildings. */
  people: readonly string[];
  buildings: readonly string[];
  /**
   * Begins a new session of a person.
   * @returns the `Cookie` header
   */
  signIn: (personId: string) => Promise<string>;
  /** Ends every session of a person. */
  endSessions: (personId: string) => Promise<void>;
  log?: ((line: string) => void) | undefined;
};

export type SendQueueChaosReport = {
  seed: string;
  /** Problems found; empty if there are none. */
  problems: string[];
  submissions: number;
  /** The faults that occurred, with their counts. */
  faults: Record<string, number>;
  seconds: number;
};

const STORMY: Faults = { ...CALM, dropAnswer: 0.3, doubleRequest: 0.05, loseRequest: 0.1 };
/** Time without any progress after which the phone counts as stuck. */
const STANDSTILL_MS = 60_000;
/** The weight of a submission among the faults of the phone. */
const EVENTS = { submit: 60, ...MISHAPS } as const;
/** On a full disk the second copy makes room for the first, so these two faults never occur in the same half. */
const BEFORE = { ...EVENTS, fullDisk: 0 };
const AFTER = { ...EVENTS, loseDatabase: 0 };

/**
 * Two people share a phone in a bad network: pages die at any moment, answers are lost, the disk is full or loses its
 * database, sessions end, the other person signs in. At the end the server must have each submission exactly once, from
 * its owner.
 */
export async function runSendQueueChaos(options: SendQueueChaosOptions): Promise<SendQueueChaosReport> {
  const { seed, people, log } = options;
  const started = performance.now();
  const random = createRandom(seed);
  const proxy = await startWebProxy(options.serverUrl, random.fork('network'));
  const problems: string[] = [];
  const onRejection = (reason: unknown) => void problems.push(`unhandled: ${String(reason)}`);
  process.on('unhandledRejection', onRejection);
  const phone = new Phone({ ...options, url: proxy.url, random });
  const faults: Record<string, number> = {};
  try {
    proxy.faults(STORMY);
    const sites = await furnish(options.sql, options.buildings);
    const left = makeSubmissions(options.submissions, people, sites, random);
    await phone.switchTo(random.pick(people));
    const half = left.length / 2;
    while (left.length > 0) {
      const what = random.weighted(left.length > half ? BEFORE : AFTER);
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
    // Answers are lost until the end, because nothing that the phone does may depend on receiving one.
    proxy.faults({ ...CALM, dropAnswer: STORMY.dropAnswer });
    log?.(`all saved after ${((performance.now() - started) / 1_000).toFixed(1)} s`);
    phone.heal();
    for (const personId of people) problems.push(...(await phone.drain(personId, STANDSTILL_MS)));
    problems.push(...(await differences(options.sql, phone)));
    problems.push(...(await problemsOfPhotos(options.sql, phone.photos)));
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

type OfThePhone = { submitted: readonly Submission[]; photos: readonly NotedPhoto[] };

async function differences(sql: Sql, { submitted, photos }: OfThePhone): Promise<string[]> {
  const found = new Map<string, string[]>();
  for (const { mark, personId } of await findSubmissions(sql)) {
    found.set(mark, [...(found.get(mark) ?? []), personId]);
  }
  return submitted.flatMap(({ mark, personId, command }) => {
    // The server has no mark of a photo, so photos are compared by id.
    const owners =
      command === 'photos.announce'
        ? photos.filter((photo) => photo.mark === mark).map((photo) => photo.personId)
        : (found.get(mark) ?? []);
    if (owners.length !== 1) return [`${mark} (${command}) is there ${owners.length} times`];
    return owners[0] === personId ? [] : [`${mark} (${command}) is in a wrong name`];
  });
}
