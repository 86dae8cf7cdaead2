import { uuidv7 } from '#shared/ids.ts';
import { withTimeout } from '../lib/time/with-timeout.ts';
import { wireErrorOf } from '../lib/trpc/wire-error.ts';
import type { Overlays } from './overlay.ts';
import { isAnswer, NotConfirmedError, NotSentError, StoppedError } from './stream/wire-error.ts';
import type { KeepLater, LiveWrite } from './types.ts';

const ATTEMPT_TIMEOUT_MS = 15_000;
/** A write that can be stored on this device is stored if no answer arrives within this time. */
const PATIENCE_MS = 2_000;
/** The number of retries after a refusal that does not judge the write, by code. */
const RETRIES: Partial<Record<string, number>> = { busy: 2, internal: 1 };
/** These codes do not reveal the outcome of an earlier attempt that got no answer: the write is sent again until a code does. */
const KNOWS_NOTHING: readonly string[] = ['busy', 'internal', 'rate_limited'];
/** These codes do not reveal that outcome either, and sending again would not help. */
const SHUT_OUT: readonly string[] = ['unauthenticated', 'forbidden'];

export type MutationParts = {
  overlays: Overlays;
  tick: () => number;
  isOnline: () => boolean;
  /** Whether the server has answered lately; absent if that is not known. */
  isReachable?: () => boolean;
  /** The id of the next attempt, which is always the id of the first attempt (rule S5). */
  operationId?: (previous: string | undefined) => string;
  /** The wait before another attempt, ms. */
  backoff?: (failures: number) => number;
  /**
   * Asks the person to authenticate again, because otherwise the server does not carry out a sensitive command.
   * @returns whether the person has authenticated again
   */
  reauthenticate?: (() => Promise<boolean>) | undefined;
};

const defaultBackoff = (failures: number) => Math.min(15_000, 300 * 2 ** failures) * (0.5 + Math.random());

/** Sends writes: shown optimistically, in order for each row, and with retries until their outcome is known. */
export class Mutations {
  readonly #parts: MutationParts;
  /**
   * The last write of each row. The next write must not overtake it, because the `from` of the next write is the `to` of
   * the last.
   */
  readonly #last = new Map<string, Promise<unknown>>();
  readonly #waiting = new Set<{ go: () => void; stop: () => void }>();
  /** For each write that can be stored on this device: a function that ends its wait for an answer, so that it is stored. */
  readonly #patient = new Set<() => void>();
  #session = 0;

  constructor(parts: MutationParts) {
    this.#parts = parts;
  }

