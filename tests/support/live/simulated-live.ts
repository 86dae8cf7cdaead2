import type { LiveEvent, LiveFrame, LivePosition, Snapshot } from '#shared/live/live.ts';
import type { LiveRow } from '#shared/live/live-entities.ts';
import { defineLiveQuery, type LiveChange, type LiveQuery, type PagedQuery } from '#web/live/types.ts';

/** The fields of an issue that the simulation uses. */
export type SimRow = { id: string; buildingId: string; status: string; note: number; version: number };
export type SimPage = { rows: SimRow[]; next: string | null };
export type SimCounts = Record<string, number>;
type Edit = { status?: { from: string; to: string }; note?: { from: number; to: number } };
export type SimUpdate = { operationId: string; id: string; changes: Edit };

type Access = { version: number; buildings: string[] };
type Pending =
  | { kind: 'event'; buildings: string[]; event: LiveEvent }
  | { kind: 'access'; outboxId: string; access: Access };
type Sequenced = Pending & { g: number };
/**
 * `position` was sent to the client. `access` is the client's access as the server's process knows it, which may be ahead
 * of the log; `told` is the access that was last sent to the client.
 */
type Connection = { position: number; access: Access; told: Access };
type Frames = { position: LivePosition; frame: LiveFrame }[];

const FIRST_ACCESS: Access = { version: 1, buildings: ['b1', 'b2'] };
export const PAGE = 3;
export const STATUSES = ['open', 'doing', 'done'] as const;

/** An error in the server's format. */
export class SimRefusal extends Error {
  readonly data: { code: string; app: { code: string } };
  constructor(code: string) {
    super(code);
    this.data = { code: code.toUpperCase(), app: { code } };
  }
}

/**
 * A server in memory that follows the rules of the stream: commit first, sequence later, snapshots that say which
 * changes they include, one connection that can be cut and resumed. One person is connected.
 */
export class SimulatedServer {
  readonly me = 'person-1';
  /** The number of clients that receive the same bulk event. */
  crowd = 1;
  epoch = 'e1';
  rows = new Map<string, SimRow>();
  outbox: Pending[] = [];
  log: Sequenced[] = [];
  g = 0;
  access: Access = FIRST_ACCESS;
  /** The stored answer of each operation id. */
  readonly applied = new Map<string, { id: string; version: number }>();
  effects = 0;
  /** The position up to which the connection's process has read the log; a process that was frozen is behind. */
  reader = 0;
  connection: Connection | undefined;
  #ids = 0;
  #restored: Access = FIRST_ACCESS;

