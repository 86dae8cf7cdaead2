import { and, eq, getTableColumns, or, type SQL, sql } from 'drizzle-orm';
import type { Queryable } from '#db/client.ts';
import { isAnyOf } from '#db/is-any-of.ts';
import { documents } from '#db/schema/documents.ts';
import { isDeep } from '#shared/features/documents/document-filter.ts';
import type {
  Document,
  DocumentCursor,
  DocumentOrder,
  DocumentPage,
  ListDocumentsInput,
} from '#shared/features/documents/documents.ts';
import { COUNTED_MAX } from '#shared/text/counted.ts';
import type { Actor } from '../../access/actor.ts';
import { cursorKeys, orderBy, sortedOrderBy, whereAfter } from '../../kernel/lists/keyset.ts';
import { readToday } from '../../kernel/settings.ts';
import { inUse, keysetOf, type TextFilter, textFilter, whereWithoutText } from './document-filter.ts';
import { findContainer } from './document-places.ts';
import { readInOrder } from './document-row.ts';

type Asked = { order: DocumentOrder; cursor: DocumentCursor | null; limit: number };

/**
 * Returns a page of documents, folders first.
 * @throws AppError `not_found` if the place does not exist or this person may not see its building
 */
export async function listDocuments(
  db: Queryable,
  actor: Actor,
  input: ListDocumentsInput,
  now: Date,
): Promise<DocumentPage> {
  const { today } = await readToday(db, now);
  const container = await findContainer(db, actor, input.buildingId, input.place);
  const scope = whereWithoutText(input, container, today);
  const order = { sort: input.sort, direction: input.direction };
  // One more than requested shows whether there is a next page.
  const asked = { order, cursor: input.cursor, limit: input.limit + 1 };
  const { ids, ...counted } = isDeep(input)
    ? await search(db, { ...container, scope, text: await textFilter(db, input.search) }, asked)
    : { ids: await chooseByIndex(db, scope, asked), ...(await countAll(db, scope)) };
  const page = ids.slice(0, input.limit);
  const rows = await readInOrder(db, page);
  const last = rows.at(-1);
  return {
    rows,
    nextCursor: ids.length > input.limit && last !== undefined ? await cursorAt(db, order, last) : null,
    ...counted,
    today,
  };
}

async function countAll(db: Queryable, scope: SQL | undefined) {
  return { total: await db.$count(documents, scope), totalIsLeast: false };
}

type Search = { buildingId: string; scope: SQL | undefined; text: TextFilter | undefined };

/** The ids of a page of the matches at any depth, and the number of matches. */
async function search(db: Queryable, searched: Search, asked: Asked) {
  const few = await findFew(db, searched);
  if (few !== undefined) {
    const ids = await chooseBySorting(db, isAnyOf(documents.id, few), asked);
    return { ids, total: few.length, totalIsLeast: false };
  }
  return { ids: await chooseAmongMany(db, searched, asked), total: COUNTED_MAX, totalIsLeast: true };
}

/** The ids of all matches, in any order; undefined if there are more than COUNTED_MAX. */
async function findFew(db: Queryable, { scope, text }: Search): Promise<string[] | undefined> {
  const ids = new Set<string>();
  // One statement per condition, because each has an index of its own, and the planner would not use them for an `or`.
  for (const way of text?.ways ?? [undefined]) {
    const found = await db
      .select({ id: documents.id })
      .from(documents)
      .where(and(scope, way))
      .limit(COUNTED_MAX + 1);
    for (const { id } of found) ids.add(id);
    if (ids.size > COUNTED_MAX) return undefined;
  }
  return [...ids];
}

/**
 * With many matches, walking an index in the order fills a page soon, unless the matches happen to be far from the
 * beginning: then all matches are sorted.
 */
async function chooseAmongMany(
  db: Queryable,
  { buildingId, scope, text }: Search,
  asked: Asked,
): Promise<string[]> {
  if (text === undefined) return chooseByIndex(db, scope, asked);
  const matching = and(scope, or(...text.ways));
  if (text.inNames !== undefined && asked.order.sort === 'name') {
    return chooseByIndex(db, and(matching, text.inNames), asked);
  }
  const met = await walk(db, buildingId, matching, asked);
  return met.length === asked.limit ? met : chooseBySorting(db, matching, asked);
}

