import { createHash } from 'node:crypto';
import type { Sql } from 'postgres';
import type { DocumentBinPage, DocumentDetails, DocumentPage } from '#shared/features/documents/documents.ts';
import type { IssueFilter, IssuePage } from '#shared/features/issues/issues.ts';
import type { ListTasksInput, TaskList } from '#shared/features/tasks/tasks.ts';
import type { DocumentListInput } from '#web/features/documents/data/fold-documents.ts';
import { COMMENTS_PAGE, type CommentPage } from '#web/features/issues/details/comments.live.ts';
import {
  problemsOfDocuments,
  sees,
  trueBin,
  trueDetails,
  trueDocumentList,
  trueRoot,
  trueTrail,
} from './document-truth.ts';
import { problemsOfTasks, trueOverview, trueTaskList } from './task-truth.ts';
import type { Shown } from './window.ts';

// Reads the true state directly from the tables; uses none of the server's own queries.

type Person = { role: string; buildings: string[] };

const ROLES_THAT_SEE_ISSUES = ['admin', 'manager', 'viewer'];

async function readPerson(sql: Sql, id: string): Promise<Person> {
  const [person] = await sql<Person[]>`
    select coalesce((select role from user_roles where user_id = p.id order by assigned_at desc, id desc limit 1),
        'viewer') as role,
      array(select location_id::text from user_location_access where user_id = p.id) as buildings
    from profiles p where p.id = ${id}`;
  if (person === undefined) throw new Error(`no person ${id}`);
  return person;
}

