import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { disciplines } from '#db/schema/accounts.ts';
import { documents } from '#db/schema/documents.ts';
import type { Actor } from '#server/access/actor.ts';
import { listDocuments } from '#server/features/documents/list.queries.ts';
import { ensureReferenceData } from '#server/kernel/settings.ts';
import { compareDocuments, matchesDocumentFilter } from '#shared/features/documents/document-filter.ts';
import {
  type DocumentCursor,
  type DocumentPlace,
  listDocumentsInput,
} from '#shared/features/documents/documents.ts';
import { DOCUMENT_DIRECTIONS, DOCUMENT_SORTS } from '#shared/features/documents/documents.vocabulary.ts';
import { COUNTED_MAX } from '#shared/text/counted.ts';
import {
  createReader,
  createWatchedDatabase,
  type WatchedDatabase,
} from '#tests/support/postgres/watched-database.ts';
import { createManyDocuments } from '#tests/support/rows/many-documents.ts';

// A search of a building with 22,000 documents looks at a bounded number of them, whatever text is typed.

const DOCUMENTS = 22_000;
/** The documents counted by name and by discipline, two walks through the order, and the page. */
const LOOKED_AT_MAX = 2 * COUNTED_MAX + 2 * 2_000 + 1_500;
const NOW = new Date('2026-11-26T09:00:00.000Z');

let database: WatchedDatabase;
let admin: Actor;
let places: Record<'building' | 'discipline' | 'folder', DocumentPlace>;
let buildingId: string;

beforeAll(async () => {
  database = await createWatchedDatabase();
  await ensureReferenceData(database.db);
  const made = await createManyDocuments(database.sql, { documents: DOCUMENTS, now: NOW });
  buildingId = made.buildingId;
  places = {
    building: { at: 'building' },
    discipline: { at: 'discipline', disciplineId: made.disciplineId },
    folder: { at: 'folder', folderId: made.largeFolderId },
  };
  admin = (await createReader(database, [buildingId], { oneIn: 1, now: NOW }))('admin');
});
afterAll(() => database.drop());

type More = { place?: DocumentPlace; sort?: string; direction?: string; cursor?: DocumentCursor | null };
function list(search: string, more: More = {}) {
  const input = listDocumentsInput.parse({ buildingId, place: places.building, search, limit: 100, ...more });
  return listDocuments(database.db, admin, input, NOW);
}
const ORDERS = DOCUMENT_SORTS.flatMap((sort) =>
  DOCUMENT_DIRECTIONS.map((direction) => ({ sort, direction })),
);

describe('a search', () => {
  // Texts that are common or rare, short or long, in all names or in none, without letters, of other scripts, of disciplines.
  const typed = [
    '',
    'c',
    'ce',
    's',
    'z',
    'q',
    '1',
    '.',
    '%',
    '_',
    '-',
    '\\',
    '1/2',
    'e.p',
    'äöü',
    '日本',
    'zzz',
    'evel',
  ];
  typed.push(
    'of level 1',
    'certificate 4',
    'drawing 21990',
    'l',
    'li',
    'fire',
    'fire safety',
    'g',
    'general',
  );

  test.each(typed)('for "%s" looks at no more than are counted and walked', async (search) => {
    for (const order of ORDERS) {
      expect(await database.rowsReadBy(() => list(search, order)), JSON.stringify(order)).toBeLessThan(
        LOOKED_AT_MAX,
      );
    }
    // A search of a part of the building also looks at matching documents elsewhere; if the planner expects the part to be
    // small, it looks at all documents of the building once.
    for (const place of [places.discipline, places.folder]) {
      const rows = await database.rowsReadBy(() => list(search, { place }));
      expect(rows, place.at).toBeLessThan(LOOKED_AT_MAX + DOCUMENTS);
    }
  });

  test('for a common text that lies at the far end of the order sorts what it finds', async () => {
    const rows = await database.rowsReadBy(() => list('pdf', { sort: 'name', direction: 'desc' }));
    expect(rows).toBeLessThan(LOOKED_AT_MAX + (2 / 5) * DOCUMENTS);
  });

  test('finds page by page what the browser finds, in its order, and counts to a thousand', async () => {
    const names = new Map((await database.db.select().from(disciplines)).map(({ id, name }) => [id, name]));
    const all = await database.db.select().from(documents);
    const options = { today: '2026-11-26', disciplineName: (id: string) => names.get(id) };
    for (const search of [
      '',
      's',
      'pdf',
      'li',
      'fire',
      'part',
      'certificate 4',
      'drawing 21990',
      '9',
      'folder',
    ]) {
      for (const place of Object.values(places)) {
        // Without a text, only the whole building is searched at all depths.
        if (search === '' && place.at !== 'building') continue;
        const filter = { buildingId, place, search, expiry: 'all', foldersOnly: false } as const;
        const matching = all.filter((row) => matchesDocumentFilter(filter, row, options));
        for (const order of ORDERS) {
          const expected = [...matching].sort((a, b) => compareDocuments(order, a, b));
          const found: string[] = [];
          let cursor: DocumentCursor | null = null;
          for (let pages = 0; pages < 4; pages += 1) {
            const page = await list(search, { place, ...order, cursor });
            expect(page).toMatchObject({
              total: Math.min(COUNTED_MAX, expected.length),
              totalIsLeast: expected.length > COUNTED_MAX,
            });
            found.push(...page.rows.map(({ id }) => id));
            cursor = page.nextCursor;
            if (cursor === null) break;
          }
          expect(found).toEqual(expected.slice(0, 400).map(({ id }) => id));
        }
      }
    }
  });
});
