import type { AccessRecord } from './access/access-events.ts';
import { type AccessMap, computeAccessDelta } from './access/access-map.ts';
import type { People } from './access/people.ts';
import { partFor, projectEvent } from './access/projection.ts';
import { type ClassIndex, type LiveClass, sees } from './classes.ts';
import type { AccessControl, Control, EventPosition, StreamEvent } from './events.ts';
import type { Pass } from './reader.ts';
import { type BulkRecipients, HIGH_WATER_BYTES, type Sender } from './socket/sender.ts';
import type { Subscriber } from './socket/subscriber.ts';

/**
 * While the database answers, each class gets a frame at least this often, in ms, plus the reader's interval of one second.
 */
const QUIET_MS = 3_500;
const LOOK_MS = 250;
const NO_SUBSCRIBERS: ReadonlySet<Subscriber> = new Set();
const NO_CROWDS: BulkRecipients = new Map();

export type FanOut = {
  /** Sends the events of a pass to their audiences and applies its control events, synchronously and in order. */
  deliver(pass: Pass): void;
  /** Moves a person's clients to the class of the access in the map. They learn of the change with their next frame. */
  move(userId: string): void;
  /** Adds the client to the class of its access, so that it gets the class's frames. */
  join(subscriber: Subscriber, access: AccessRecord): void;
  leave(subscriber: Subscriber): void;
  /** The change of its access that the client has not been sent yet; marks it as sent. */
  takeAccessDelta(subscriber: Subscriber): ReturnType<typeof computeAccessDelta> | undefined;
};

