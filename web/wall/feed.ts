import { type WallAnswer, wallOf } from '#shared/features/displays/wall-answer.ts';
import { formatPosition, parsePosition, positionOf, type Snapshot } from '#shared/live/live.ts';
import { call } from './call.ts';
import { WallClock } from './clock.ts';
import { applyEvent, type Model, modelOf, type WallEvent, type WallFrame } from './model.ts';
import { followStream, type WallStream } from './stream.ts';

/** The shortest time between two snapshots that no person has asked for, in ms. */
const PACE_MS = 15_000;
const FIRST_RETRY_MS = 1_000;
const LAST_RETRY_MS = 15_000;
/**
 * Displays that need a snapshot for the same reason spread their requests over this time, and over as much again for each
 * hundred displays, in ms.
 */
const SPREAD_MS = 2_000;

export type Feed = {
  readonly clock: WallClock;
  /** Undefined before the first answer. */
  readonly model: Model | undefined;
  /** The position of the data in `model`; empty before the first answer. */
  position(): string;
  /** Fetches everything again, at once. */
  refetch(): void;
  stop(): void;
};

/**
 * Keeps all the data that a display shows up to date: fetches a snapshot and applies the events after it. Retries without
 * a limit.
 * @param options.onChange called after each change of the model, and after each frame
 * @param options.onEnded called when the credential of this display is no longer valid and the feed has stopped
 */
export function createFeed(options: { onChange: () => void; onEnded: () => void }): Feed {
  const clock = new WallClock();
  let model: Model | undefined;
  let position = '';
  let stream: WallStream | undefined;
  let isStopped = false;
  /** Events that arrive while a snapshot is being fetched; undefined while no snapshot is being fetched. */
  let meanwhile: WallEvent[] | undefined;
  /** The time at which the next snapshot is fetched, by `performance.now()`; infinite if none is due. */
  let dueAt = Number.POSITIVE_INFINITY;
  let timer: number | undefined;
  let fetchedAt = Number.NEGATIVE_INFINITY;
  let retryMs = FIRST_RETRY_MS;

  /** Schedules a snapshot, unless one is due sooner. While one is being fetched, schedules another after it. */
  function refetchIn(ms: number): void {
    dueAt = Math.min(dueAt, performance.now() + ms);
    plan();
  }

  function plan(): void {
    clearTimeout(timer);
    if (isStopped || meanwhile !== undefined || dueAt === Number.POSITIVE_INFINITY) return;
    timer = window.setTimeout(() => void fetchAll(), Math.max(0, dueAt - performance.now()));
  }

  function refetchPaced(): void {
    refetchIn(Math.max(0, PACE_MS - (performance.now() - fetchedAt)));
  }

  async function fetchAll(): Promise<void> {
    meanwhile = [];
    dueAt = Number.POSITIVE_INFINITY;
    fetchedAt = performance.now();
    const answer = await call<Snapshot<WallAnswer>>('query', 'displays.wall');
    if (isStopped) return;
    const later = meanwhile;
    meanwhile = undefined;
    fetchedAt = performance.now();
    if (!answer.ok) {
      if (answer.code === 'unauthenticated') return end();
      retryMs = Math.min(LAST_RETRY_MS, retryMs * 2);
      return refetchIn(retryMs * (0.5 + Math.random() / 2));
    }
    retryMs = FIRST_RETRY_MS;
    const before = model?.changedAt;
    const at = positionOf(answer.data);
    model = modelOf({ ...answer.data, data: wallOf(answer.data.data) });
    model.changedAt = before;
    clock.hear(answer.data.data.at);
    if (position === '' && at !== undefined) position = formatPosition(at);
    apply(later.filter(({ g }) => g > (at?.g ?? 0)));
    stream ??= followStream({ position: () => position, onFrame: take, onEnded: end });
    plan();
    options.onChange();
  }

  function apply(events: readonly WallEvent[]): void {
    if (model === undefined) return;
    let isIncomplete = false;
    for (const event of events) isIncomplete = applyEvent(model, event) === 'refetch' || isIncomplete;
    if (isIncomplete) refetchPaced();
  }

  function take(id: string, frame: WallFrame): void {
    if (parsePosition(id) !== undefined) position = id;
    clock.hear(frame.at);
    for (const event of frame.events) meanwhile?.push(event);
    apply(frame.events);
    const isNew = frame.access !== undefined;
    if (isNew) refetchIn(0);
    else if (frame.reset !== undefined) refetchIn(Math.random() * SPREAD_MS * (1 + (frame.crowd ?? 0) / 100));
    options.onChange();
  }

  function end(): void {
    stop();
    options.onEnded();
  }

  function stop(): void {
    isStopped = true;
    clearTimeout(timer);
    stream?.stop();
  }

  void fetchAll();
  return {
    clock,
    get model() {
      return model;
    },
    position: () => position,
    refetch: () => refetchIn(0),
    stop,
  };
}
