import { createHash } from 'node:crypto';
import type { ISql } from 'postgres';
import { z } from 'zod';

export type ChainReport = {
  events: number;
  streams: number;
  /** Payloads erased for data protection: their events still verify. */
  erased: number;
  /** Inconsistencies in order of position, at most `MAX_PROBLEMS`; empty for an intact log. */
  problems: { g: number; problem: string }[];
};

const PAGE = 1_000;
const MAX_PROBLEMS = 100;

/** Exactly the fields of the hashed text `canon`, whose `payload` is a hash. */
const canonSchema = z.strictObject({
  g: z.number(),
  stream: z.string(),
  seq: z.number(),
  outboxId: z.string(),
  at: z.string(),
  actor: z.string().nullable(),
  command: z.string(),
  entity: z.string(),
  entityId: z.string(),
  op: z.string(),
  version: z.number(),
  operationId: z.string().nullable(),
  permission: z.string().nullable(),
  buildings: z.array(z.string()).nullable(),
  persons: z.array(z.string()),
  payload: z.string(),
});
type Canon = z.infer<typeof canonSchema>;

/** A row of `events` with its payload; the columns have the names used in `canon`. */
type Row = Omit<Canon, 'g' | 'seq' | 'payload'> & {
  g: string;
  seq: string;
  canon: string;
  hash: Buffer;
  salt: Buffer | null;
  body: string | null;
};

/**
 * Reads the whole event log and verifies that nothing in it was changed, removed, inserted or moved (rule S4). It cannot
 * detect a truncated end or a chain rebuilt as a whole: this requires a hash that is stored elsewhere.
 */
export async function verifyChain(sql: ISql): Promise<ChainReport> {
  const report: ChainReport = { events: 0, streams: 0, erased: 0, problems: [] };
  const ends = new Map<string, { seq: number; hash: Buffer }>();
  const note = (g: number, problem: string) => {
    if (report.problems.length < MAX_PROBLEMS) report.problems.push({ g, problem });
  };

  // One statement for each page, because a single snapshot would hold back vacuum during the whole check. Events never change
  // during the check, except that payloads may be erased.
  const [end] = await sql<{ head: string; last: string | null }[]>`
    select h.g as head, (select max(g) from events) as last from stream_position() h`;
  const head = Number(end?.head);
  let g = 0;
  while (g < head) {
    const rows = await sql<Row[]>`
      select e.g, e.stream, e.seq, e.outbox_id as "outboxId",
        to_char(e.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as at, e.actor, e.command, e.entity,
        e.entity_id as "entityId", e.op, e.version, e.operation_id as "operationId", e.permission, e.buildings,
        e.persons, e.canon, e.hash, p.salt, p.body
      from events e left join event_payloads p on p.g = e.g where e.g > ${g} and e.g <= ${head}
      order by e.g limit ${PAGE}`;
    for (const row of rows) {
      if (Number(row.g) !== g + 1) note(g + 1, 'missing');
      g = Number(row.g);
      report.events += 1;
      if (row.body === null) report.erased += 1;
      const before = ends.get(row.stream) ?? { seq: 0, hash: Buffer.alloc(0) };
      for (const problem of problemsOf(row, before)) note(g, problem);
      ends.set(row.stream, { seq: Number(row.seq), hash: row.hash });
    }
    if (rows.length === 0) break;
  }
  if (Number(end?.last ?? 0) !== head) note(Number(end?.last ?? 0), `the head says ${head}`);
  report.streams = ends.size;
  return report;
}

function problemsOf(row: Row, before: { seq: number; hash: Buffer }): string[] {
  const problems: string[] = [];
  const seq = Number(row.seq);
  if (seq !== before.seq + 1) problems.push(`${row.stream}: ${seq} follows ${before.seq}`);
  const hashed = ['v1', row.stream, String(seq), before.hash.toString('hex'), row.canon].join('\n');
  if (!createHash('sha256').update(hashed).digest().equals(row.hash)) problems.push('its hash does not fit');
  const canon = canonSchema.safeParse(parse(row.canon)).data;
  if (canon === undefined) return [...problems, 'its hashed text cannot be read'];
  const { payload, ...fields } = canon;
  for (const [name, hashedValue] of Object.entries(fields)) {
    // The cast: `name` is a key of the object above.
    const stored = row[name as keyof typeof fields];
    const value = name === 'g' || name === 'seq' ? Number(stored) : stored;
    if (JSON.stringify(value) !== JSON.stringify(hashedValue)) problems.push(`its ${name} was changed`);
  }
  if (row.salt !== null && row.body !== null) {
    const found = createHash('sha256').update(row.salt).update(row.body).digest('hex');
    if (found !== payload) problems.push('its payload was changed');
  }
  return problems;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
