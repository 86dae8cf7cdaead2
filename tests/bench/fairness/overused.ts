import { uuidv7 } from '#shared/ids.ts';
import { EXPECTATIONS } from '#tests/support/expectations/expectations.ts';
import { pause, until } from '#tests/support/pace.ts';
import { withLogin } from '#tests/support/postgres/own-postgres.ts';
import { createPeople } from '#tests/support/rows/population.ts';
import { startChild } from '#tests/support/server/child.ts';
import { openStream } from '../../support/live/live-client.ts';
import { createTestClient, headersFor } from '../../support/server/client.ts';
import { createLargestData } from '../data/largest-data.ts';
import { writeFiles } from '../data/largest-parts.ts';
import { LARGEST_REQUESTS } from '../data/largest-requests.ts';
import { type Figure, percentile, round } from '../figure.ts';
import { startBuilt } from '../processes/built-server.ts';
import type { Overused, OveruseHandlers } from '../processes/overuse.ts';
import type { Setting } from '../setting.ts';

const SAVED_WITHIN_MS = 250;
const TOLD_WITHIN_MS = 1_000;
/** Duration of each kind of call; long enough for the burst that a person may make. */
const EACH_MS = 1_500;
/** Pause between two saves of the other person, who types. */
const SAVE_EVERY_MS = 15;
/** A save that takes less time than this shows that the commands under way have ended. */
const SETTLED_SAVE_MS = 40;
const SETTLES_WITHIN_MS = 10_000;
const SHOWN = 5;

type Found = { name: string; p95: number; told: number; saves: number; counts: Overused };

/**
 * An administrator makes one kind of call, as often and as many at once as the limits allow, with the largest data.
 * Meanwhile a second person saves, and a third one loses a building. `BENCH_ONLY` is a regular expression for the calls.
 */
export async function overused(setting: Setting): Promise<Figure[]> {
  const only = new RegExp(process.env['BENCH_ONLY'] ?? '');
  const names = [
    ...Object.keys(EXPECTATIONS).filter((path) => path !== 'live.stream'),
    ...Object.values(LARGEST_REQUESTS).flatMap((all) => all.map(({ name }) => name)),
  ].filter((name) => only.test(name));
  const database = await setting.database('overused');
  setting.log('filling');
  const { data, saver, loser, issueId } = await withLogin(database.ownerUrl, async (sql) => {
    // A different administrator makes each kind of call, so that each kind begins with the full limits.
    const data = await createLargestData(sql, { administrators: names.length + 2 });
    const buildings = data.buildings.slice(200, 200 + 3 * names.length + 50);
    const [saver, loser] = await createPeople(sql, [
      { role: 'manager', buildings: buildings.slice(0, 1) },
      { role: 'viewer', buildings },
    ]);
    if (saver === undefined || loser === undefined) throw new Error('a person was not created');
    return { data, saver, loser: { ...loser, buildings: buildings.slice(1) }, issueId: uuidv7() };
  });
  const server = await startBuilt(setting, database);
  await writeFiles(server.dataDir, data.photoId);
  const admin = createTestClient(server.url, data.admins.at(-1)?.cookie ?? '');
  const stream = openStream(server.url, loser.cookie);
  setting.after(() => stream.close());
  await until('the one who loses buildings is live', 30_000, () => stream.frames.length > 0);
  const attacker = startChild<OveruseHandlers>(new URL('../processes/overuse.ts', import.meta.url));
  setting.after(() => attacker.kill());
  await attacker.ask('prepare', data);
  const site = data.buildings[200] ?? '';
  await createTestClient(server.url, saver.cookie).issues.create.mutate({
    ...{ operationId: uuidv7(), id: issueId, buildingId: site, title: 'Lamp is out' },
  });

  async function save(): Promise<number> {
    const start = performance.now();
    const comment = { operationId: uuidv7(), id: uuidv7(), issueId, body: 'Seen again on the round.' };
    const answer = await fetch(`${server.url}/trpc/issues.comment`, {
      method: 'POST',
      headers: { ...headersFor(server.url, saver.cookie), 'content-type': 'application/json' },
      body: JSON.stringify(comment),
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`a save was answered ${answer.status}: ${text.slice(0, 200)}`);
    return performance.now() - start;
  }

  /** The time in ms from the request to take a building away to the frame that reports the loss to the person. */
  async function revoke(): Promise<number> {
    const buildingId = loser.buildings.shift() ?? '';
    const start = performance.now();
    const asked = admin.users.revoke.mutate({ operationId: uuidv7(), userId: loser.id, buildingId });
    const isTold = () => stream.frames.some(({ access }) => access?.lost.includes(buildingId));
    await until('the loss was told', 60_000, isTold, 2);
    const took = performance.now() - start;
    await asked;
    return took;
  }

  async function under(name: string, { id, cookie }: { id: string; cookie: string }): Promise<Found> {
    let over = false;
    const overusing = attacker
      .ask('overuse', { url: server.url, cookie, name, ms: EACH_MS })
      .finally(() => (over = true));
    const saves: number[] = [];
    const saving = (async () => {
      while (!over) {
        saves.push(await save());
        await pause(SAVE_EVERY_MS);
      }
    })();
    await pause(EACH_MS / 4);
    const told = await revoke();
    const counts = await overusing;
    await saving;
    // Refuses the commands of the first person that still wait. Otherwise they would disturb the next measurement.
    await admin.users.endSessions.mutate({ operationId: uuidv7(), userId: id });
    await until('the server is calm', SETTLES_WITHIN_MS, async () => (await save()) < SETTLED_SAVE_MS).catch(
      () => undefined,
    );
    return { name, p95: percentile(saves, 0.95), told, saves: saves.length, counts };
  }

  const calm: number[] = [];
  for (let n = 0; n < 200; n += 1) calm.push(await save());
  const found: Found[] = [];
  for (const [at, name] of names.entries()) {
    const overuser = data.admins[at];
    if (overuser === undefined) throw new Error('there are too few administrators');
    const each = await under(name, overuser);
    found.push(each);
    const { sent, answered, limited } = each.counts;
    if (each.p95 > SAVED_WITHIN_MS / 2 || each.told > TOLD_WITHIN_MS / 2)
      setting.log(
        `${name}: saves p95 ${round(each.p95)} ms of ${each.saves}, told after ${round(each.told)} ms; ${sent} sent, ${answered} answered, ${limited} limited`,
      );
  }
  return [
    ...figuresOf(found, 'p95', SAVED_WITHIN_MS, `p95 ${round(percentile(calm, 0.95))} ms undisturbed`),
    ...figuresOf(found, 'told', TOLD_WITHIN_MS, '–'),
  ];
}

/** The worst kinds of calls, including all that are over the bound. */
function figuresOf(found: readonly Found[], by: 'p95' | 'told', atMost: number, reference: string): Figure[] {
  const sorted = [...found].sort((a, b) => b[by] - a[by]);
  const over = sorted.filter((each) => each[by] > atMost);
  return sorted.slice(0, Math.max(SHOWN, over.length)).map(({ name, saves, counts, ...values }) => ({
    name:
      by === 'p95'
        ? `saves while one person overuses ${name}`
        : `access taken away while one overuses ${name}`,
    measured:
      by === 'p95' ? `p95 ${round(values.p95)} ms of ${saves}` : `${round(values.told)} ms, request to frame`,
    reference,
    value: values[by],
    unit: by === 'p95' ? 'ms p95' : 'ms',
    goal: { atMost },
    note: `${counts.sent} sent, ${counts.answered} answered, ${counts.limited} refused by a limit`,
  }));
}
