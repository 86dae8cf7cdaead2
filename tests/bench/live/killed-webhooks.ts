import { uuidv7 } from '#shared/ids.ts';
import { withLogin } from '#tests/support/postgres/own-postgres.ts';
import { seededRandom } from '#tests/support/random.ts';
import { createBuildings, createPeople } from '#tests/support/rows/population.ts';
import { makeSecret } from '#tests/support/webhooks/create-webhook.ts';
import { deliverThroughKills } from '#tests/support/webhooks/killed-deliveries.ts';
import { startReceiver } from '#tests/support/webhooks/receiver.ts';
import type { Figure } from '../figure.ts';
import { startBuilt } from '../processes/built-server.ts';
import type { Setting } from '../setting.ts';

const EVENTS = 10_000;
const KILLS = 20;

/** Events for a webhook whose receiver fails at random, while the server is killed again and again. */
export async function killedWebhooks(setting: Setting): Promise<Figure[]> {
  const secret = makeSecret();
  const receiver = await startReceiver(secret);
  setting.after(receiver.close);
  const database = await setting.database('killed_webhooks');
  const start = performance.now();
  const outcome = await withLogin(database.ownerUrl, async (sql) => {
    const [building] = await createBuildings(sql, 1);
    const [owner] = await createPeople(sql, [{ role: 'admin', buildings: [] }]);
    if (building === undefined || owner === undefined) throw new Error('nothing was inserted');
    const webhookId = uuidv7();
    await sql`
      insert into webhooks (id, name, url, secret, permissions, all_buildings, created_at, owner_id, position)
      select ${webhookId}, 'Receiver', ${receiver.url}, ${secret}, '{view_building_issues}', true, now(), ${owner.id}, g
      from stream_head`;
    return deliverThroughKills(sql, receiver, {
      ...{ webhookId, buildingId: building.id, events: EVENTS, kills: KILLS },
      random: seededRandom('killed webhooks'),
      async start() {
        const built = await startBuilt(setting, database, { env: { WEBHOOK_NETWORKS: 'loopback' } });
        return built.kill;
      },
    });
  });
  const { lost, disordered, repeated, asked } = outcome;
  const errors = asked - receiver.accepted.length;
  const seconds = Math.round((performance.now() - start) / 1_000);
  return [
    {
      name: `${EVENTS} events to a receiver, server killed ${KILLS} times`,
      measured: `${lost} lost, ${disordered} out of order; ${repeated} arrived again`,
      reference: `${EVENTS} events in the log; ${errors} answers were errors`,
      value: lost + disordered + receiver.forged(),
      unit: 'lost or out of order',
      goal: { atMost: 0 },
      note: `in ${seconds} s, with the starts`,
    },
  ];
}
