import type { AddressInfo } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { connect } from '#db/client.ts';
import { lifetimeOf } from '../access/session-lifetime.ts';
import { createDevices } from '../adapters/auth/devices.ts';
import { createPasswords } from '../adapters/auth/passwords.ts';
import { readServerSecret } from '../adapters/auth/server-secret.ts';
import { createSessions } from '../adapters/auth/sessions.ts';
import { createSignInDelays } from '../adapters/auth/sign-in-delays.ts';
import { createSignedLinks } from '../adapters/links/signed-links.ts';
import type { Mail } from '../adapters/mail/mail.ts';
import { createClientOf } from '../adapters/network/client-of.ts';
import type { DiskSpaceOptions } from '../adapters/storage/disk-space.ts';
import { createStorage } from '../adapters/storage/index.ts';
import { createPartLedger } from '../adapters/storage/part-ledger.ts';
import { backupJobs } from '../features/backups/backups.jobs.ts';
import { enabledChecks } from '../features/checks/enabled-checks.ts';
import { ensurePulseKinds } from '../features/pulse/pulse-kinds.writes.ts';
import { endReplayed } from '../features/session/end-session.ts';
import { startWebhooks, type WebhookOptions } from '../features/webhooks/worker.ts';
import type { TimeLimits } from '../http/time-limits.ts';
import { COMMAND_LIMITS, createGate, READ_LIMITS } from '../kernel/concurrency/gate.ts';
import type { Services } from '../kernel/context.ts';
import type { Env } from '../kernel/env.ts';
import type { Clock } from '../kernel/server-clock.ts';
import { type ClockSources, createServerClock, systemSources } from '../kernel/server-clock.ts';
import { ensureReferenceData } from '../kernel/settings.ts';
import { createSignIn, needsSecondFactor } from '../kernel/sign-in/sign-in.ts';
import { readSignInFile, type SignInSettings } from '../kernel/sign-in/sign-in-file.ts';
import { EXIT_CONFIGURATION, StartRefused } from '../kernel/start-refused.ts';
import { startTimedJobs, type TimedJobsOptions } from '../kernel/timed-jobs.ts';
import { VERSION } from '../kernel/version.ts';
import { createWriteHealth } from '../kernel/write-health.ts';
import type { Live, LiveOptions } from '../live/live.ts';
import { createSequencer } from '../live/sequencer.ts';
import { assertNoKnownPassword, fillWithSampleData } from '../sample-data/sample-accounts.ts';
import { type AppOptions, createHttp, mountApp } from './app.ts';
import { trackConnections } from './close-connections.ts';
import { createLiveService } from './live-service.ts';
import { timedJobsOf } from './timed-jobs.ts';

export type RunningServer = {
  /** The URL on this machine. */
  url: string;
  services: Services;
  live: Live;
  /** Resolves when all responses are sent and all connections are closed. */
  stop(): Promise<void>;
};

export type StartOptions = Pick<AppOptions, 'limits' | 'dist' | 'files'> & {
  /** Replaces `services.clock`. Sessions, tokens and the storage still use the server's own clock. */
  clock?: Clock;
  /** Replacements for the parts of the server's own clock. */
  clockParts?: Partial<ClockSources & { beatMs: number }>;
  /** Replaces the settings of the sign-in file. */
  signIn?: SignInSettings;
  /** Replaces the configured mail. */
  mail?: Mail;
  /** The bytes that files must leave free on the disk, and a replacement for the measured free space. */
  diskSpace?: DiskSpaceOptions;
  /** Time limits for receiving a request. */
  timeLimits?: TimeLimits;
  /** Destination of log lines; standard error if absent. */
  logStream?: { write(line: string): void };
  /** File that stores the stream's position between runs. */
  positionFile?: string;
  /** Interval between sweeps; hourly if absent. */
  sweepEveryMs?: number;
  timedJobs?: TimedJobsOptions;
  webhooks?: WebhookOptions;
  /** Replacements for parts of the live stream. */
  liveParts?: LiveOptions['parts'];
};

/**
 * Starts a whole server on a migrated database: connections, services, HTTP and live stream.
 * @param databaseUrl the everyday login; migrations are the caller's task
 */
