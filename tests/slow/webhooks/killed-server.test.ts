import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { ServerHandlers } from '#tests/chaos/server-process.ts';
import { createLiveSetting } from '#tests/support/live/live-setting.ts';
import { seededRandom } from '#tests/support/random.ts';
import { startChild } from '#tests/support/server/child.ts';
import { createWebhook, makeSecret } from '#tests/support/webhooks/create-webhook.ts';
import { deliverThroughKills } from '#tests/support/webhooks/killed-deliveries.ts';
import { startReceiver } from '#tests/support/webhooks/receiver.ts';

test('a receiver that fails at random gets everything, in order, from servers that are killed', async () => {
  const secret = makeSecret();
  const receiver = await startReceiver(secret);
  const setting = await createLiveSetting({ env: { webhookNetworks: ['127.0.0.1'] } });
  const dataDir = await mkdtemp(join(tmpdir(), 'lintel-killed-'));
  const { id: webhookId } = await createWebhook(setting.admin.client, {
    ...{ url: receiver.url, secret, permissions: ['view_building_issues'] },
  });
  // The servers that follow are killed; if this one still ran, it would continue to send.
  await setting.server.stop();
  try {
    const outcome = await deliverThroughKills(setting.owner.sql, receiver, {
      ...{ webhookId, buildingId: setting.here.id, events: 2_000, kills: 5 },
      random: seededRandom('killed webhooks'),
      async start() {
        const child = startChild<ServerHandlers>(new URL('../../chaos/server-process.ts', import.meta.url));
        await child.ask('listen', { databaseUrl: setting.database.appUrl, dataDir, bug: undefined });
        return () => child.kill('SIGKILL');
      },
    });
    expect(outcome).toMatchObject({ lost: 0, disordered: 0 });
    // The receiver answered some messages with errors, so it got more requests than it accepted.
    expect(outcome.asked).toBeGreaterThan(receiver.accepted.length);
    expect(receiver.forged()).toBe(0);
  } finally {
    await receiver.close();
    await setting.owner.close();
    await setting.database.drop();
    await rm(dataDir, { recursive: true, force: true });
  }
});
