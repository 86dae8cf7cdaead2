import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startServer } from '#server/boot/start-server.ts';
import { readEnv } from '#server/kernel/env.ts';
import { type Handlers, serve } from '#tests/support/child.ts';
import { type Bug, serverParts } from './bugs.ts';

// One of the servers that are killed and frozen.

const logged: string[] = [];

const handlers = {
  async listen(input: { databaseUrl: string; bug: Bug | undefined }): Promise<string> {
    const env = readEnv({
      DATABASE_URL: input.databaseUrl,
      PORT: '0',
      DATA_DIR: mkdtempSync(join(tmpdir(), 'lintel-chaos-')),
      LOG_LEVEL: process.env['CHAOS_LOG'] ?? 'warn',
    });
    const { url } = await startServer(env, input.databaseUrl, {
      // Twenty windows on one machine do in a second what people do in an hour.
      limits: { person: { burst: 1e9, perSecond: 1e9 }, anonymous: { burst: 1e9, perSecond: 1e9 } },
      logStream: {
        write(line) {
          logged.push(line);
          if (logged.length > 2_000) logged.shift();
          if (process.env['CHAOS_LOG'] !== undefined) process.stderr.write(line);
        },
      },
      liveParts: serverParts(input.bug),
    });
    return url;
  },
  /** Unexpected errors in the log. */
  errors: () =>
    logged.filter((line) => /unexpected error|is missing from the event log|a new epoch begins/.test(line)),
} satisfies Handlers;
export type ServerHandlers = typeof handlers;

serve(handlers);
