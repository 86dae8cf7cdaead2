import type { FastifyBaseLogger } from 'fastify';
import type { Database, Transaction } from '#db/client.ts';
import type { Role } from '#shared/permissions.ts';
import type { Actor } from '../access/actor.ts';
import type { Devices } from '../adapters/auth/devices.ts';
import type { Passwords } from '../adapters/auth/passwords.ts';
import type { Sessions } from '../adapters/auth/sessions.ts';
import type { SignInDelays } from '../adapters/auth/sign-in-delays.ts';
import type { Mail } from '../adapters/mail/mail.ts';
import type { ClientOf } from '../adapters/network/client-of.ts';
import type { DiskSpace } from '../adapters/storage/disk-space.ts';
import type { PartialUploads } from '../adapters/storage/partial-uploads.ts';
import type { Storage } from '../adapters/storage/storage.ts';
import type { Sequencer } from '../live/sequencer.ts';
import type { Env } from './env.ts';
import type { SaveHealth } from './save-health.ts';

/** Where the time comes from, so that tests can hold it still. */
export type Clock = { now(): Date };

/** The accounts of the sample portfolio that are shown, and the password of all of them. */
export type SampleAccounts = { accounts: { email: string; role: Role }[]; password: string };

/** What every procedure stands on; built once per process by `main.ts`, or by a test. */
export type Services = {
  env: Env;
  db: Database;
  clock: Clock;
  sessions: Sessions;
  passwords: Passwords;
  devices: Devices;
  /** Where a request comes from. */
  clientOf: ClientOf;
  /** Slows down those who guess. */
  holds: SignInDelays;
  /** Absent where no mail is configured: links are then shown to whoever makes them. */
  mail: Mail | undefined;
  /** Where files are kept, and where they arrive. */
  storage: Storage;
  parts: PartialUploads;
  /** What is left of the disk that they are on. */
  disk: DiskSpace;
  /** Whether the database takes what people save. */
  saves: SaveHealth;
  /** Gives committed changes their order; `poke()` after every commit. */
  sequencer: Pick<Sequencer, 'schedule'>;
  /**
   * Fills an empty database with the sample portfolio, all of it or nothing. Here and not imported, because the sample
   * data are made by the features' own commands.
   * @param allow decides inside the transaction, by throwing, whether it may be done
   */
  addSampleData(allow: (tx: Transaction) => Promise<void>): Promise<SampleAccounts>;
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
