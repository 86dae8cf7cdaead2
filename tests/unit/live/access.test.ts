import { describe, expect, test } from 'vitest';
import { tally } from '#tests/support/live/simulated-live.ts';
import { createWorld, settle } from '#tests/support/live/simulated-world.ts';

/** A window with a list and its counts, of a person who sees two of three buildings, each with one issue. */
async function twoOfThree() {
  const world = createWorld();
  const { server, client, queries, reads } = world;
  for (const n of [1, 2, 3]) server.create(`r${n}`, `b${n}`, 'open');
  server.sequence();
  world.start();
  world.watch(queries.list, {});
  world.watch(queries.counts, {});
  await settle();
  world.hold();

  const serveAll = () => void reads.forEach((_, n) => void world.serve(n));
  async function answerAll(): Promise<void> {
    serveAll();
    for (let left = reads.length; left > 0; left -= 1) world.answer(0);
    await settle();
  }
  async function ask(): Promise<void> {
    void client.cache.refetchAll();
    await settle();
  }
  /** Two changes that the client's process has not read; the answers to `ask` contain them. */
  function fallBehind(): void {
    for (const id of ['r1', 'r2']) server.edit(id, { status: { from: 'open', to: 'doing' } });
    server.sequence();
  }
  /** The process reads the access from the database, and reports it with the first of the two positions. */
  async function tellEarly(): Promise<void> {
    server.readAccess();
    world.pump(1);
    await settle();
  }
  /** The process reads the rest of the log, in which it finds the change of access that it knows already. */
  async function readOn(): Promise<void> {
    server.sequence();
    world.pump();
    client.cache.flush();
    await settle();
  }
  const shown = () => ({
    ids: world.shown(queries.list, {})?.rows.map(({ id }) => id),
    counts: world.shown(queries.counts, {}),
  });
  return { ...world, serveAll, answerAll, ask, fallBehind, tellEarly, readOn, shown };
}

describe('live/J3 a change of access is told at a position that the answers already contain', () => {
  test('a gained building is fetched all the same', async () => {
    const { server, fallBehind, ask, answerAll, tellEarly, readOn, shown } = await twoOfThree();
    fallBehind();
    await ask();
    await answerAll();
    server.setAccess(['b1', 'b2', 'b3']);
    await tellEarly();
    await readOn();
    await answerAll();
    expect(shown()).toEqual({ ids: ['r3', 'r2', 'r1'], counts: tally(server.visible()) });
  });

  test('a lost building is removed all the same, at once from the list', async () => {
    const { server, fallBehind, ask, answerAll, tellEarly, readOn, shown } = await twoOfThree();
    fallBehind();
    await ask();
    await answerAll();
    server.setAccess(['b1']);
    await tellEarly();
    expect(shown().ids).toEqual(['r1']);
    await readOn();
    await answerAll();
    expect(shown()).toEqual({ ids: ['r1'], counts: tally(server.visible()) });
  });

  test('an answer that was under way is asked for again', async () => {
    const { server, fallBehind, ask, serveAll, answerAll, tellEarly, readOn, shown } = await twoOfThree();
    fallBehind();
    await ask();
    serveAll();
    server.setAccess(['b1', 'b3']);
    await tellEarly();
    await readOn();
    await answerAll();
    expect(shown().ids).toEqual(['r1']);
    await answerAll();
    expect(shown()).toEqual({ ids: ['r3', 'r1'], counts: tally(server.visible()) });
  });
});

describe('live/J3 the access is told by an answer, because the server does not tell of it in a reset', () => {
  test('an answer from before the reset is asked for again', async () => {
    const { server, ask, serveAll, answerAll, resume, readOn, shown } = await twoOfThree();
    server.restore();
    await ask();
    serveAll();
    server.setAccess(['b1']);
    resume();
    // Rows, then `session.me`, then the rows again.
    for (let round = 0; round < 3; round += 1) await answerAll();
    await readOn();
    expect(shown()).toEqual({ ids: ['r1'], counts: tally(server.visible()) });
  });

  test('an answer to `session.me` from before a newer change is asked for again', async () => {
    const { server, client, serveAll, answerAll, resume, readOn, shown } = await twoOfThree();
    server.restore();
    resume();
    await settle();
    serveAll();
    server.setAccess(['b1', 'b3']);
    await readOn();
    for (let round = 0; round < 3; round += 1) await answerAll();
    expect(client.scope).toMatchObject({ accessVersion: 2, buildings: ['b1', 'b3'] });
    expect(shown()).toEqual({ ids: ['r3', 'r1'], counts: tally(server.visible()) });
  });
});
