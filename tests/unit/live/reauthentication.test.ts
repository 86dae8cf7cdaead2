import { expect, test } from 'vitest';
import { Mutations } from '#web/live/mutations.ts';
import { Overlays } from '#web/live/overlay.ts';
import { NotConfirmedError, StoppedError } from '#web/live/stream/wire-error.ts';

// A write for which the server requires that the person authenticates again.

const refusal = (code: string) => Object.assign(new Error(code), { data: { code, app: { code } } });
const REQUIRED = refusal('reauthentication_required');

/** @param answers the server's answers, one after the other: a version, or an error */
function setUp(answers: (number | Error)[], reauthenticate?: () => Promise<boolean>) {
  const mutations = new Mutations({
    overlays: new Overlays(),
    tick: () => 0,
    isOnline: () => true,
    backoff: () => 0,
    reauthenticate,
  });
  const ids: string[] = [];
  const run = () =>
    mutations.run<object, { version: number }>({
      input: {},
      async send({ operationId }: { operationId: string }) {
        ids.push(operationId);
        const answer = answers.shift();
        if (typeof answer === 'number') return { version: answer };
        throw answer ?? new Error('no more calls are expected');
      },
    });
  return { mutations, ids, run };
}

test('is sent again as the same operation once the person has', async () => {
  let asked = 0;
  const { ids, run } = setUp([REQUIRED, REQUIRED, 7], async () => {
    asked += 1;
    return true;
  });
  expect(await run()).toEqual({ version: 7 });
  // After the first time, the server still requires it, although the person has reported success.
  expect(asked).toBe(2);
  expect(new Set(ids).size).toBe(1);
});

test('is given up if the person declines, and where nobody can be asked', async () => {
  const declined = setUp([REQUIRED], async () => false);
  await expect(declined.run()).rejects.toThrow(NotConfirmedError);
  const unasked = setUp([REQUIRED]);
  await expect(unasked.run()).rejects.toBe(REQUIRED);
});

test('is not sent any more after a sign-out, whatever is answered then', async () => {
  let answer = (_isDone: boolean) => {};
  const { mutations, ids, run } = setUp(
    [REQUIRED],
    () =>
      new Promise<boolean>((resolve) => {
        answer = resolve;
      }),
  );
  const outcome = run();
  await Promise.resolve();
  await new Promise(setImmediate);
  mutations.stop();
  answer(true);
  await expect(outcome).rejects.toThrow(StoppedError);
  expect(ids).toHaveLength(1);
});
