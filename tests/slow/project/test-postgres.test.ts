import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import postgres from 'postgres';
import { describe, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { isAlive } from '#db/embedded/processes.ts';
import { PATIENCE } from '#tests/support/patience.ts';
import { createTestDatabase } from '#tests/support/postgres/database.ts';

describe('a test database', () => {
  test('has the whole schema, is its own, and goes away', async () => {
    const [first, second] = await Promise.all([createTestDatabase(), createTestDatabase()]);
    expect(first.ownerUrl).not.toBe(second.ownerUrl);

    const sql = postgres(first.appUrl, { max: 1 });
    const [found] = await sql<
      { there: boolean }[]
    >`select to_regclass('building_issues') is not null as there`;
    expect(found?.there).toBe(true);
    await sql.end();

    await Promise.all([first.drop(), second.drop()]);
    const gone = postgres(first.appUrl, { max: 1 });
    await expect(gone`select 1`).rejects.toThrow('does not exist');
    await gone.end();
  });
});

describe('the Postgres of a run of tests', () => {
  test.each(['SIGKILL', 'SIGTERM'] as const)(
    'ends with its owner, and its folder goes, after a %s',
    async (signal) => {
      const script = fileURLToPath(new URL('../../support/postgres/throwaway-owner.ts', import.meta.url));
      const owner = spawn(process.execPath, ['--import', 'tsx', script], {
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      const line = await new Promise<string>((resolve, reject) => {
        owner.stdout.once('data', (chunk: Buffer) => resolve(chunk.toString()));
        owner.once('exit', () => reject(new Error('the owner ended without a word')));
      });
      const { folder, pid } = z.object({ folder: z.string(), pid: z.number() }).parse(JSON.parse(line));
      expect(isAlive(pid)).toBe(true);

      owner.kill(signal);
      await vi.waitFor(() => expect([isAlive(pid), existsSync(folder)]).toEqual([false, false]), PATIENCE);
    },
  );
});
