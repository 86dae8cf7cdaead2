import { EventEmitter } from 'node:events';
import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { supervise } from '#scripts/lib/supervise.mjs';

// The supervisor of `npm start`, with small programs instead of the server.

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'lintel-supervise-'));
  appendFileSync(join(folder, 'starts'), '');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const starts = () => readFileSync(join(folder, 'starts'), 'utf8').length;

/** Supervises a program that records each of its starts, and knows the number of the current start. */
async function run(
  program: string,
  signals = new EventEmitter(),
): Promise<{ status: number; said: string[] }> {
  const file = join(folder, 'program.mjs');
  writeFileSync(
    file,
    `import { appendFileSync, readFileSync } from 'node:fs';
     const starts = ${JSON.stringify(join(folder, 'starts'))};
     appendFileSync(starts, '.');
     const start = readFileSync(starts, 'utf8').length;
     const ready = () => new Promise((resolve) => process.send('ready', resolve));
     ${program}`,
  );
  const said: string[] = [];
  const say = (line: string) => void said.push(line);
  const status = await supervise([file], { signals, say, pausesMs: [0, 0, 0, 0] });
  return { status, said };
}

test('after a crash the server is started again, and its end in order is the end', async () => {
  const { status, said } = await run(`
    await ready();
    if (start === 1) throw new Error('a fault');
    if (start === 2) process.kill(process.pid, 'SIGKILL');
    if (start === 3) process.exit(0);
  `);
  expect(status).toBe(0);
  expect(starts()).toBe(3);
  expect(said).toEqual([
    'Lintel ended with status 1. It is started again in 0 s.',
    'Lintel ended by SIGKILL. It is started again in 0 s.',
  ]);
});

test('the fifth crash within a minute is the end', async () => {
  const { status, said } = await run('await ready(); process.exit(70);');
  expect(status).toBe(70);
  expect(starts()).toBe(5);
  expect(said.at(-1)).toBe(
    'Lintel ended with status 70, for the 5th time within a minute. It is not started again.',
  );
});

test.each([
  ['that was refused before it was ready', 'process.exit(1);', 1],
  ['with an invalid setting', 'await ready(); process.exit(78);', 78],
])('a start %s is not repeated', async (_what, program, status) => {
  expect(await run(program)).toEqual({ status, said: [] });
  expect(starts()).toBe(1);
});

test.each(['SIGTERM', 'SIGINT', 'SIGHUP'])(
  '%s is passed on, and what follows is no crash',
  async (signal) => {
    const signals = new EventEmitter();
    const ended = run(
      `process.on('${signal}', () => process.exit(3));
     await ready();
     appendFileSync(starts, '.');
     setInterval(() => undefined, 1_000);`,
      signals,
    );
    await expect.poll(starts).toBe(2);
    signals.emit(signal);
    expect(await ended).toEqual({ status: 3, said: [] });
    expect(starts()).toBe(2);
  },
);
