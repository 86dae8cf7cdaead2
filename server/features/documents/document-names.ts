import { and, eq, like, sql } from 'drizzle-orm';
import type { Queryable, Transaction } from '#db/client.ts';
import { documents } from '#db/schema/documents.ts';
import { DOCUMENT_NAME_MAX } from '#shared/features/documents/documents.vocabulary.ts';
import { nameKey } from '#shared/text/name-keys.ts';
import { inUse, whereIn } from './document-filter.ts';
import type { Container } from './document-places.ts';

/** A name with a number: "Plan (2).pdf", cut so that it is not too long. */
export function numberedName(fileName: string, number: number, isFolder: boolean): string {
  const { stem, extension } = partsOf(fileName, isFolder);
  const ending = ` (${number})${extension}`;
  return `${cut(stem, DOCUMENT_NAME_MAX - ending.length)}${ending}`;
}

/** A longer ending is a part of the name, not an extension. */
const EXTENSION = /(?<=[^.])\.[^.\s]{1,16}$/u;

function partsOf(fileName: string, isFolder: boolean): { stem: string; extension: string } {
  const extension = isFolder ? '' : (EXTENSION.exec(fileName)?.[0] ?? '');
  return { stem: fileName.slice(0, fileName.length - extension.length), extension };
}

/** Cuts a text without leaving half of a character. */
function cut(text: string, max: number): string {
  return text
    .slice(0, max)
    .replace(/[\ud800-\udbff]$/, '')
    .trimEnd();
}

type Named = { fileName: string; isFolder: boolean };

/**
 * Gives each document its name if the name is free in the container and among these documents; otherwise the name with the
 * lowest free number. Files and folders do not take each other's names.
 */
export async function freeNames<Row extends Named>(
  tx: Transaction,
  container: Container,
  rows: readonly Row[],
): Promise<Map<Row, string>> {
  const names = new Map<Row, string>();
  for (const isFolder of [true, false]) {
    const wanted = rows.filter((row) => row.isFolder === isFolder);
    const taken = await takenNames(
      tx,
      container,
      isFolder,
      wanted.map(({ fileName }) => fileName),
    );
    // Hundreds of documents may have the same name, and thousands of its numbers may be taken: the taken names are read once for
    // each name, and each number is tried once.
    const read = new Set<string>();
    const next = new Map<string, number>();
    for (const row of wanted) {
      const key = nameKey(row.fileName);
      if (taken.has(key)) {
        const beginning = beginningOf(row);
        if (!read.has(beginning))
          for (const each of await numbersOf(tx, container, isFolder, beginning)) taken.add(each);
        read.add(beginning);
        names.set(row, firstFree(row, taken, next));
      } else {
        names.set(row, row.fileName);
      }
      taken.add(nameKey(names.get(row) ?? row.fileName));
    }
  }
  return names;
}

/** @param next the number to try first for each name; lower numbers are taken */
function firstFree(
  { fileName, isFolder }: Named,
  taken: ReadonlySet<string>,
  next: Map<string, number>,
): string {
  const key = nameKey(fileName);
  for (let number = next.get(key) ?? 2; ; number += 1) {
    const name = numberedName(fileName, number, isFolder);
    if (taken.has(nameKey(name))) continue;
    next.set(key, number + 1);
    return name;
  }
}

/** Returns the keys (`nameKey`) of those of these names that are taken by files, or by folders, directly in the container. */
export async function takenNames(
  db: Queryable,
  container: Container,
  isFolder: boolean,
  names: readonly string[],
): Promise<Set<string>> {
  if (names.length === 0) return new Set();
  const keys = [...new Set(names.map(nameKey))];
  const found = await db
    .select({ key: documents.nameKey })
    .from(documents)
    .where(
      and(
        inUse,
        whereIn(container, false),
        eq(documents.isFolder, isFolder),
        sql`${documents.nameKey} collate "C" in ${keys}`,
      ),
    );
  return new Set(found.map(({ key }) => key));
}

/**
 * The common beginning of all numbered forms of a name. It is shorter for a long name, because the numbered forms of a long name
 * are cut.
 */
function beginningOf({ fileName, isFolder }: Named): string {
  const { stem } = partsOf(fileName, isFolder);
  const beginning = cut(stem, DOCUMENT_NAME_MAX - LONGEST_ENDING);
  // The cut may separate the last letter from its accent, and the letter alone has another key.
  return nameKey(beginning === stem ? stem : beginning.replace(/\P{M}\p{M}*$/u, ''));
}

/** The keys of the names in the container that begin like the numbered forms of a name. */
async function numbersOf(
  tx: Transaction,
  container: Container,
  isFolder: boolean,
  beginning: string,
): Promise<string[]> {
  const found = await tx
    .select({ key: documents.nameKey })
    .from(documents)
    .where(
      and(
        inUse,
        whereIn(container, false),
        eq(documents.isFolder, isFolder),
        like(documents.nameKey, `${beginning.replace(/[\\%_]/g, '\\$&')}%`),
      ),
    );
  return found.map(({ key }) => key);
}

/** The length of " (1234567890)" and an extension. */
const LONGEST_ENDING = 30;
