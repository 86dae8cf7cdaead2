import type { LiveClass } from './classes.ts';
import type { AccessRecord } from './control.ts';
import type { EventPosition } from './events.ts';

/** The socket of a client, as far as the stream needs it. */
export type SubscriberSocket = {
  isOpen(): boolean;
  /** Waiting in this process, on top of what the kernel took. */
  bufferedBytes(): number;
  /** Sends a finished frame, which other sockets may be sending too. */
  write(frame: Buffer): void;
  /** Resolves true when no more than `bytes` wait, false when that does not happen within the time. */
  waitForDrain(bytes: number, withinMs: number): Promise<boolean>;
  /** The session is over, or the person may no longer sign in: says so and closes (rule T6). */
  endSession(): void;
  /** Asks the client to come back. */
  close(code: 1012 | 1013): void;
};

/** One client that follows the stream. */
export type Subscriber = {
  readonly userId: string;
  /** JSON of the client's id for its subscription. */
  readonly requestId: string;
  readonly outlet: SubscriberSocket;
  /** What positions mean: another epoch's say nothing. */
  epoch: string;
  /** The last frame that it was sent stood here. */
  at: EventPosition;
  /** It named its own position with a digest, so it reads positions that have one. */
  readonly readsDigests: boolean;
  /** The access that the client knows of; undefined where that cannot be told. */
  knownAccess: AccessRecord | undefined;
  /** The class whose frames it gets; undefined while it is catching up, held, or gone. */
  class: LiveClass<Subscriber> | undefined;
  state: 'preparing' | 'replaying' | 'live' | 'held' | 'gone';
};
