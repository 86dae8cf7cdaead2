import { randomBytes } from 'node:crypto';
import { eq } from 'drizzle-orm';
import type { Queryable } from '#db/client.ts';
import { disciplines } from '#db/schema/accounts.ts';
import { GENERAL } from '#shared/features/documents/documents.vocabulary.ts';
import type { Container } from './document-places.ts';

const SLUG_MAX = 60;

/**
 * The storage key of a new file: building, discipline, folder, time and a random part (specification, section 7). It does
 * not change when the document is renamed or moved.
 */
export async function documentKey(
  db: Queryable,
  { buildingId, disciplineId, folderId }: Container,
  fileName: string,
  now: Date,
): Promise<string> {
  const names = ['building-documents', buildingId, await disciplineName(db, disciplineId)];
  if (folderId !== null) names.push(folderId);
  const name = `${now.getTime()}-${randomBytes(8).toString('hex')}${extensionOf(fileName)}`;
  return [...names, name].join('/');
}

async function disciplineName(db: Queryable, id: string | null): Promise<string> {
  if (id === null) return GENERAL;
  const [found] = await db.select({ name: disciplines.name }).from(disciplines).where(eq(disciplines.id, id));
  return slugOf(found?.name ?? '') || id;
}

/** "Fire & Life Safety" as "fire-life-safety"; empty if no character of the name can be used. */
function slugOf(name: string): string {
  const words =
    name
      .normalize('NFKD')
      .toLowerCase()
      .match(/[a-z0-9]+/g) ?? [];
  return words.join('-').slice(0, SLUG_MAX).replace(/-$/, '');
}

function extensionOf(fileName: string): string {
  return /\.[a-z0-9]{1,16}$/.exec(fileName.toLowerCase())?.[0] ?? '';
}
