import type { Changes } from '#shared/live/live.ts';
import type { LiveEntity } from '#shared/live/live-entities.ts';
import { Listeners } from '../lib/listeners.ts';
import type { LiveEntry } from './stream/join.ts';
import type { RingItem } from './stream/ring.ts';
import { SteadyClock } from './stream/steady-clock.ts';
import type { AnyLiveQuery, LiveChange, OverlayTarget } from './types.ts';

type Row = Readonly<Record<string, unknown>> & { readonly version: number };
type Overlay = {
  readonly operationId: string;
  readonly patch: Readonly<Record<string, unknown>>;
  /** Set by the answer: its number in the client's order, its time by the steady clock, and the row's version. */
  readonly answer: { order: number; at: number; version: number } | undefined;
};
/** The person's unconfirmed writes of one row, oldest first, with the newest known copy of the row. */
export type OverlayGroup = {
  readonly entity: LiveEntity;
  readonly id: string;
  readonly base: Row | undefined;
  /** The row was deleted, or access to it was lost, so its writes cannot be shown. */
  readonly gone: boolean;
  readonly overlays: readonly Overlay[];
};
type Groups = ReadonlyMap<string, OverlayGroup>;

/** The time for which an answered write waits for the stream before a new snapshot is fetched (rule J5). */
const SETTLE_AFTER_MS = 5000;

const keyOf = (entity: LiveEntity, id: string) => `${entity}:${id}`;

/** The person's writes that are shown before they are confirmed (rule J5). */
export class Overlays {
  readonly #listeners = new Listeners();
  readonly #clock = new SteadyClock();
  readonly #projected = new WeakMap<LiveEntry, { groups: Groups; value: unknown }>();
  #groups: Groups = new Map();

  readonly subscribe = this.#listeners.subscribe;
  /** The same reference as long as nothing has changed. */
  readonly snapshot = (): Groups => this.#groups;

