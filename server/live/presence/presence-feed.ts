import type { Presence } from '#shared/live/live.ts';
import type { AccessEvent } from '../access/access-events.ts';
import { type ClassIndex, type LiveClass, sees } from '../classes.ts';
import type { AccessControl } from '../events.ts';
import type { Sender } from '../socket/sender.ts';
import type { Subscriber } from '../socket/subscriber.ts';
import type { PresenceNote } from './presence.ts';
import { createPresenceTable } from './presence-table.ts';

/** Changes are batched: a client gets at most one frame of changes in this time. */
const PACE_MS = 200;
/**
 * The pause that each frame adds after a batch. It limits a process to about 3,300 frames a second, however many people watch
 * one building, and whatever one person does; 3,000 watchers get a change within a second.
 */
const PAUSE_PER_FRAME_MS = 0.3;

/** Sends presence to the clients of this process that may know it (rule T8). It names people, so displays never get it. */
export type PresenceFeed = {
  hear(note: PresenceNote): void;
  /** Call when a client has joined the class of its access: sends it the presence of everybody whom it may see. */
  welcome(subscriber: Subscriber): void;
  /** Call when the access of people has changed: removes their presence in buildings that they may have lost. */
  narrow(control: AccessControl): void;
  /** Call when a client has closed the socket of its window: notifies all processes that the window has gone. */
  depart(personId: string, window: string): void;
  /** Call about once a second: removes windows that have been silent for too long. */
  sweep(): void;
  stop(): void;
};

export function createPresenceFeed(options: {
  classes: Pick<ClassIndex<Subscriber>, 'seeing'>;
  sender: Pick<Sender, 'presenceToClass' | 'presenceToOne'>;
  /** Sends a note to all processes, this one included. */
  publish: (note: PresenceNote) => void;
  monotonicMs: () => number;
}): PresenceFeed {
  const { classes, sender, publish, monotonicMs } = options;
  const table = createPresenceTable({ monotonicMs });
  /** No changes are sent before this moment. */
  let pausedUntil = Number.NEGATIVE_INFINITY;
  let timer: NodeJS.Timeout | undefined;

  function schedule(): void {
    const waitMs = pausedUntil - monotonicMs();
    if (waitMs <= 0) flush();
    else timer ??= setTimeout(flush, waitMs).unref();
  }

  function flush(): void {
    clearTimeout(timer);
    timer = undefined;
    const ofClass = new Map<LiveClass<Subscriber>, Presence[]>();
    for (const { presence, audience } of table.takeChanges()) {
      for (const one of classes.seeing(audience)) {
        if (one.view !== undefined) continue;
        const list = ofClass.get(one);
        if (list === undefined) ofClass.set(one, [presence]);
        else list.push(presence);
      }
    }
    let frames = 0;
    for (const [one, people] of ofClass) {
      frames += one.members.size;
      sender.presenceToClass(one, people);
    }
    if (frames > 0) pausedUntil = monotonicMs() + Math.max(PACE_MS, frames * PAUSE_PER_FRAME_MS);
  }

  return {
    hear(note) {
      table.hear(note);
      schedule();
    },
    welcome(subscriber) {
      const one = subscriber.class;
      if (one === undefined || one.view !== undefined) return;
      const people = [...table.told()].flatMap(({ presence, audience }) =>
        sees(one, audience) ? presence : [],
      );
      // An empty list is sent only to a client that has received a list before.
      if (people.length > 0 || subscriber.knowsPresence) sender.presenceToOne(subscriber, people);
    },
    narrow({ people, accessEvent }) {
      const lost = buildingsLost(accessEvent);
      if (lost.length === 0) return;
      for (const personId of people) table.lose(personId, lost);
      schedule();
    },
    depart(personId, window) {
      const note = table.farewell(personId, window);
      if (note !== undefined) publish(note);
    },
    sweep() {
      table.expire();
      schedule();
    },
    stop: () => clearTimeout(timer),
  };
}

/** The buildings that a change may take away. If a window is still in one, it announces itself again within seconds. */
function buildingsLost(event: AccessEvent | undefined): readonly string[] | 'all' {
  if (event === undefined || 'whole' in event) return 'all';
  const { lists, lost, role, disabled } = event.delta;
  return lists === 'left_out' || role !== undefined || disabled === true ? 'all' : lost;
}