const time = (sql: Sql, column: string) =>
  sql`to_char(${sql(column)} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

function issueRows(sql: Sql, person: Person, filter: IssueFilter) {
  const there = person.role === 'admin' ? sql`true` : sql`i.building_id = any(${person.buildings}::uuid[])`;
  const sees = ROLES_THAT_SEE_ISSUES.includes(person.role) ? there : sql`false`;
  const statuses = filter.statuses?.length ? sql`i.status = any(${filter.statuses})` : sql`true`;
  const priorities = filter.priorities?.length ? sql`i.priority = any(${filter.priorities})` : sql`true`;
  const search = filter.search ? sql`strpos(i.search_text, search_key(${filter.search})) > 0` : sql`true`;
  return sql`
    select i.id, i.reference_number as "referenceNumber", i.building_id as "buildingId", b.name as "buildingName",
      i.title, i.description, i.status, i.priority, i.source, i.reported_by as "reportedBy",
      trim(r.first_name || ' ' || r.last_name) as "reportedByName", i.reported_by_key as "reportedByKey",
      i.assigned_to as "assignedTo", trim(a.first_name || ' ' || a.last_name) as "assignedToName", ${time(sql, 'i.created_at')} as "createdAt",
      ${time(sql, 'i.updated_at')} as "updatedAt", ${time(sql, 'i.resolved_at')} as "resolvedAt",
      ${time(sql, 'i.responded_at')} as "respondedAt", ${time(sql, 'i.respond_due_at')} as "respondDueAt",
      ${time(sql, 'i.resolve_due_at')} as "resolveDueAt", i.pause_reason as "pauseReason",
      ${time(sql, 'i.paused_at')} as "pausedAt", ${time(sql, 'i.acknowledged_at')} as "acknowledgedAt",
      trim(k.first_name || ' ' || k.last_name) as "acknowledgedByName", i.version
    from building_issues i join buildings b on b.id = i.building_id
      left join profiles r on r.id = i.reported_by left join profiles a on a.id = i.assigned_to
      left join profiles k on k.id = i.acknowledged_by
    where ${sees} and ${statuses} and ${priorities} and ${search}
      and ${filter.buildingId === undefined ? sql`true` : sql`i.building_id = ${filter.buildingId}`}
      and ${filter.assignedTo === undefined ? sql`true` : sql`i.assigned_to = ${filter.assignedTo}`}`;
}

/** Compares what a window shows its person with the true state; undefined if they agree. */
export async function differenceFor(sql: Sql, personId: string, shown: Shown): Promise<string | undefined> {
  const person = await readPerson(sql, personId);
  const seesIssues = ROLES_THAT_SEE_ISSUES.includes(person.role);
  // The casts below: a query's name determines the types of its input and value.
  switch (shown.name) {
    case 'issues.list': {
      if (!seesIssues) return isNothing(shown) ? undefined : 'a list of issues that may not be seen';
      const all =
        await sql`${issueRows(sql, person, shown.input as IssueFilter)} order by i.created_at desc, i.id desc`;
      const page = shown.value as IssuePage | undefined;
      if (page === undefined) return 'no list';
      const expected = page.nextCursor === null ? all : all.slice(0, page.rows.length);
      return compare(page.rows, [...expected]);
    }
    case 'issues.counts': {
      if (!seesIssues) return isNothing(shown) ? undefined : 'counts of issues that may not be seen';
      const filter = shown.input as IssueFilter;
      const all = await sql<{ status: string }[]>`${issueRows(sql, person, filter)}`;
      const within = filter.buildingId === undefined ? {} : { buildingId: filter.buildingId };
      const scope = await sql`${issueRows(sql, person, within)}`;
      const byStatus: Record<string, number> = { open: 0, in_progress: 0, resolved: 0, closed: 0 };
      for (const { status } of all) byStatus[status] = (byStatus[status] ?? 0) + 1;
      const { changesAt: _, leastOf, ...counts } = (shown.value ?? {}) as Record<string, unknown>;
      return compare(
        { ...counts, leastOf },
        { total: scope.length, matching: all.length, byStatus, leastOf: [] },
      );
    }
    case 'issues.get': {
      const { id } = shown.input as { id: string };
      const [row] = await sql`${issueRows(sql, person, {})} and i.id = ${id}`;
      if (row === undefined) return isNothing(shown) ? undefined : 'an issue that may not be seen';
      return compare(shown.value, row);
    }
    case 'issues.comments': {
      const { id } = shown.input as { id: string };
      const [row] = await sql`${issueRows(sql, person, {})} and i.id = ${id}`;
      if (row === undefined) return isNothing(shown) ? undefined : 'comments that may not be seen';
      const comments = await sql`
        select c.id, c.issue_id as "issueId", c.building_id as "buildingId", c.body, c.author_id as "authorId",
          c.author_name as "authorName", nullif(trim(p.first_name || ' ' || p.last_name), c.author_name) as "authorNow",
          ${time(sql, 'c.created_at')} as "createdAt",
          1 as version
        from issue_comments c join profiles p on p.id = c.author_id where c.issue_id = ${id}
        order by c.created_at, c.id`;
      // The screen has loaded a page of the newest comments and received later ones.
      const held = (shown.value as CommentPage | undefined)?.rows.length ?? 0;
      const rows = comments.slice(-Math.max(held, COMMENTS_PAGE)).reverse();
      const [oldest] = rows.slice(-1);
      const nextCursor =
        oldest !== undefined && comments.length > rows.length
          ? { createdAt: oldest['createdAt'], id: oldest['id'] }
          : null;
      return compare(shown.value, { rows, nextCursor });
    }
    case 'locations.mine': {
      const all = person.role === 'admin';
      const places = await sql`
        select b.id, b.name, c.name as "clientName" from buildings b join clients c on c.id = b.client_id
        where ${all} or b.id = any(${person.buildings}::uuid[]) order by b.sort_key collate "C", b.id`;
      return compare(shown.value, [...places]);
    }
    case 'users.list': {
      if (person.role !== 'admin')
        return isNothing(shown) ? undefined : 'a list of people that may not be seen';
      const people = await sql`
        select p.id, p.email, p.first_name as "firstName", p.last_name as "lastName",
          coalesce((select role from user_roles where user_id = p.id order by assigned_at desc, id desc limit 1),
            'viewer') as role,
          array(select location_id::text from user_location_access where user_id = p.id order by location_id) as buildings,
          ${time(sql, 'p.created_at')} as "createdAt", ${time(sql, 'p.deactivated_at')} as "deactivatedAt",
          ${time(sql, 'p.invited_at')} as "invitedAt", p.version
        from profiles p order by p.created_at desc, p.id desc`;
      return compare(shown.value, [...people]);
    }
    case 'tasks.list': {
      const expected = await trueTaskList(sql, person, shown.input as ListTasksInput);
      if (expected === undefined) return isNothing(shown) ? undefined : 'tasks that may not be seen';
      const list = shown.value as TaskList | undefined;
      if (list === undefined) return 'no list of tasks';
      return list.today === expected.today
        ? compare(list.tasks, expected.tasks)
        : `tasks judged by ${list.today} instead of ${expected.today}`;
    }
    case 'tasks.overview': {
      const { changesAt: _, ...overview } = (shown.value ?? {}) as Record<string, unknown>;
      return compare(overview, await trueOverview(sql, person));
    }
    case 'documents.list': {
      const expected = await trueDocumentList(sql, person, shown.input as DocumentListInput);
      if (expected === undefined) return isNothing(shown) ? undefined : 'documents that may not be seen';
      const page = shown.value as DocumentPage | undefined;
      if (page === undefined) return 'no list of documents';
      const { rows, nextCursor, ...rest } = page;
      const { rows: all, ...truth } = expected;
      return (
        compare(rows, nextCursor === null ? all : all.slice(0, rows.length)) ?? compare({ ...rest }, truth)
      );
    }
    case 'documents.root': {
      const expected = await trueRoot(sql, person, (shown.input as { buildingId: string }).buildingId);
      if (expected === undefined) return isNothing(shown) ? undefined : 'disciplines that may not be seen';
      return compare(shown.value, expected);
    }
    case 'documents.path': {
      const expected = await trueTrail(sql, person, (shown.input as { folderId: string }).folderId);
      if (expected === undefined) return isNothing(shown) ? undefined : 'a folder that may not be seen';
      return compare(shown.value, expected);
    }
    case 'documents.byId': {
      const expected = await trueDetails(sql, person, (shown.input as { id: string }).id);
      const { document, versions } = (shown.value ?? {}) as Partial<DocumentDetails>;
      if (expected === undefined) {
        // A preview that is open while its document is deleted keeps the document, and shows that it is deleted.
        const tellsDeletion = document?.deletedAt != null && sees(person, document.buildingId);
        return tellsDeletion || isNothing(shown) ? undefined : 'a document that may not be seen';
      }
      return compare({ document, versions }, expected);
    }
    case 'documents.bin': {
      const expected = await trueBin(sql, person, (shown.input as { buildingId: string }).buildingId);
      if (expected === undefined) return isNothing(shown) ? undefined : 'a bin that may not be seen';
      const { rows, nextCursor } = (shown.value ?? {}) as Partial<DocumentBinPage>;
      return compare(rows, nextCursor === null ? expected : expected.slice(0, rows?.length ?? 0));
    }
    default:
      return `it is not known what ${shown.name} should show`;
  }
}

function isNothing({ value }: Shown): boolean {
  if (value === undefined || value === null) return true;
  if (Array.isArray(value)) return value.length === 0;
  // The cast: pages and counts have these fields.
  const { rows, total } = value as { rows?: unknown[]; total?: number };
  return rows !== undefined ? rows.length === 0 : total === 0;
}

function compare(shown: unknown, truth: unknown): string | undefined {
  const [a, b] = [canonical(shown), canonical(truth)];
  if (a === b) return undefined;
  if (Array.isArray(shown) && Array.isArray(truth)) {
    const [has, should] = [namesOf(shown), namesOf(truth)];
    const missing = [...should].filter(([id]) => !has.has(id)).map(([, name]) => name);
    const extra = [...has].filter(([id]) => !should.has(id)).map(([, name]) => name);
    if (missing.length + extra.length > 0) {
      const lists = `without ${tally(missing)}, too many ${tally(extra)}`;
      return `${shown.length} rows against ${truth.length}: ${lists}`;
    }
    const at = truth.findIndex((row, index) => canonical(row) !== canonical(shown[index]));
    return `at ${at} ${canonical(shown[at])} against ${canonical(truth[at])}`;
  }
  return `${a} against ${b}`;
}

/** Maps the ids of rows to their places. */
function namesOf(rows: readonly unknown[]): Map<string, string> {
  // The cast: every list shown has rows with an id.
  const known = rows as { id: string; buildingName?: string; name?: string }[];
  return new Map(known.map((row) => [row.id, row.buildingName ?? row.name ?? row.id]));
}

function tally(names: readonly string[]): string {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return [...counts].map(([name, count]) => `${count} of ${name}`).join(', ') || 'none';
}

function canonical(value: unknown): string {
  return (
    JSON.stringify(value, (_, inner: unknown) =>
      typeof inner === 'object' && inner !== null && !Array.isArray(inner)
        ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
        : inner,
    ) ?? 'nothing'
  );
}

/** Checks the event log: its order, its hash chain, and the rows left in the outbox. */
export async function problemsOfRecord(sql: Sql): Promise<string[]> {
  const problems: string[] = [];
  const rows = await sql<
    {
      g: number;
      stream: string;
      seq: number;
      canon: string;
      hash: string;
      salt: Buffer | null;
      body: string | null;
      outbox: string;
      entity: string;
      entity_id: string;
      version: number;
      op: string;
    }[]
  >`
    select e.g::float8 as g, e.stream, e.seq::float8 as seq, e.canon, encode(e.hash, 'hex') as hash, p.salt, p.body,
      e.outbox_id::text as outbox, e.entity, e.entity_id, e.version, e.op
    from events e left join event_payloads p on p.g = e.g order by e.g`;
  const heads = new Map<string, { seq: number; hash: string }>();
  const versions = new Map<string, number>();
  const numbers = new Set<string>();
  let before = 0;
  for (const row of rows) {
    if (row.g !== before + 1) problems.push(`position ${before + 1} is missing`);
    before = row.g;
    if (numbers.has(row.outbox)) problems.push(`outbox row ${row.outbox} has two positions`);
    numbers.add(row.outbox);
    const { seq, hash } = heads.get(row.stream) ?? { seq: 0, hash: '' };
    if (row.seq !== seq + 1) problems.push(`${row.stream} jumps from ${seq} to ${row.seq}`);
    const chained = ['v1', row.stream, String(row.seq), hash, row.canon].join('\n');
    if (sha256(chained) !== row.hash) problems.push(`the hash of ${row.g} is not its own`);
    heads.set(row.stream, { seq: row.seq, hash: row.hash });
    const payload = JSON.parse(row.canon).payload as string;
    if (row.salt === null || row.body === null) problems.push(`the payload of ${row.g} is gone`);
    else if (sha256(Buffer.concat([row.salt, Buffer.from(row.body)])) !== payload) {
      problems.push(`the payload of ${row.g} is another`);
    }
    // Events about several people have no version of their own.
    if ((row.op !== 'put' && row.op !== 'access') || row.version === 0) continue;
    const key = `${row.entity} ${row.entity_id}`;
    if (row.version <= (versions.get(key) ?? 0)) problems.push(`${key} goes back to version ${row.version}`);
    versions.set(key, row.version);
  }
  const [head] = await sql<{ g: number; waiting: number }[]>`
    select g::float8 as g, (select count(*)::int from outbox) as waiting from stream_head`;
  if (head?.g !== before) problems.push(`the head says ${head?.g}, the last event is ${before}`);
  if (head?.waiting !== 0) problems.push(`${head?.waiting} changes have no position`);
  // Clocks jump by days, but recorded times stay right, and timed jobs do not run for days in the future.
  const [dated] = await sql<{ events: number; jobs: number }[]>`
    select (select count(*)::int from events where at > clock_timestamp() + interval '2 minutes') as events,
      (select count(*)::int from timed_jobs where ran_at > clock_timestamp() + interval '2 minutes') as jobs`;
  if (dated?.events !== 0) problems.push(`${dated?.events} events are of the future`);
  if (dated?.jobs !== 0) problems.push(`${dated?.jobs} timed jobs ran in the future`);
  const gaps = await sql`
    select b.code, count(*)::int as issues, c.value from building_issues i join buildings b on b.id = i.building_id
      join counters c on c.building_id = b.id and c.kind = 'issue'
    group by b.code, c.value having count(*) <> c.value`;
  for (const { code, issues, value } of gaps)
    problems.push(`${code} has ${issues} issues and counts ${value}`);
  return [...problems, ...(await problemsOfTasks(sql)), ...(await problemsOfDocuments(sql))];
}

function sha256(content: string | Buffer): string {
  return createHash('sha256').update(content).digest('hex');
}
