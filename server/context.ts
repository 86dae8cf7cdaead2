import type { FastifyBaseLogger } from 'fastify';
import type { Database } from '#db/client.ts';
import type { Permission, Role } from '#shared/permissions.ts';
import type { Devices } from './adapters/auth/devices.ts';
import type { Holds } from './adapters/auth/holds.ts';
import type { Passwords } from './adapters/auth/passwords.ts';
import type { Sessions } from './adapters/auth/sessions.ts';
import type { Mail } from './adapters/mail/mail.ts';
import type { DiskSpace } from './adapters/storage/disk-space.ts';
import type { Parts } from './adapters/storage/parts.ts';
import type { Storage } from './adapters/storage/storage.ts';
import type { Env } from './env.ts';
import type { Sequencer } from './live/sequencer.ts';
import type { SaveHealth } from './save-health.ts';

/** Where the time comes from, so that tests can hold it still. */
export type Clock = { now(): Date };

/** The person behind a call, read from the database for this very call (rule R3). */
export type Actor = {
  userId: string;
  email: string;
  firstName: string;
  lastName: string;
  /** Undefined where the stored role is not one of the four: such a person may do nothing. */
  role: Role | undefined;
  permissions: readonly Permission[];
  accessVersion: number;
  sessionId: string;
  /** ISO. */
  sessionExpiresAt: string;
};

/** What every procedure stands on; built once per process by `main.ts`, or by a test. */
export type Services = {
  env: Env;
  db: Database;
  clock: Clock;
  sessions: Sessions;
  passwords: Passwords;
  devices: Devices;
  /** Slows down those who guess. */
  holds: Holds;
  /** Absent where no mail is configured: links are then shown to whoever makes them. */
  mail: Mail | undefined;
  /** Where files are kept, and where they arrive. */
  storage: Storage;
  parts: Parts;
  /** What is left of the disk that they are on. */
  disk: DiskSpace;
  /** Whether the database takes what people save. */
  saves: SaveHealth;
  /** Gives committed changes their order; `poke()` after every commit. */
  sequencer: Pick<Sequencer, 'poke'>;
  log: FastifyBaseLogger;
};

/** What one call knows. Sockets build it too, but never read role or access from it twice. */
export type Context = {
  services: Services;
  actor: Actor | undefined;
  requestId: string;
  /** The caller's address, for throttling. */
  address: string;
  userAgent: string;
  /** The device's marks as the client sent them; absent where nobody can sign in. */
  device?: string | undefined;
  setCookie(header: string): void;
};

export type SignedInContext = Context & {
  actor: Actor;
  /** Made, by what a file says, by the actor on a device that could not connect; this administrator brought it. */
  imported?: { by: string; byName: string } | undefined;
};
