import { uuidv7 } from '#shared/ids.ts';
import { wireErrorOf } from '../lib/wire-error.ts';
import type { Overlays } from './overlay.ts';
import type { LiveWrite } from './types.ts';
import { isAnswer, NotSentError, StoppedError } from './wire-error.ts';
import { withTimeout } from './with-timeout.ts';

const ATTEMPT_TIMEOUT_MS = 15_000;
/** The number of retries after a refusal that does not judge the write, by code. */
const RETRIES: Partial<Record<string, number>> = { busy: 2, internal: 1 };
/** After an attempt without an answer, these codes do not tell its outcome: the write is sent again until one does. */
const KNOWS_NOTHING: readonly string[] = ['busy', 'internal', 'rate_limited'];
/** These do not tell it either, and sending again would not help. */
const SHUT_OUT: readonly string[] = ['unauthenticated', 'forbidden'];

export type MutationParts = {
  overlays: Overlays;
  tick: () => number;
  isOnline: () => boolean;
  /** The id of the next attempt, which is always that of the first (rule S5). */
  operationId?: (previous: string | undefined) => string;
  /** The wait before another attempt, ms. */
  backoff?: (failures: number) => number;
};

const defaultBackoff = (failures: number) => Math.min(15_000, 300 * 2 ** failures) * (0.5 + Math.random());

/** Sends writes: optimistically, those of one row in order, and again until their outcome is known. */
export class Mutations {
  readonly #parts: MutationParts;
  /** The last write of each row. The next one must not overtake it, because its `from` is this one's `to`. */
  readonly #last = new Map<string, Promise<unknown>>();
  readonly #waiting = new Set<{ go: () => void; stop: () => void }>();
  #session = 0;

  constructor(parts: MutationParts) {
    this.#parts = parts;
  }

  /** Rejects with the server's refusal, NotSentError without a connection, or StoppedError at sign-out. */
  async run<Input extends object, Answer extends { version: number }>(
    write: LiveWrite<Input, Answer>,
  ): Promise<Answer> {
    if (!this.#parts.isOnline()) throw new NotSentError('No connection');
    const nextId = this.#parts.operationId ?? ((previous) => previous ?? uuidv7());
    const operationId = nextId(undefined);
    const { overlay } = write;
    const row = overlay && `${overlay.entity}:${overlay.id}`;
    if (overlay) this.#parts.overlays.add(overlay, operationId);
    const before = row === undefined ? undefined : this.#last.get(row);
    const work = this.#send(write, operationId, nextId, before);
    if (row !== undefined) this.#last.set(row, work);
    try {
      const answer = await work;
      this.#parts.overlays.answered(operationId, answer.version, this.#parts.tick());
      return answer;
    } catch (error) {
      this.#parts.overlays.remove(operationId);
      throw error;
    } finally {
      if (row !== undefined && this.#last.get(row) === work) this.#last.delete(row);
    }
  }

  /** Ends all waits: the connection is back. */
  kick(): void {
    for (const waiting of [...this.#waiting]) waiting.go();
  }

  /** Gives up on every write that has no answer yet. */
  stop(): void {
    this.#session += 1;
    for (const waiting of [...this.#waiting]) waiting.stop();
    this.#parts.overlays.clear();
  }

  async #send<Input extends object, Answer extends { version: number }>(
    write: LiveWrite<Input, Answer>,
    firstId: string,
    nextId: (previous: string | undefined) => string,
    before: Promise<unknown> | undefined,
  ): Promise<Answer> {
    const session = this.#session;
    // The outcome of the previous write is for its own caller; the server judges this one in any case.
    await before?.catch(() => undefined);
    let operationId = firstId;
    let lost = 0;
    let refused = 0;
    for (;;) {
      if (session !== this.#session) throw new StoppedError('Signed out before the answer');
      try {
        const id = operationId;
        return await withTimeout(ATTEMPT_TIMEOUT_MS, (signal) =>
          write.send({ ...write.input, operationId: id }, { signal }),
        );
      } catch (error) {
        if (isAnswer(error)) {
          const code = wireErrorOf(error)?.code ?? '';
          refused += 1;
          if (lost > 0 && SHUT_OUT.includes(code)) throw new StoppedError('The outcome cannot be known');
          const asksOn = lost > 0 && KNOWS_NOTHING.includes(code);
          if (!asksOn && refused > (RETRIES[code] ?? 0)) throw error;
        } else {
          lost += 1;
          if (lost === 1) write.onUncertain?.();
        }
      }
      await this.#wait((this.#parts.backoff ?? defaultBackoff)(lost + refused));
      operationId = nextId(operationId);
    }
  }

  #wait(ms: number): Promise<void> {
    return new Promise((resolve, reject) => {
      const done = (end: () => void) => () => {
        clearTimeout(timer);
        this.#waiting.delete(waiting);
        end();
      };
      const waiting = {
        go: done(resolve),
        stop: done(() => reject(new StoppedError('Signed out before the answer'))),
      };
      const timer = setTimeout(waiting.go, ms);
      this.#waiting.add(waiting);
    });
  }
}
