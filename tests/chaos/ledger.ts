import type { Sql } from 'postgres';

/** A write that a window sent, and the answer that its person got. */
export type Entry = {
  kind:
    | ('create' | 'update' | 'comment' | 'access' | 'createTask' | 'task' | 'apply')
    | ('createFolder' | 'document' | 'documents' | 'upload');
  operationIds: Set<string>;
  /** The row's id; made by the client for created rows. */
  id: string;
  /** A text in an update's title that no other write has. */
  token: string | undefined;
  told: 'nothing yet' | 'done' | 'refused' | 'unknown';
  version: number | undefined;
  code: string | undefined;
  /** For an upload: the hash of its bytes, and the document that it became according to the answer. */
  sha256?: string;
  documentId?: string;
};

/** Kinds of writes that create a row: after a refusal, the row must not exist. */
const MADE: readonly Entry['kind'][] = ['create', 'comment', 'createTask', 'createFolder'];
/** Refusals made before the server looks for an earlier copy of the operation, or when it cannot look for one. */
const BEFORE_THE_OPERATION: readonly (string | undefined)[] = ['unauthenticated', 'forbidden', 'busy'];

/**
 * Verifies the answers: accepted writes are stored exactly once, refused ones are not (promise 4).
 * @param doubled the operations that the network carried to a server twice, and whose second answer the window got: the
 *   first copy may be stored although the second was refused
 */
export async function liesIn(
  sql: Sql,
  entries: readonly Entry[],
  doubled: ReadonlySet<string>,
): Promise<string[]> {
  const lies: string[] = [];
  const issues = await idsOf(sql`select id::text, version from building_issues`);
  const comments = await idsOf(sql`select id::text, 1 as version from issue_comments`);
  const tasks = await idsOf(sql`select id::text, version from tasks`);
  const buildings = await idsOf(sql`select id::text, version from buildings`);
  const people = await idsOf(sql`select id::text, version from profiles`);
  const documents = await idsOf(sql`select id::text, version from building_documents`);
  const rowsOf: Readonly<Record<Exclude<Entry['kind'], 'documents' | 'upload'>, Map<string, number>>> = {
    ...{ create: issues, update: issues, comment: comments, access: people },
    ...{ createTask: tasks, task: tasks, apply: buildings, createFolder: documents, document: documents },
  };
  const written = new Set(
    (
      await sql<{ id: string }[]>`select operation_id::text as id from events where operation_id is not null`
    ).map(({ id }) => id),
  );
  const tokens = new Map<string, number>();
  for (const { token } of await sql<{ token: string }[]>`
    select (p.body::json->'changes'->'title'->>1) as token from events e join event_payloads p on p.g = e.g
    where e.command = 'issues.update' and p.body::json->'changes'->'title' is not null`) {
    tokens.set(token, (tokens.get(token) ?? 0) + 1);
  }
  const twice = await sql<{ operation_id: string; entity: string }[]>`
    select operation_id, entity from events where operation_id is not null
    group by operation_id, entity, entity_id having count(*) > 1`;
  for (const { operation_id, entity } of twice) lies.push(`operation ${operation_id} wrote ${entity} twice`);

  for (const entry of entries) {
    const { kind, id, token, told, version, code, operationIds } = entry;
    const mayBeStored =
      BEFORE_THE_OPERATION.includes(code) && [...operationIds].some((one) => doubled.has(one));
    if (told === 'nothing yet') lies.push(`a person waits for ever for ${kind} ${id}`);
    const refused = told === 'refused' && !mayBeStored;
    if (refused && [...operationIds].some((one) => written.has(one))) {
      lies.push(`${kind} ${id} was said to be refused (${code}), and has written an event`);
    }
    // These writes are about several rows, or about more than a row.
    if (kind === 'documents' || kind === 'upload') continue;
    const present = rowsOf[kind].get(id);
    if (told === 'done' && (present === undefined || present < (version ?? 1))) {
      lies.push(
        `${kind} ${id} was said to be done at version ${version}, and there is ${present ?? 'nothing'}`,
      );
    }
    if (refused && MADE.includes(kind) && present !== undefined) {
      lies.push(`${kind} ${id} was said to be refused (${code}), and is there`);
    }
    if (token === undefined) continue;
    const times = tokens.get(token) ?? 0;
    if (times > 1) lies.push(`the change "${token}" was applied ${times} times`);
    if (told === 'done' && times === 0) lies.push(`the change "${token}" was said to be done, and is not`);
    if (refused && times > 0)
      lies.push(`the change "${token}" was said to be refused (${code}), and is done`);
  }
  return lies;
}

async function idsOf(rows: Promise<readonly unknown[]>): Promise<Map<string, number>> {
  // The cast: all queries above select these two columns.
  return new Map(
    (await rows).map((row) => row as { id: string; version: number }).map(({ id, version }) => [id, version]),
  );
}
