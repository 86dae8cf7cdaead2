import { uuidv7 } from '#shared/ids.ts';
import { formatPosition } from '#shared/live/live.ts';
import { pause, until } from '#tests/support/pace.ts';
import { sharedClock, startChild } from '#tests/support/server/child.ts';
import { openStream } from '../../support/live/live-client.ts';
import { createTestClient } from '../../support/server/client.ts';
import { type Figure, median, percentile, round } from '../figure.ts';
import { EVENTS, farBehind } from '../live/far-behind.ts';
import type { AttackerHandlers } from '../processes/attacker.ts';
import type { Setting } from '../setting.ts';

const SOCKETS = 10;
const ROUNDS = 3;
/** Buildings taken away per round, one after the other. */
const TAKEN = 8;

/**
 * One viewer requests replays over ten sockets, within all limits; measures how soon another person's access is cut
 * in the meantime.
 */
export async function loneAttacker(setting: Setting): Promise<Figure[]> {
  const behind = await farBehind(setting, 'attacker', (held) => [
    { role: 'viewer', buildings: held.map(({ id }) => id) },
    { role: 'viewer', buildings: held.map(({ id }) => id) },
  ]);
  const [villain, other] = behind.people;
  if (villain === undefined || other === undefined) throw new Error('a person was not created');
  const server = await setting.lintel(behind.appUrl);
  const admin = createTestClient(server.url, behind.admin.cookie);
  const stream = openStream(server.url, other.cookie);
  setting.after(() => stream.close());
  await until('the other one is live', 30_000, () => stream.frames.length > 0);
  const attacker = startChild<AttackerHandlers>(new URL('../processes/attacker.ts', import.meta.url));
  setting.after(() => attacker.kill());
  let taken = 0;

  /** The longest time in ms from the request to take a building away to the frame that reports it. */
  async function slowest(): Promise<number> {
    const times: number[] = [];
    for (let n = 0; n < TAKEN; n += 1) {
      const building = behind.held[taken];
      taken += 1;
      if (building === undefined) throw new Error('nothing left to take away');
      const askedAt = sharedClock();
      const answered = admin.users.revoke.mutate({
        operationId: uuidv7(),
        userId: other?.id ?? '',
        buildingId: building.id,
      });
      await until(
        'it was told',
        60_000,
        () => stream.frames.some(({ access }) => access?.lost.includes(building.id)),
        1,
      );
      times.push(sharedClock() - askedAt);
      await answered;
      await pause(300);
    }
    return Math.max(...times);
  }

  await slowest();
  const calm: number[] = [];
  const attacked: number[] = [];
  let asked = 0;
  for (let n = 0; n < Math.min(ROUNDS, setting.rounds); n += 1) {
    calm.push(await slowest());
    await attacker.ask('begin', {
      url: server.socketUrl,
      origin: server.url,
      cookie: villain.cookie,
      lastEventId: formatPosition(behind.from),
      sockets: SOCKETS,
    });
    await pause(3_000);
    attacked.push(await slowest());
    const counts = await attacker.ask('end', undefined);
    asked += counts.asked;
    setting.log(
      `${round(attacked.at(-1) ?? 0)} ms, the past asked for ${counts.asked} times, ${counts.closed} closed`,
    );
    await pause(2_000);
  }
  return [
    {
      name: `access taken away while one viewer asks for ${EVENTS} events over ${SOCKETS} sockets`,
      measured: `the slowest of ${TAKEN}, request to frame; median of ${attacked.length} rounds, worst ${round(percentile(attacked, 1))} ms`,
      reference: `${round(median(calm))} ms undisturbed (worst ${round(percentile(calm, 1))})`,
      value: median(attacked),
      unit: 'ms',
      goal: { atMost: 1_000 },
      note: `the past was asked for ${asked} times`,
    },
  ];
}