  add(target: OverlayTarget, operationId: string): void {
    const key = keyOf(target.entity, target.id);
    const known = this.#groups.get(key);
    const overlay = { operationId, patch: target.patch, answer: undefined };
    this.#set(key, {
      entity: target.entity,
      id: target.id,
      // A person who writes to a row can see it.
      gone: false,
      base: newer(known?.base, target.base, known !== undefined),
      overlays: [...(known?.overlays ?? []), overlay],
    });
  }

  /** Notes the answer to a write. The overlay is removed at once if the row already has the answered version. */
  answered(operationId: string, version: number, order: number): void {
    this.#change((overlay, group) => {
      if (overlay.operationId !== operationId) return overlay;
      if (group.base && group.base.version >= version) return undefined;
      return { ...overlay, answer: { order, at: this.#clock.now(), version } };
    });
  }

  remove(operationId: string): void {
    this.#change((overlay) => (overlay.operationId === operationId ? undefined : overlay));
  }

  /**
   * Removes one overlay of a write that was stored on this device. If the send queue has added another overlay with the
   * same operation id, that one stays.
   */
  handOver(operationId: string): void {
    let isRemoved = false;
    this.#change((overlay) => {
      if (isRemoved || overlay.operationId !== operationId) return overlay;
      isRemoved = true;
      return undefined;
    });
  }

  clear(): void {
    this.#replace(new Map());
  }

  /** Updates the overlays after the stream's items have been applied to the cache. */
  see(items: readonly RingItem[]): void {
    if (this.#groups.size === 0) return;
    const brought = new Set<string>();
    for (const { event } of items) {
      if (event.operationId !== null) brought.add(event.operationId);
      if (event.op === 'bulk') continue;
      const key = keyOf(event.entity, event.entityId);
      const group = this.#groups.get(key);
      if (!group || 'erased' in event) continue;
      if (event.op === 'del') this.#set(key, { ...group, gone: true });
      else if (event.version > (group.base?.version ?? 0)) {
        this.#set(key, { ...group, gone: false, base: event.row });
      }
    }
    this.#change((overlay, group) => {
      const reached = overlay.answer && group.base && group.base.version >= overlay.answer.version;
      return reached || brought.has(overlay.operationId) ? undefined : overlay;
    });
  }

  /**
   * Access to buildings was lost. Only the queries know which rows belong to a building, so no overlay is shown on a row
   * until an event brings that row again.
   */
  lose(): void {
    if (this.#groups.size === 0) return;
    this.#replace(new Map([...this.#groups].map(([key, group]) => [key, { ...group, gone: true }])));
  }

  /** The writes that were answered some time ago without their event in the stream: they need a new snapshot. */
  unsettled(): { operationId: string; entity: LiveEntity }[] {
    const now = this.#clock.now();
    return [...this.#groups.values()].flatMap(({ entity, overlays }) =>
      overlays
        .filter(({ answer }) => answer && now - answer.at > SETTLE_AFTER_MS)
        .map(({ operationId }) => ({ operationId, entity })),
    );
  }

  /** Whether a write of a row is still unanswered. */
  isPending(entity: LiveEntity, id: string): boolean {
    return this.#groups.get(keyOf(entity, id))?.overlays.some(({ answer }) => !answer) ?? false;
  }

  /** The entry's value with the person's writes applied. The same reference for the same entry and writes. */
  project<Value>(
    query: AnyLiveQuery,
    entry: LiveEntry<Value>,
    context: { input: unknown; now: number },
  ): Value {
    if (this.#groups.size === 0) return entry.value;
    const known = this.#projected.get(entry);
    // The cast: the value was stored below, for this entry.
    if (known?.groups === this.#groups) return known.value as Value;
    let value: unknown = entry.value;
    for (const group of this.#groups.values()) {
      if (group.gone || !query.entities.includes(group.entity)) continue;
      // A snapshot that was requested after the answer contains the write, or has no row because the person may not see it.
      const open = group.overlays.filter(({ answer }) => !answer || entry.requestedAt < answer.order);
      const event = open.length > 0 ? expectedEvent(group, open) : undefined;
      const next = event ? query.apply(value, event, context) : value;
      if (next !== 'refetch') value = next;
    }
    this.#projected.set(entry, { groups: this.#groups, value });
    // The cast: `apply` returns a value of this query for a value of this query.
    return value as Value;
  }

  #change(change: (overlay: Overlay, group: OverlayGroup) => Overlay | undefined): void {
    const next = new Map<string, OverlayGroup>();
    let changed = false;
    for (const [key, group] of this.#groups) {
      const overlays = group.overlays.flatMap((overlay) => change(overlay, group) ?? []);
      const same =
        overlays.length === group.overlays.length && overlays.every((o, i) => o === group.overlays[i]);
      if (!same) changed = true;
      if (overlays.length > 0) next.set(key, same ? group : { ...group, overlays });
    }
    if (changed) this.#replace(next);
  }

  #set(key: string, group: OverlayGroup): void {
    this.#replace(new Map(this.#groups).set(key, group));
  }

  #replace(groups: Groups): void {
    this.#groups = groups;
    this.#listeners.tell();
  }
}

/**
 * The newest confirmed copy of a row. The base that a screen passes may itself be projected (its version ends in .5).
 * If the row has an unconfirmed write already, only a whole version is accepted: otherwise a refusal of the first write
 * would leave its fields in the base of the second.
 */
function newer(known: Row | undefined, given: Row | undefined, grouped: boolean): Row | undefined {
  if (!given || given.version < 1) return known;
  if (!Number.isInteger(given.version))
    return grouped ? known : { ...given, version: Math.floor(given.version) };
  return known && known.version >= given.version ? known : given;
}

/** The event that the server is expected to send, with a version between the base's and the next. */
function expectedEvent(group: OverlayGroup, overlays: readonly Overlay[]): LiveChange | undefined {
  const patch: Record<string, unknown> = Object.assign({}, ...overlays.map((overlay) => overlay.patch));
  const { base } = group;
  const version = (base?.version ?? 0) + 0.5;
  let changes: Changes | null = null;
  if (base) {
    const touched = Object.entries(patch).filter(([field, value]) => !Object.is(base[field], value));
    if (touched.length === 0) return undefined;
    changes = Object.fromEntries(touched.map(([field, value]) => [field, [base[field], value]]));
  }
  const event = {
    g: 0,
    outboxId: '',
    at: new Date().toISOString(),
    actor: null,
    command: '',
    entity: group.entity,
    entityId: group.id,
    op: 'put',
    version,
    operationId: overlays.at(-1)?.operationId ?? null,
    row: { ...base, ...patch, version },
    changes,
  };
  // The cast: the type of the target (`OverlayTarget`) ties entity, base and patch together, which the compiler does not
  // know of the group.
  return event as unknown as LiveChange;
}
