import { ARCHIVE_SELECTION_MAX } from './documents.vocabulary.ts';

const ID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const DIGITS = 32;

/** The address of these documents, and everything below them, as one ZIP file. */
export function archiveUrl(ids: readonly string[]): string {
  return `/files/documents/archive?ids=${ids.map((id) => id.replaceAll('-', '')).join('')}`;
}

/** The ids in such an address, each once; undefined for anything else. */
export function archiveIds(text: unknown): string[] | undefined {
  if (typeof text !== 'string' || text.length === 0 || text.length % DIGITS !== 0) return undefined;
  if (text.length > DIGITS * ARCHIVE_SELECTION_MAX) return undefined;
  const ids = (text.toLowerCase().match(/.{32}/g) ?? []).map((digits) =>
    digits.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5'),
  );
  return ids.every((id) => ID.test(id)) ? [...new Set(ids)] : undefined;
}