/** Distributes the events of a reader's pass to the sockets (rules R3, R4, T1 and T4). */
export function createFanOut(options: {
  access: AccessMap;
  classes: ClassIndex<Subscriber>;
  people: People;
  sender: Sender;
  monotonicMs: () => number;
  /** Called before each pass, to hold clients whose access is unconfirmed. */
  beforePass: () => void;
  onSessionsEnded: (control: Extract<Control, { kind: 'sessions_ended' }>) => void;
  /** Called when the access of people has changed, whether or not they are connected to this process. */
  onAccessChanged: (control: AccessControl) => void;
  /** Called when an event does not contain a person's access: nothing must be sent until the database has been asked. */
  onAccessUnknown: (userId: string) => void;
  /** Called when the client's socket is full: the client must catch up from the event log. */
  onBehind: (subscriber: Subscriber) => void;
  /** Called when the client has joined the class of its access. */
  onJoined: (subscriber: Subscriber) => void;
}): FanOut {
  const { access, classes, people, sender, monotonicMs } = options;
  /**
   * Clients that have not been sent a change of their access, because no event was sent with it. A client ignores a frame at a
   * position that it already has, so the change waits for the next position.
   */
  const awaitingAccessDelta = new Set<Subscriber>();
  /** When the classes were last checked for frames that are due (`QUIET_MS`), monotonic ms. */
  let lookedAt = 0;

  function flush(events: readonly StreamEvent[], end: EventPosition): void {
    const forClass = new Map<LiveClass<Subscriber>, StreamEvent[]>();
    /** Clients that need a separate frame, each with the events that no other client of its class gets. */
    const alone = new Map<Subscriber, StreamEvent[]>();
    const crowds = new Map<number, number>();
    for (const subscriber of awaitingAccessDelta)
      if (subscriber.class !== undefined && end.g > subscriber.at.g) alone.set(subscriber, []);
    for (const event of events) {
      if (event.control !== undefined) continue;
      let crowd = 0;
      for (const one of classes.seeing(event)) {
        const shown =
          one.view === undefined ? partFor(event, one.permissions) : projectEvent(event, one.view);
        if (shown === undefined) continue;
        push(forClass, one, shown);
        crowd += one.members.size;
      }
      for (const person of event.persons) {
        for (const subscriber of people.of(person)) {
          if (subscriber.class === undefined || subscriber.class.view !== undefined) continue;
          if (sees(subscriber.class, event)) continue;
          push(alone, subscriber, event);
          crowd += 1;
        }
      }
      if (event.bulk === true) crowds.set(event.g, crowd);
    }
    for (const [subscriber, own] of alone) {
      if (subscriber.outlet.bufferedBytes() > HIGH_WATER_BYTES) {
        options.onBehind(subscriber);
        continue;
      }
      const common = subscriber.class === undefined ? undefined : forClass.get(subscriber.class);
      const all = common === undefined ? own : [...common, ...own].sort((a, b) => a.g - b.g);
      sender.toOne(subscriber, all, end, { access: takeAccessDelta(subscriber), crowds });
    }
    for (const [one, list] of forClass) sender.toClass(one, list, end, alone, crowds);
  }

  function takeAccessDelta(subscriber: Subscriber) {
    const current = access.get(subscriber.userId);
    if (current === undefined) return undefined;
    awaitingAccessDelta.delete(subscriber);
    if (subscriber.knownAccess !== undefined && subscriber.knownAccess.version >= current.version)
      return undefined;
    const change = computeAccessDelta(subscriber.knownAccess, current);
    subscriber.knownAccess = current;
    return change;
  }

  function join(subscriber: Subscriber, current: AccessRecord): void {
    subscriber.class = classes.join(subscriber, current, subscriber.at.g, monotonicMs());
    subscriber.state = 'live';
    if (subscriber.knownAccess === undefined || subscriber.knownAccess.version < current.version)
      awaitingAccessDelta.add(subscriber);
    options.onJoined(subscriber);
  }

  function leave(subscriber: Subscriber): void {
    awaitingAccessDelta.delete(subscriber);
    if (subscriber.class === undefined) return;
    classes.leave(subscriber, subscriber.class);
    subscriber.class = undefined;
  }

  function move(userId: string): void {
    const current = access.get(userId);
    if (current === undefined) return;
    for (const subscriber of [...people.of(userId)]) {
      if (current.disabled) subscriber.outlet.endSession();
      else if (subscriber.class !== undefined) {
        leave(subscriber);
        join(subscriber, current);
      }
    }
  }

  function act(control: Control, place: EventPosition): void {
    if (control.kind === 'sessions_ended') options.onSessionsEnded(control);
    if (control.kind !== 'access') return;
    for (const userId of control.people) {
      if (people.of(userId).size === 0) continue;
      const outcome = access.apply(userId, control.accessEvent, monotonicMs());
      if (outcome === 'unknown') options.onAccessUnknown(userId);
      if (outcome === 'taken') move(userId);
      for (const subscriber of people.of(userId)) {
        if (awaitingAccessDelta.has(subscriber))
          sender.toOne(subscriber, [], place, { access: takeAccessDelta(subscriber) });
      }
    }
  }

  function beat(place: EventPosition): void {
    const now = monotonicMs();
    // Checking every class at every pass would make the cost of an event grow with the number of classes.
    if (now - lookedAt < LOOK_MS) return;
    lookedAt = now;
    for (const one of classes.all())
      if (now - one.sentAt >= QUIET_MS) sender.toClass(one, [], place, NO_SUBSCRIBERS, NO_CROWDS);
  }

  function concernsAnybody(control: Control | undefined): control is Control {
    if (control === undefined || control.kind === 'other') return false;
    const concerned = control.kind === 'access' ? control.people : [control.userId];
    return concerned.some((userId) => people.of(userId).size > 0);
  }

  return {
    deliver({ events, ...place }) {
      options.beforePass();
      let from = 0;
      for (const [index, event] of events.entries()) {
        if (event.control?.kind === 'access') options.onAccessChanged(event.control);
        if (event.control?.kind === 'sessions_ended') act(event.control, event);
        else if (concernsAnybody(event.control)) {
          // Events before the change are filtered by the old access, events after it by the new one.
          const earlier = events.slice(from, index);
          const last = earlier.at(-1);
          if (last !== undefined) flush(earlier, last);
          act(event.control, event);
          from = index + 1;
        }
      }
      if (from < events.length) flush(events.slice(from), place);
      beat(place);
      sender.endPass();
    },
    move,
    join,
    leave,
    takeAccessDelta: takeAccessDelta,
  };
}

function push<Key, Value>(map: Map<Key, Value[]>, key: Key, value: Value): void {
  const list = map.get(key);
  if (list === undefined) map.set(key, [value]);
  else list.push(value);
}
