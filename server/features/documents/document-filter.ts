import { and, eq, gt, inArray, isNotNull, isNull, like, type SQL, sql } from 'drizzle-orm';
import type { Queryable } from '#db/client.ts';
import { disciplines } from '#db/schema/accounts.ts';
import { documents } from '#db/schema/documents.ts';
import { addDays, DAY_MS } from '#shared/dates.ts';
import { isDeep } from '#shared/features/documents/document-filter.ts';
import type { DocumentOrder, ListDocumentsInput } from '#shared/features/documents/documents.ts';
import {
  BIN_DAYS,
  type DocumentExpiry,
  type DocumentSort,
  EXPIRES_SOON_DAYS,
  GENERAL,
} from '#shared/features/documents/documents.vocabulary.ts';
import { isFoundIn, isPrefixSearch, wantedText } from '#shared/text/search-text.ts';
import type { Keyset, SortKey } from '../../kernel/lists/keyset.ts';
import { patternOf } from '../../kernel/lists/search-pattern.ts';
import { type Container, containerIdOf } from './document-places.ts';

// Same semantics as shared/features/documents/document-filter.ts, in SQL. Each expression is written exactly as in its index, so
// that Postgres can use the index.

const name = sql`${documents.sortKey} collate "C"`;

/** The sort keys of each order, most significant first, before the id breaks ties, with their SQL types. */
const KEYS: Readonly<Record<DocumentSort, readonly SortKey[]>> = {
  name: [{ of: name, type: 'text' }],
  modified: [
    { of: sql`${documents.modifiedAt}`, type: 'timestamptz' },
    { of: name, type: 'text' },
  ],
  size: [
    { of: sql`coalesce(${documents.fileSize}, 0)`, type: 'bigint' },
    { of: name, type: 'text' },
  ],
};

export const inUse = isNull(documents.deletedAt);

/** SQL condition for documents that were deleted by themselves, not with a folder, and can still be restored. */
export function isRestorable(now: string): SQL | undefined {
  const since = new Date(Date.parse(now) - BIN_DAYS * DAY_MS).toISOString();
  return and(eq(documents.deletedWith, documents.id), gt(documents.deletedAt, since));
}

/** SQL condition for the documents directly in a container, or for all below it. */
export function whereIn(container: Container, deep: boolean): SQL | undefined {
  const { buildingId, folderId, disciplineId } = container;
  const here = eq(documents.buildingId, buildingId);
  if (!deep) {
    // Clients make ids, so a folder may have the id of a discipline. The parent decides; the container is for the index.
    const parent =
      folderId === null ? isNull(documents.parentFolderId) : eq(documents.parentFolderId, folderId);
    return and(here, eq(documents.containerId, containerIdOf(container)), parent);
  }
  if (folderId !== null) return and(here, isBelow(folderId));
  return and(
    here,
    disciplineId === null ? isNull(documents.disciplineId) : eq(documents.disciplineId, disciplineId),
  );
}

/** SQL condition for everything in a folder, at any depth. */
export function isBelow(folderId: string): SQL {
  return sql`${documents.folderPath} @> array[${folderId}::uuid]`;
}

/** SQL condition of a list's filter without its search text. */
export function whereWithoutText(
  input: Pick<ListDocumentsInput, 'place' | 'search' | 'expiry' | 'foldersOnly'>,
  container: Container,
  today: string,
): SQL | undefined {
  return and(
    inUse,
    input.place.at === 'building'
      ? eq(documents.buildingId, container.buildingId)
      : whereIn(container, isDeep(input)),
    input.foldersOnly ? sql`${documents.isFolder}` : undefined,
    whereExpiry(input.expiry, today),
  );
}

/** SQL condition of an expiry filter, on the organisation's day. */
export function whereExpiry(expiry: DocumentExpiry, today: string): SQL | undefined {
  switch (expiry) {
    case 'all':
      return undefined;
    case 'has_expiry':
      return isNotNull(documents.expiresOn);
    case 'expired':
      return sql`${documents.expiresOn} < ${today}`;
    case 'expires_soon':
      return sql`${documents.expiresOn} between ${today} and ${addDays(today, EXPIRES_SOON_DAYS)}`;
  }
}

/** The SQL conditions of a search text. */
export type TextFilter = {
  /** A document matches if one of these conditions is true; each condition has its own index. */
  ways: readonly SQL[];
  /** A range of the order by name that contains all matches; undefined if matches may be anywhere in the order. */
  inNames: SQL | undefined;
};

/** The conditions for documents whose name, or whose discipline's name, matches a text; undefined without a text. */
export async function textFilter(db: Queryable, search: string): Promise<TextFilter | undefined> {
  const wanted = wantedText(search);
  if (wanted === '') return undefined;
  const pattern = patternOf(wanted);
  const atBeginning = isPrefixSearch(wanted);
  // A prefix is found by a btree index; other parts of a name by a trigram index, which has the collation of the column.
  const named = like(atBeginning ? sql`${documents.searchKey} collate "C"` : documents.searchKey, pattern);
  const found = await db
    .select({ id: disciplines.id })
    .from(disciplines)
    .where(like(disciplines.searchKey, pattern));
  const byDiscipline = [
    ...(found.length === 0 ? [] : [inArray(documents.disciplineId, idsOf(found))]),
    ...(isFoundIn(GENERAL, wanted) ? [isNull(documents.disciplineId)] : []),
  ];
  // The sort key differs from the search key only in its numbers, so matches begin with the text before the first digit in both.
  const [beforeNumber = ''] = /^[^0-9]*/.exec(wanted) ?? [];
  const inNames = like(name, patternOf(beforeNumber));
  return {
    ways: [named, ...byDiscipline],
    inNames: atBeginning && byDiscipline.length === 0 ? inNames : undefined,
  };
}

function idsOf(rows: readonly { id: string }[]): string[] {
  return rows.map(({ id }) => id);
}

/** An order of the files, or of the folders. */
export function keysetOf({ sort, direction }: DocumentOrder): Keyset {
  return { keys: KEYS[sort], id: documents.id, direction };
}