  /**
   * Rejects with the server's refusal, NotSentError without a connection, NotConfirmedError if the person has not
   * authenticated again, or StoppedError at sign-out.
   */
  async run<Input extends object, Answer extends { version: number }>(
    write: LiveWrite<Input, Answer>,
  ): Promise<Answer> {
    if (!this.#parts.isOnline()) throw new NotSentError('No connection');
    return this.#show(write, (operationId, before) => this.#send(write, operationId, before));
  }

  /**
   * Sends a write, and stores it on this device if there is no connection or no answer within {@link PATIENCE_MS},
   * whatever the browser reports about the network. The stored write has the same operation id, so that a write which
   * arrived without an answer is not carried out twice. If the write cannot be stored, it is sent until it is answered,
   * as by `run`.
   * @returns the answer, or `kept`
   * @throws the server's refusal; the error of `keep` without a connection, or behind another write; StoppedError
   */
  async runOrKeep<Input extends object, Answer extends { version: number }>(
    write: LiveWrite<Input, Answer>,
    later: KeepLater,
  ): Promise<Answer | 'kept'> {
    return this.#show(write, (operationId, before) => this.#sendOrKeep(write, later, operationId, before));
  }

  /** Shows a write until it is answered, refused or stored on this device. The writes of one row are sent in order. */
  async #show<Input extends object, Answer extends { version: number }, Outcome extends Answer | 'kept'>(
    { overlay, operationId = this.#nextId(undefined) }: LiveWrite<Input, Answer>,
    send: (operationId: string, before: Promise<unknown> | undefined) => Promise<Outcome>,
  ): Promise<Outcome> {
    const row = overlay && `${overlay.entity}:${overlay.id}`;
    if (overlay) this.#parts.overlays.add(overlay, operationId);
    const before = row === undefined ? undefined : this.#last.get(row);
    const work = send(operationId, before);
    if (row !== undefined) this.#last.set(row, work);
    try {
      const outcome = await work;
      if (outcome === 'kept') this.#parts.overlays.handOver(operationId);
      else this.#parts.overlays.answered(operationId, outcome.version, this.#parts.tick());
      return outcome;
    } catch (error) {
      this.#parts.overlays.remove(operationId);
      throw error;
    } finally {
      if (row !== undefined && this.#last.get(row) === work) this.#last.delete(row);
    }
  }

  /** Ends all waits, because the connection has returned. */
  kick(): void {
    for (const waiting of [...this.#waiting]) waiting.go();
  }

  /** Stores all unanswered writes that can be stored, at once: the page may be about to close. */
  keepNow(): void {
    for (const end of [...this.#patient]) end();
  }

  /** Gives up on every write that has no answer yet. */
  stop(): void {
    this.#session += 1;
    for (const waiting of [...this.#waiting]) waiting.stop();
    this.#parts.overlays.clear();
  }

  #nextId(previous: string | undefined): string {
    return this.#parts.operationId?.(previous) ?? previous ?? uuidv7();
  }

  async #sendOrKeep<Input extends object, Answer extends { version: number }>(
    write: LiveWrite<Input, Answer>,
    { keep, mustWait = () => false }: KeepLater,
    operationId: string,
    before: Promise<unknown> | undefined,
  ): Promise<Answer | 'kept'> {
    const attempts = new AbortController();
    const { onUncertain, ...quiet } = write;
    const send = async () => {
      await before?.catch(() => undefined);
      if (!this.#parts.isOnline() || mustWait()) return undefined;
      return this.#send(quiet, operationId, undefined, attempts.signal);
    };
    const answer = send();
    const patience = this.#startPatience();
    try {
      const inTime = await Promise.race([answer, patience.over]);
      if (inTime !== undefined) return inTime;
    } finally {
      patience.end();
    }
    // The attempts continue until the write is stored, because the storage may be slower than the server, or missing.
    answer.catch(() => undefined);
    try {
      await keep(operationId);
      return 'kept';
    } catch (error) {
      if (!this.#parts.isOnline() || mustWait()) throw error;
      onUncertain?.();
      const late = await answer;
      if (late === undefined) throw error;
      return late;
    } finally {
      attempts.abort();
    }
  }

  #startPatience(): { over: Promise<undefined>; end: () => void } {
    let end = () => {};
    const over = new Promise<undefined>((resolve) => {
      const timer = setTimeout(() => end(), this.#parts.isReachable?.() === false ? 0 : PATIENCE_MS);
      end = () => {
        clearTimeout(timer);
        this.#patient.delete(end);
        resolve(undefined);
      };
      this.#patient.add(end);
    });
    return { over, end };
  }

  /** @param given a signal that ends the attempts; the write may have arrived */
  async #send<Input extends object, Answer extends { version: number }>(
    write: LiveWrite<Input, Answer>,
    firstId: string,
    before: Promise<unknown> | undefined,
    given?: AbortSignal,
  ): Promise<Answer> {
    const session = this.#session;
    // The outcome of the previous write is handled by its own caller; the server decides about this write in any case.
    await before?.catch(() => undefined);
    let operationId = firstId;
    let lost = 0;
    let refused = 0;
    for (;;) {
      if (session !== this.#session) throw new StoppedError('Signed out before the answer');
      if (given?.aborted === true) throw new StoppedError('Kept on this device before the answer');
      try {
        const id = operationId;
        return await withTimeout(
          ATTEMPT_TIMEOUT_MS,
          (signal) => write.send({ ...write.input, operationId: id }, { signal }),
          given,
        );
      } catch (error) {
        if (isAnswer(error)) {
          const code = wireErrorOf(error)?.code ?? '';
          if (code === 'reauthentication_required' && this.#parts.reauthenticate !== undefined) {
            if (await this.#parts.reauthenticate()) continue;
            if (lost > 0) throw new StoppedError('The outcome cannot be known');
            throw new NotConfirmedError('The person did not authenticate again');
          }
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
      operationId = this.#nextId(operationId);
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
