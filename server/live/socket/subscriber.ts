import type { AccessRecord } from '../access/access-events.ts';
import type { LiveClass } from '../classes.ts';
import type { EventPosition } from '../events.ts';

/** The part of a client's socket that the stream uses. */
export type SubscriberSocket = {
  isOpen(): boolean;
  /** Bytes waiting in this process, in addition to the kernel's buffer. */
  bufferedBytes(): number;
  /** Sends a finished frame, which may be shared with other sockets. */
  write(frame: Buffer): void;
  /** Resolves true when at most `bytes` wait; false if this takes too long. */
  waitForDrain(bytes: number, withinMs: number): Promise<boolean>;
  /** Reports that the session is over or the account disabled, and closes (rule T6). */
  endSession(): void;
  /** Closes the socket so that the client reconnects. */
  close(code: 1012 | 1013): void;
};

/** A client that follows the stream. */
export type Subscriber = {
  /** The id of the person, or of the display. */
  readonly userId: string;
  /** JSON of the client's id for its subscription. */
  readonly requestId: string;
  readonly outlet: SubscriberSocket;
  /** The epoch of `at`; positions of different epochs cannot be compared. */
  epoch: string;
  /** Position of the last frame sent to it. */
  at: EventPosition;
  /** Whether the client sent its position with a digest, and so understands positions with digests. */
  readonly readsDigests: boolean;
  /** The access that the client knows; undefined if that cannot be determined. */
  knownAccess: AccessRecord | undefined;
  /** The class whose frames the client gets; undefined while it catches up, is held, or is gone. */
  class: LiveClass<Subscriber> | undefined;
  /** Whether the client has received the presence of a person, so that it must be notified when that presence ends. */
  knowsPresence: boolean;
  state: 'preparing' | 'replaying' | 'live' | 'held' | 'gone';
};
