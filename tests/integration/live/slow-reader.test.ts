import { afterEach, beforeEach, expect, test } from 'vitest';
import { uuidv7 } from '#shared/ids.ts';
import { createLiveSetting, type LiveSetting } from '#tests/support/live/live-setting.ts';
import { createModelClient, type ModelClient } from '#tests/support/live/model-client.ts';

let setting: LiveSetting;
let window: ModelClient | undefined;
/** The last position that the server's reader can read, as if its process had been frozen there. */
let readable = Number.POSITIVE_INFINITY;

beforeEach(async () => {
  readable = Number.POSITIVE_INFINITY;
  setting = await createLiveSetting({
    liveParts: {
      pollMs: 20,
      source: (usual) => ({
        ...usual,
        async after(g, limit) {
          const page = await usual.after(g, Math.min(limit, Math.max(0, readable - g)));
          return { ...page, head: Math.min(page.head, Math.max(g, readable)) };
        },
      }),
    },
  });
});
afterEach(async () => {
  window?.stop();
  await setting.end();
});

// A new subscription reads the access from the database; its first frame is older than the data that the window has fetched.
test.each(['grant', 'revoke'] as const)(
  'live/J3 a %s that is told before the events that a window has fetched reaches all that it holds',
  async (change) => {
    const { here, there, admin } = setting;
    const viewer = await setting.someone('viewer', change === 'grant' ? [here] : [here, there]);
    await setting.report(here, 'The lift hums');
    await setting.report(there, 'A tap drips');
    const client = await createModelClient({ url: setting.server.url, cookie: viewer.cookie });
    window = client;
    const { list, counts } = client.queries;
    client.watch(list, {});
    client.watch(counts, {});
    const shown = () => [
      client.shown(list, {})?.rows.map(({ title }) => title),
      client.shown(counts, {})?.total,
    ];
    const before = change === 'grant' ? ['The lift hums'] : ['A tap drips', 'The lift hums'];
    await expect.poll(shown).toEqual([before, before.length]);
    const from = await setting.newest();
    await expect.poll(() => client.live.cache.cursor.g).toBe(from);

    readable = from;
    await setting.report(here, 'One');
    await setting.report(here, 'Two');
    // Each issue has two events: its own, and the figures of its building.
    expect(await setting.newest()).toBe(from + 4);
    await client.live.cache.refetchAll();
    expect(shown()[1]).toBe(before.length + 2);

    await admin.client.users[change].mutate({
      operationId: uuidv7(),
      userId: viewer.id,
      buildingId: there.id,
    });
    client.cut();
    readable = from + 1;
    await expect.poll(() => client.accessChanges.length).toBe(1);
    expect(client.live.cache.cursor.g).toBe(from + 1);

    readable = Number.POSITIVE_INFINITY;
    const after = ['Two', 'One', ...(change === 'grant' ? ['A tap drips'] : []), 'The lift hums'];
    await expect.poll(shown).toEqual([after, after.length]);
  },
);
