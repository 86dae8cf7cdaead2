import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { hashToken } from '#server/adapters/auth/tokens.ts';
import { createLiveSetting, expectNoGap, type LiveSetting } from '#tests/support/live/live-setting.ts';
import { signInAs } from '#tests/support/rows/factories.ts';

let setting: LiveSetting;
/** Advances the server's monotonic clock, ms. */
let aheadMs = 0;

beforeEach(async () => {
  aheadMs = 0;
  setting = await createLiveSetting({ liveParts: { monotonicMs: () => performance.now() + aheadMs } });
});
afterEach(() => setting.end());

const numbers = (stream: { events: { g: number }[] }) => stream.events.map(({ g }) => g);

describe('what connected people may see', () => {
  test('live/R3 is read again, so a change without an event takes effect', async () => {
    const viewer = await setting.someone('viewer', [setting.here, setting.there]);
    const stream = await setting.followed(viewer.cookie);
    await setting.owner.sql.begin(async (tx) => {
      await tx`delete from user_location_access
        where user_id = ${viewer.id} and location_id = ${setting.here.id}`;
      await tx`update profiles set version = version + 1 where id = ${viewer.id}`;
    });
    aheadMs = 31_000;
    // Events of the other building arrive until the periodic access check reports the loss.
    await expect
      .poll(async () => {
        await setting.pour(setting.there, 1);
        return stream.frames.flatMap(({ access }) => access ?? []);
      })
      .toMatchObject([{ version: 2, lost: [setting.here.id] }]);
    // By position, because earlier events may still be on their way.
    const at = await setting.newest();
    await setting.pour(setting.here, 1);
    await setting.pour(setting.there, 1);
    await expect.poll(() => numbers(stream)).toContain(at + 2);
    expect(numbers(stream)).not.toContain(at + 1);
    expectNoGap(stream);
  });

  test('live/R3 while the database does not say it, nothing is sent; then everything, in order', async () => {
    const viewer = await setting.someone('viewer', [setting.here]);
    const stream = await setting.followed(viewer.cookie);
    await setting.pour(setting.here, 1);
    await expect.poll(() => numbers(stream)).toEqual([1]);
    let unlock = () => {};
    const unlocked = new Promise<void>((resolve) => {
      unlock = resolve;
    });
    let locked = () => {};
    const isLocked = new Promise<void>((resolve) => {
      locked = resolve;
    });
    const holding = setting.owner.sql.begin(async (tx) => {
      await tx`set local idle_in_transaction_session_timeout = 0`;
      await tx`lock table profiles in access exclusive mode`;
      locked();
      await unlocked;
    });
    await isLocked;
    aheadMs = 61_000;
    await setting.pour(setting.here, 3);
    await expect.poll(() => setting.server.live.figures()['position']).toBe(4);
    await expect.poll(() => setting.server.live.figures()['held']).toBe(1);
    expect(numbers(stream)).toEqual([1]);
    unlock();
    await holding;
    await expect.poll(() => numbers(stream)).toEqual([1, 2, 3, 4]);
    expect(stream.closes).toEqual([]);
    expectNoGap(stream);
  });

  test('live/R3 a person who is no longer there is signed out', async () => {
    const viewer = await setting.someone('viewer', [setting.here]);
    const stream = await setting.followed(viewer.cookie);
    await setting.owner
      .sql`update profiles set deactivated_at = now(), version = version + 1 where id = ${viewer.id}`;
    aheadMs = 31_000;
    await expect.poll(() => stream.closes).toEqual([4401]);
    expect(stream.errors).toEqual([{ code: 'UNAUTHORIZED', app: 'unauthenticated' }]);
  });

  test('live/T6 a session that ran out is signed out, and others of the person are not', async () => {
    const viewer = await setting.someone('viewer', [setting.here]);
    const other = await setting.followed(await signInAs(setting.server, { id: viewer.id, role: 'viewer' }));
    const stream = await setting.followed(viewer.cookie);
    const token = viewer.cookie.split('=')[1] ?? '';
    await setting.owner.sql`update sessions set expires_at = now() - interval '1 second'
        where id = (select session_id from session_tokens where hash = ${hashToken(token)})`;
    aheadMs = 31_000;
    await expect.poll(() => stream.closes).toEqual([4401]);
    await setting.pour(setting.here, 1);
    await expect.poll(() => numbers(other)).toEqual([1]);
    expect(other.closes).toEqual([]);
  });
});
