import type { FastifyBaseLogger } from 'fastify';
import type { Database, Transaction } from '#db/client.ts';
import type { Role } from '#shared/permissions.ts';
import type { Actor } from '../access/actor.ts';
import type { DisplayActor } from '../access/displays.ts';
import type { Devices } from '../adapters/auth/devices.ts';
import type { Passwords } from '../adapters/auth/passwords.ts';
import type { Credential } from '../adapters/auth/proof.ts';
import type { Sessions } from '../adapters/auth/sessions.ts';
import type { SignInDelays } from '../adapters/auth/sign-in-delays.ts';
import type { SignedLinks } from '../adapters/links/signed-links.ts';
import type { Mail } from '../adapters/mail/mail.ts';
import type { ClientOf } from '../adapters/network/client-of.ts';
import type { DiskSpace } from '../adapters/storage/disk-space.ts';
import type { FileStores } from '../adapters/storage/index.ts';
import type { Sequencer } from '../live/sequencer.ts';
import type { SnapshotAccess } from '../live/snapshot.ts';
import type { Gate } from './concurrency/gate.ts';
import type { Env } from './env.ts';
import type { Clock, ClockHealth } from './server-clock.ts';
import type { SignIn } from './sign-in/sign-in.ts';
import type { WriteHealth } from './write-health.ts';

/** The sample accounts that are shown, and their common password. */
export type SampleAccounts = { accounts: { email: string; role: Role }[]; password: string };

/** The dependencies of every procedure; built once per process by `main.ts`, or by a test. */
export type Services = {
  env: Env;
  db: Database;
  /**
   * Queries go through this gate automatically (`trpc.ts`). Other code that reads more than a row for a caller must use it too.
   */
  reads: Gate;
  /** Commands go through this gate automatically (`commands.ts`). */
  commands: Gate;
  clock: Clock;
  /** Whether the time may be wrong. */
  clockHealth: ClockHealth;
  sessions: Sessions;
  passwords: Passwords;
  devices: Devices;
  /** Determines the client address of a request. */
  clientOf: ClientOf;
  /** Delays sign-in attempts after wrong passwords. */
  holds: SignInDelays;
  /** Absent if no mail is configured: the maker of a link then sees it on screen. */
  mail: Mail | undefined;
  /** The stores of files, and the uploads to them. */
  stores: FileStores;
  /** Sign-in at the organisation's identity providers. */
  signIn: SignIn;
  /** Addresses that only this installation can make. */
  links: SignedLinks;
  /** Free space of the disk with the files. */
  disk: DiskSpace;
  /** Whether the database accepts writes. */
  saves: WriteHealth;
  /** Gives committed events their positions; `schedule()` is called after every commit. */
  sequencer: Pick<Sequencer, 'schedule'>;
  /**
   * Fills an empty database with the sample portfolio, all of it or nothing. Injected rather than imported, because the
   * sample data are made by commands of the features.
   * @param allow called inside the transaction; throws to forbid it
   */
  addSampleData(allow: (tx: Transaction) => Promise<void>): Promise<SampleAccounts>;
  log: FastifyBaseLogger;
};

/** For an actor from memory, in queries and some commands. The actor is valid only if the database proves it. */
export type Recalled = {
  /** The hash of the session's token, or of the key of the API. */
  tokenHash: string;
  credential: Credential;
  /** Reads the actor from the database; undefined if the session or the key has ended. */
  validate(): Promise<Actor | undefined>;
};

/** The context of one call. Sockets build it too, and read role and access again for each subscription. */
export type Context = {
  services: Services;
  actor: Actor | undefined;
  /** Present if a display calls, by its own credential; there is no actor then. */
  display?: DisplayActor | undefined;
  /** Present if a key of the API calls: reads its actor again; undefined if the key is refused by now. */
  reread?: (() => Promise<Actor | undefined>) | undefined;
  /** Present if the actor comes from memory; removed before the procedure runs. */
  recalled?: Recalled | undefined;
  requestId: string;
  /** The caller's address, used for throttling. */
  address: string;
  userAgent: string;
  /** The `Origin` header of a POST, which was checked to be ours; absent for queries, sockets and displays. */
  origin?: string | undefined;
  /** The value of the device cookie as the client sent it; absent where no sign-in is possible. */
  device?: string | undefined;
  /** The value of the cookie with a pending link (`pending-link.ts`); absent where no sign-in is possible. */
  pendingLink?: string | undefined;
  setCookie(header: string): void;
  /** Set if the answer is written in one go: a long answer is then refused. */
  writtenAtOnce?: true | undefined;
};

export type SignedInContext = Context & {
  actor: Actor;
  /** In queries, and in commands that begin from memory: the access under which the actor was read, to be proven. */
  access?: SnapshotAccess | undefined;
  /**
   * Present if an administrator imports records that the actor, according to the file, made offline; names that administrator.
   */
  imported?: { by: string; byName: string } | undefined;
};

export type DisplayContext = Context & { display: DisplayActor };