type Kind = { isFolder: boolean; after: DocumentCursor | null };

/** SQL condition for the folders, or the files, after a cursor of their own kind. */
function whereKind(order: DocumentOrder, { isFolder, after }: Kind): SQL | undefined {
  return and(
    eq(documents.isFolder, isFolder),
    after === null ? undefined : whereAfter(keysetOf(order), after),
  );
}

/** Selects the ids of a page: folders first, then files, each in the order of an index. */
async function chooseByIndex(
  db: Queryable,
  where: SQL | undefined,
  { order, cursor, limit }: Asked,
): Promise<string[]> {
  const some = async (kind: Kind, most: number) => {
    const rows = await db
      .select({ id: documents.id })
      .from(documents)
      .where(and(where, whereKind(order, kind)))
      .orderBy(...orderBy(keysetOf(order)))
      .limit(most);
    return rows.map(({ id }) => id);
  };
  if (cursor?.isFolder === false) return some({ isFolder: false, after: cursor }, limit);
  const folders = await some({ isFolder: true, after: cursor }, limit);
  if (folders.length === limit) return folders;
  return [...folders, ...(await some({ isFolder: false, after: null }, limit - folders.length))];
}

/** How many rows of the building are read in index order, before all matches are sorted instead. */
const WALKED = 2_000;

/** Selects the ids of a page among the next WALKED rows of the building; less than a page if too few of them match. */
async function walk(
  db: Queryable,
  buildingId: string,
  matching: SQL | undefined,
  { order, cursor, limit }: Asked,
): Promise<string[]> {
  const next = (kind: Kind) =>
    db
      .select(getTableColumns(documents))
      .from(documents)
      .where(and(inUse, eq(documents.buildingId, buildingId), whereKind(order, kind)))
      .orderBy(...orderBy(keysetOf(order)))
      .$dynamic();
  const some = async (kind: Kind, most: number) => {
    // The subquery has the name of the table, so that the same conditions apply to it.
    const walked = next(kind).limit(WALKED).as('building_documents');
    const met = await db.select({ id: walked.id }).from(walked).where(matching).limit(most);
    return met.map(({ id }) => id);
  };
  if (cursor?.isFolder === false) return some({ isFolder: false, after: cursor }, limit);
  const folders = await some({ isFolder: true, after: cursor }, limit);
  if (folders.length === limit) return folders;
  const beyond = await next({ isFolder: true, after: cursor }).offset(WALKED).limit(1);
  if (beyond.length > 0) return folders;
  return [...folders, ...(await some({ isFolder: false, after: null }, limit - folders.length))];
}

/** Selects the ids of a page by sorting all matches. */
async function chooseBySorting(
  db: Queryable,
  matching: SQL | undefined,
  { order, cursor, limit }: Asked,
): Promise<string[]> {
  const later =
    cursor === null
      ? undefined
      : or(
          whereKind(order, { isFolder: cursor.isFolder, after: cursor }),
          cursor.isFolder ? eq(documents.isFolder, false) : undefined,
        );
  const rows = await db
    .select({ id: documents.id })
    .from(documents)
    .where(and(matching, later))
    .orderBy(sql`${documents.isFolder} desc`, ...sortedOrderBy(keysetOf(order)))
    .limit(limit);
  return rows.map(({ id }) => id);
}

async function cursorAt(
  db: Queryable,
  order: DocumentOrder,
  { id, isFolder }: Pick<Document, 'id' | 'isFolder'>,
): Promise<DocumentCursor> {
  const [row] = await db
    .select({ keys: cursorKeys(keysetOf(order)) })
    .from(documents)
    .where(eq(documents.id, id));
  if (row === undefined) throw new Error(`document ${id} is gone within one snapshot`);
  return { isFolder, keys: row.keys, id };
}