  #pending(
    row: SimRow,
    part: { op: 'put' | 'del' | 'bulk'; changes?: unknown; buildings: string[] },
    origin: Origin,
  ) {
    this.#ids += 1;
    const { op, changes = null, buildings } = part;
    const event = {
      g: 0,
      outboxId: `o${this.#ids}`,
      tx: this.#ids,
      at: new Date().toISOString(),
      actor: origin.actor,
      command: 'sim',
      entity: 'issue',
      entityId: op === 'bulk' ? row.buildingId : row.id,
      version: row.version,
      operationId: origin.operationId,
      op,
      ...(op === 'put' ? { row: { ...row }, changes } : op === 'del' ? { changes } : {}),
    };
    // The cast: the simulated rows are a part of the real entity's.
    this.outbox.push({ kind: 'event', buildings, event: event as unknown as LiveEvent });
  }

  create(id: string, buildingId: string, status: string): void {
    if (this.rows.has(id)) return;
    const row = { id, buildingId, status, note: 0, version: 1 };
    this.rows.set(id, row);
    this.#pending(row, { op: 'put', buildings: [buildingId] }, OTHER_PERSON);
  }

  /** Merges fields (rule S6), with an event if any field changes. */
  edit(id: string, changes: Edit, origin: Origin = OTHER_PERSON): { id: string; version: number } {
    const row = this.rows.get(id);
    if (!row) throw new SimRefusal('not_found');
    const next = { ...row };
    const done: Record<string, [unknown, unknown]> = {};
    for (const [field, change] of Object.entries(changes)) {
      const current = Reflect.get(row, field);
      if (current === change.to) continue;
      if (current !== change.from) throw new SimRefusal('conflict');
      Reflect.set(next, field, change.to);
      done[field] = [change.from, change.to];
    }
    if (Object.keys(done).length === 0) return { id, version: row.version };
    next.version += 1;
    this.rows.set(id, next);
    this.effects += 1;
    this.#pending(next, { op: 'put', changes: done, buildings: [row.buildingId] }, origin);
    return { id, version: next.version };
  }

  /** Moves a row to another building: deleted for the old audience, new for the other. */
  move(id: string, buildingId: string): void {
    const row = this.rows.get(id);
    if (!row || row.buildingId === buildingId) return;
    const next = { ...row, buildingId, version: row.version + 1 };
    this.rows.set(id, next);
    this.#pending(next, { op: 'del', buildings: [row.buildingId] }, OTHER_PERSON);
    this.#pending(
      next,
      { op: 'put', changes: { buildingId: [row.buildingId, buildingId] }, buildings: [buildingId] },
      OTHER_PERSON,
    );
  }

  remove(id: string): void {
    const row = this.rows.get(id);
    if (!row) return;
    this.rows.delete(id);
    this.#pending(
      { ...row, version: row.version + 1 },
      { op: 'del', buildings: [row.buildingId] },
      OTHER_PERSON,
    );
  }

  /** Changes many rows at once, with one bulk event. */
  bulk(buildingId: string, status: string, origin: Origin = OTHER_PERSON): void {
    const rows = [...this.rows.values()].filter((row) => row.buildingId === buildingId);
    const first = rows[0];
    if (!first) return;
    for (const row of rows) this.rows.set(row.id, { ...row, status, version: row.version + 1 });
    this.#pending(first, { op: 'bulk', buildings: [buildingId] }, origin);
  }

  setAccess(buildings: string[]): void {
    this.#ids += 1;
    this.access = { version: this.access.version + 1, buildings };
    this.outbox.push({ kind: 'access', outboxId: `o${this.#ids}`, access: this.access });
  }

  sequence(most = Number.POSITIVE_INFINITY): void {
    for (const pending of this.outbox.splice(0, most)) {
      this.g += 1;
      if (pending.kind === 'event') pending.event.g = this.g;
      this.log.push({ ...pending, g: this.g });
    }
  }

  /** The connected person's own mutation, applied once per operation id (rule S5). */
  update(input: SimUpdate): { id: string; version: number } {
    const known = this.applied.get(input.operationId);
    if (known) return known;
    const row = this.rows.get(input.id);
    if (!row || !this.access.buildings.includes(row.buildingId)) throw new SimRefusal('not_found');
    const answer = this.edit(input.id, input.changes, { actor: this.me, operationId: input.operationId });
    this.applied.set(input.operationId, answer);
    return answer;
  }

  visible(): SimRow[] {
    return [...this.rows.values()]
      .filter((row) => this.access.buildings.includes(row.buildingId))
      .sort((a, b) => (a.id < b.id ? 1 : -1));
  }

  snapshot<T>(data: T): Snapshot<T> {
    const answer = { asOf: `${this.epoch}.${this.g}`, data: structuredClone(data) };
    const next = this.#ids + 1;
    return { ...answer, visible: `${next}:${next}:` };
  }

  scope() {
    const { asOf } = this.snapshot(null);
    const { buildings, version } = this.access;
    return { asOf, personId: this.me, buildings, permissions: [], accessVersion: version };
  }

  /** Simulates a restore from a backup: positions are no longer valid. */
  restore(): void {
    this.sequence();
    this.epoch = `${this.epoch}x`;
    this.log = [];
    this.g = Math.max(0, this.g - 5);
    this.#restored = this.access;
    this.connection = undefined;
  }

  /**
   * Resumes the connection from a cursor. The access is read from the database, and the first frame carries its net
   * change, whatever position the change itself has.
   * @param lag positions that the process has not read yet
   * @param piece positions in the first frame
   */
  resume(cursor: LivePosition, lag = 0, piece = Number.POSITIVE_INFINITY): Frames {
    const isForeign = cursor.epoch !== this.epoch || cursor.g > this.g;
    this.reader = Math.max(isForeign ? 0 : cursor.g, this.g - lag);
    const told = isForeign ? this.access : this.#accessAt(cursor.g);
    this.connection = { position: isForeign ? this.reader : cursor.g, access: this.access, told };
    if (isForeign) return [this.#frame(this.reader, this.reader, [], { reset: 'epoch' })];
    return [...this.#send(Math.min(this.reader, cursor.g + piece)), ...this.#send(this.reader)];
  }

  /** The process reads the person's access from the database, where it may be ahead of the log. */
  readAccess(): void {
    if (this.connection) this.connection.access = this.access;
  }

  /** Returns frames after the process has read on: to the end, or a number of further positions. */
  pump(most = Number.POSITIVE_INFINITY): Frames {
    if (!this.connection) return [];
    this.reader = Math.min(this.g, this.reader + most);
    const frames: Frames = [];
    for (const each of this.log) {
      if (each.kind !== 'access' || each.g <= this.connection.position || each.g > this.reader) continue;
      if (each.access.version <= this.connection.access.version) continue;
      frames.push(...this.#send(each.g - 1));
      this.connection.access = each.access;
      frames.push(...this.#send(each.g));
    }
    frames.push(...this.#send(this.reader));
    // A heartbeat if there is nothing to send.
    const { position } = this.connection;
    return frames.length > 0 ? frames : [this.#frame(position, position, [], {})];
  }

  /** The next frame, with any change of access that the client does not know yet; none at the client's own position. */
  #send(upTo: number): Frames {
    const { connection } = this;
    if (!connection || upTo <= connection.position) return [];
    const { position, access, told } = connection;
    const change = netChange(told, access);
    const events = this.#between(position, upTo, access);
    connection.position = upTo;
    connection.told = access;
    return [this.#frame(position, upTo, events, change ? { access: change } : {})];
  }

  /** The access that a client at a position knows: from the last change in the log up to this position. */
  #accessAt(g: number): Access {
    const last = this.log.findLast((each) => each.kind === 'access' && each.g <= g);
    return last?.kind === 'access' ? last.access : this.#restored;
  }

  #between(from: number, to: number, access: Access): LiveEvent[] {
    return this.log.flatMap((each) =>
      each.kind === 'event' &&
      each.g > from &&
      each.g <= to &&
      each.buildings.some((id) => access.buildings.includes(id))
        ? [structuredClone(each.event)]
        : [],
    );
  }

  #frame(prev: number, g: number, events: LiveEvent[], part: Partial<LiveFrame>) {
    const crowd = events.some(({ op }) => op === 'bulk') && { crowd: this.crowd };
    const frame = { prev, head: this.g, at: new Date().toISOString(), events, ...crowd, ...part };
    return { position: { epoch: this.epoch, g }, frame };
  }
}

type Origin = { actor: string; operationId: string | null };
const OTHER_PERSON: Origin = { actor: 'person-2', operationId: null };

function netChange(before: Access, now: Access): LiveFrame['access'] {
  if (now.version <= before.version) return undefined;
  return {
    version: now.version,
    from: before.version,
    lost: before.buildings.filter((id) => !now.buildings.includes(id)),
    gained: now.buildings.filter((id) => !before.buildings.includes(id)),
    role: null,
    permissions: [],
  };
}

/** How an answer arrives: at once, or when the test releases it. */
export type Ask = <T>(read: () => T) => Promise<T>;

/** A paged list (newest first), a count per status and a single row, folded as the real queries are. */
export function simulatedQueries(server: SimulatedServer, ask: Ask) {
  const page = (status: string | undefined, before: string | undefined, limit: number) => {
    const all = server.visible().filter((row) => status === undefined || row.status === status);
    const rest = before === undefined ? all : all.filter((row) => row.id < before);
    const rows = rest.slice(0, limit);
    return { rows, next: rest.length > limit ? (rows.at(-1)?.id ?? null) : null };
  };
  type ListInput = { status?: string };
  const list: PagedQuery<ListInput, SimPage, 'issue'> = {
    name: 'sim.list',
    entities: ['issue'],
    fetch: ({ status }, { limit = PAGE }) =>
      ask(() => server.snapshot(page(status, undefined, Math.max(PAGE, limit)))),
    apply(value, event, { input }) {
      const held = value.rows.find((row) => row.id === event.entityId);
      if (held && held.version >= event.version) return value;
      const without = value.rows.filter((row) => row !== held);
      if (event.op === 'del') return held ? { ...value, rows: without } : value;
      const row = rowOf(event);
      const belongs = input.status === undefined || row.status === input.status;
      if (belongs && (value.next === null || row.id >= value.next)) {
        return { ...value, rows: [...without, row].sort((a, b) => (a.id < b.id ? 1 : -1)) };
      }
      return held ? { ...value, rows: without } : value;
    },
    lose(value, lost) {
      const rows = value.rows.filter((row) => !lost(row.buildingId));
      return rows.length === value.rows.length ? value : { ...value, rows };
    },
    fetchMore: ({ status }, value) => ask(() => server.snapshot(page(status, value.next ?? undefined, PAGE))),
    merge(value, further) {
      const rows = new Map(value.rows.map((row) => [row.id, row]));
      for (const row of further.rows) {
        if ((rows.get(row.id)?.version ?? 0) < row.version) rows.set(row.id, row);
      }
      return { rows: [...rows.values()].sort((a, b) => (a.id < b.id ? 1 : -1)), next: further.next };
    },
    size: (value) => value.rows.length,
  };

  const counts: LiveQuery<Record<string, never>, SimCounts, 'issue'> = defineLiveQuery({
    name: 'sim.counts',
    entities: ['issue'],
    fetch: () => ask(() => server.snapshot(tally(server.visible()))),
    // Adds and subtracts without comparing versions, so that an event applied twice, or never, gives a wrong count.
    apply(value: SimCounts, event) {
      if (event.op === 'del') return 'refetch';
      const row = rowOf(event);
      const before = event.version <= 1 ? undefined : (event.changes?.['status']?.[0] ?? row.status);
      if (event.changes && 'buildingId' in event.changes) return 'refetch';
      if (before === row.status) return value;
      const next = { ...value, [row.status]: (value[row.status] ?? 0) + 1 };
      if (typeof before === 'string') next[before] = (next[before] ?? 0) - 1;
      return next;
    },
  });

  const one: LiveQuery<{ id: string }, SimRow | null, 'issue'> = defineLiveQuery({
    name: 'sim.one',
    entities: ['issue'],
    fetch: ({ id }: { id: string }) =>
      ask(() => server.snapshot(server.visible().find((row) => row.id === id) ?? null)),
    apply(value: SimRow | null, event, { input }) {
      if (event.entityId !== input.id || (value && value.version >= event.version)) return value;
      return event.op === 'del' ? null : rowOf(event);
    },
    lose: (value, lost) => (value && lost(value.buildingId) ? null : value),
  });

  return { list, counts, one, page };
}

export function tally(rows: readonly SimRow[]): SimCounts {
  const counts: SimCounts = Object.fromEntries(STATUSES.map((status) => [status, 0]));
  for (const row of rows) counts[row.status] = (counts[row.status] ?? 0) + 1;
  return counts;
}

function rowOf(event: LiveChange<'issue'>): SimRow {
  if (event.op !== 'put') throw new Error('only a put has a row');
  // The cast: the simulated rows are a part of the real entity's.
  return event.row as unknown as SimRow;
}

/** A simulated row with the type that the overlay expects. */
export function asLiveRow(row: SimRow): LiveRow<'issue'> {
  return row as unknown as LiveRow<'issue'>;
}
