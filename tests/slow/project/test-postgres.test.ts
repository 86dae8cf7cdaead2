import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { isAlive } from '#db/embedded/processes.ts';
import { PATIENCE } from '#tests/support/patience.ts';

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
