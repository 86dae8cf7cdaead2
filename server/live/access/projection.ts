import { isProjected, mayBePartial, partOf, project } from '#shared/live/live-projection.ts';
import type { Permission } from '#shared/permissions.ts';
import type { View } from '#shared/views.ts';
import type { StreamEvent } from '../events.ts';

/** An event as each view shows it; null if the view shows nothing of it. */
type Projected = Partial<Record<View, StreamEvent | null>>;

/** A cache: each event is projected once for each view, however many displays there are, and dropped with the event. */
const made = new WeakMap<StreamEvent, Projected>();

/**
 * An event as displays receive it: position, transaction, time, entity, version, and the part of the row that the view shows.
 * Nothing else is copied: neither the person, the command, nor the earlier values.
 * @returns undefined if displays receive nothing about rows of this entity
 */
export function projectEvent(event: StreamEvent, view: View): StreamEvent | undefined {
  const known = made.get(event) ?? {};
  const before = known[view];
  if (before !== undefined) return before ?? undefined;
  const shown = textOf(event, view);
  const one = shown === undefined ? null : { ...event, text: shown, bytes: Buffer.byteLength(shown) };
  known[view] = one;
  made.set(event, known);
  return one ?? undefined;
}

type Told = Readonly<Record<string, unknown>>;

function textOf({ text }: StreamEvent, view: View): string | undefined {
  // The cast: written by `toStreamEvent`, as an object.
  const told = JSON.parse(text) as Told;
  const { g, tx, at, entity, entityId, op, version } = told;
  if (typeof entity !== 'string' || !isProjected(entity)) return undefined;
  const envelope = { g, tx, at, entity, entityId, op, version };
  if (op !== 'put') return JSON.stringify(envelope);
  const row = project(entity, told['row'], view);
  // The row was erased, or has an older shape that cannot be read: the display asks for a new snapshot.
  return JSON.stringify(row === undefined ? { ...envelope, erased: true } : { ...envelope, row });
}

/** A cache of the partial events that people without a further permission receive, made once for each event. */
const parts = new WeakMap<StreamEvent, StreamEvent>();

/**
 * An event as the people of a class receive it: complete, or with a part of the row and without the earlier values.
 * @param permissions those of the class. The caller has already decided that the class may see the event
 */
export function partFor(event: StreamEvent, permissions: ReadonlySet<Permission>): StreamEvent {
  if (!mayBePartial(event.permission, permissions)) return event;
  const known = parts.get(event);
  if (known !== undefined) return known;
  // The cast: written by `toStreamEvent`, as an object.
  const told = JSON.parse(event.text) as Told;
  const row = partOf(String(told['entity']), told['row'], permissions);
  if (row === undefined) return event;
  const text = JSON.stringify({ ...told, row, changes: null });
  const part = { ...event, text, bytes: Buffer.byteLength(text) };
  parts.set(event, part);
  return part;
}