export async function startServer(
  env: Env,
  databaseUrl: string,
  options: StartOptions = {},
): Promise<RunningServer> {
  const signInSettings = options.signIn ?? readSignInSettings(env);
  const http = createHttp(env, options.logStream, options.timeLimits);
  const stopTracing = env.otlpEndpoint === undefined ? undefined : await beginTracing(env.otlpEndpoint, http);
  const closeConnections = trackConnections(http.server);
  const { db, sql, close } = connect(databaseUrl);
  // Its statements read the first rows of a queue or the last rows of the log, so they use the index, whatever the statistics
  // are.
  const webhookConnections = connect(databaseUrl, { max: 2, name: 'lintel webhooks', planning: 'byIndex' });
  const sequencer = createSequencer({ sql, log: http.log });
  const serverClock = createServerClock(
    { ...systemSources(db), ...options.clockParts },
    http.log,
    options.clockParts,
  );
  const services: Services = {
    env,
    db,
    reads: createGate(READ_LIMITS),
    commands: createGate(COMMAND_LIMITS),
    clock: options.clock ?? serverClock,
    clockHealth: serverClock.health,
    sessions: createSessions(
      db,
      serverClock,
      lifetimeOf,
      (role) => needsSecondFactor({ settings: signInSettings }, role),
      (replayed) => endReplayed(services, replayed),
    ),
    passwords: createPasswords(),
    devices: createDevices(db),
    clientOf: createClientOf(env),
    holds: createSignInDelays(),
    mail: options.mail ?? (await configuredMail(env)),
    ...createStorage(env, createPartLedger(db), options.diskSpace, serverClock.now),
    links: createSignedLinks(),
    signIn: createSignIn(signInSettings),
    saves: createWriteHealth(db, http.log),
    sequencer,
    addSampleData: (allow) => fillWithSampleData(services, allow),
    log: http.log,
  };
  const { positionFile, liveParts } = options;
  const live = createLiveService(services, sequencer, {
    databaseUrl,
    ...(positionFile === undefined ? {} : { positionFile }),
    ...(liveParts === undefined ? {} : { parts: liveParts }),
  });
  let draining = false;
  let stopTimedJobs = async (): Promise<void> => undefined;
  let stopWebhooks = async (): Promise<void> => undefined;

  async function stop(): Promise<void> {
    draining = true;
    await Promise.all([stopTimedJobs(), stopWebhooks()]);
    // In parallel, because closing HTTP waits for open sockets too.
    await Promise.all([live.drain(), closeConnections(http)]);
    await live.stop();
    await sequencer.stop();
    serverClock.stop();
    await Promise.all([close(), webhookConnections.close()]);
    await stopTracing?.();
  }

  try {
    await serverClock.start();
    await ensureReferenceData(db);
    await ensurePulseKinds(db, enabledChecks(env));
    services.links.use(await readServerSecret(db, 'links'));
    services.signIn.use(await readServerSecret(db, 'sign-in'));
    await assertNoKnownPassword(services);
    await live.start();
    const jobs = [...timedJobsOf(options), ...backupJobs(env, databaseUrl)];
    stopTimedJobs = startTimedJobs(services, jobs, options.timedJobs);
    const worker = startWebhooks(services, webhookConnections.db, options.webhooks);
    sequencer.onSequenced(worker.wake);
    stopWebhooks = worker.stop;
    await mountApp(http, services, { ...options, live, draining: () => draining });
    const url = await listen(http, env);
    return { url, services, live, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Loads the library only if it is used: it takes memory and time. */
async function beginTracing(endpoint: string, { log }: FastifyInstance): Promise<() => Promise<void>> {
  const { startTracing } = await import('../adapters/tracing/start-tracing.ts');
  return startTracing(endpoint, { log, name: 'lintel', version: VERSION });
}

/** @throws StartRefused if the sign-in file has mistakes */
function readSignInSettings({ signInFile }: Env): SignInSettings {
  try {
    return readSignInFile(signInFile);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new StartRefused(EXIT_CONFIGURATION, `SIGN_IN_FILE cannot be used: ${reason}`, { cause: error });
  }
}

/** Loads the library only if it is used. */
async function configuredMail({ mail }: Env): Promise<Mail | undefined> {
  if (mail === undefined) return undefined;
  const { smtpMail } = await import('../adapters/mail/smtp.ts');
  return smtpMail(mail.smtpUrl, mail.from);
}

async function listen(http: FastifyInstance, env: Env): Promise<string> {
  try {
    await http.listen({ port: env.port, host: env.host });
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code !== 'EADDRINUSE') throw error;
    throw new StartRefused(
      1,
      `Something else already listens on port ${env.port} of ${env.host}: another Lintel, perhaps. ` +
        'Stop it, or choose another port: PORT=3001 npm start',
      { cause: error },
    );
  }
  // The cast: a listening TCP server has an address with a port.
  const { port } = http.server.address() as AddressInfo;
  const everywhere = env.host === '0.0.0.0' || env.host === '::';
  const host = everywhere ? '127.0.0.1' : env.host;
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}
