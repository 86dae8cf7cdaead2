import { fileLayer } from '#server/boot/file-layer.ts';
import { type RunningServer, startServer } from '#server/boot/start-server.ts';
import { sweepFiles } from '#server/features/files/files.sweep.ts';
import { readEnv } from '#server/kernel/env.ts';
import { DAY_MS } from '#shared/dates.ts';
import { type Handlers, serve } from '#tests/support/server/child.ts';
import { type Bug, serverParts } from './bugs.ts';

// A server process that can be killed and frozen, and whose clocks can jump.

const logged: string[] = [];
/** Longer than leftovers of uploads are kept, shorter than documents stay in the bin. */
const LEFTOVERS_KEPT_MS = 8 * DAY_MS;
let server: RunningServer | undefined;
/** The lead of the clocks of this machine and its database after a jump. */
let aheadMs = 0;
const jumpedMs = () => Date.now() + aheadMs;

const handlers = {
  async listen(input: { databaseUrl: string; dataDir: string; bug: Bug | undefined }): Promise<string> {
    const env = readEnv({
      DATABASE_URL: input.databaseUrl,
      PORT: '0',
      DATA_DIR: input.dataDir,
      LOG_LEVEL: process.env['CHAOS_LOG'] ?? 'warn',
      WEBHOOK_NETWORKS: 'loopback',
    });
    server = await startServer(env, input.databaseUrl, {
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
      clockParts: { machineMs: jumpedMs, databaseMs: async () => jumpedMs(), beatMs: 250 },
    });
    return server.url;
  },
  /** Sets the clocks of machine and database, which are the same clock if Postgres runs on the server's machine. */
  jumpClock({ ms }: { ms: number }): void {
    aheadMs = ms;
  },
  /** Deletes leftovers of uploads, as if a week had passed. */
  async sweep(): Promise<void> {
    if (server !== undefined)
      await sweepFiles(server.services, fileLayer, new Date(Date.now() + LEFTOVERS_KEPT_MS));
  },
  /** Unexpected errors in the log. */
  errors: () =>
    logged.filter((line) => /unexpected error|is missing from the event log|a new epoch begins/.test(line)),
} satisfies Handlers;
export type ServerHandlers = typeof handlers;

serve(handlers);
