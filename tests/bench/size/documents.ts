import { withLogin } from '#tests/support/postgres/own-postgres.ts';
import { createPeople } from '#tests/support/rows/population.ts';
import { createManyDocuments } from '../../support/rows/many-documents.ts';
import type { Figure } from '../figure.ts';
import { startBuilt } from '../processes/built-server.ts';
import type { Setting } from '../setting.ts';
import { query, timeCalls } from './from-outside.ts';

const DOCUMENTS = 100_000;
/** This number of people call in turn, so that no limit per person interferes. */
const PEOPLE = 20;
const CALLS = 100;
const OPENS_WITHIN_MS = 50;
const FINDS_WITHIN_MS = 100;

/** 100,000 documents in one building, from outside the packaged server: opening its folders, and searching it. */
export async function documents(setting: Setting): Promise<Figure[]> {
  const database = await setting.database('documents');
  setting.log('filling');
  const { places, cookies } = await withLogin(database.ownerUrl, async (sql) => {
    const made = await createManyDocuments(sql, { documents: DOCUMENTS, now: new Date() });
    const people = await createPeople(
      sql,
      Array.from({ length: PEOPLE }, () => ({ role: 'manager' as const, buildings: [made.buildingId] })),
    );
    return { places: made, cookies: people.map(({ cookie }) => cookie) };
  });
  const { url } = await startBuilt(setting, database);
  const { buildingId, folderId, largeFolderId, disciplineId } = places;
  const inFolder = (id: string) => ({ buildingId, place: { at: 'folder', folderId: id } });
  const everywhere = { buildingId, place: { at: 'building' } };
  const large = inFolder(largeFolderId);
  const calls: readonly [name: string, atMost: number, procedure: string, input: object][] = [
    ['the disciplines of the building', OPENS_WITHIN_MS, 'documents.root', { buildingId }],
    ['a usual folder', OPENS_WITHIN_MS, 'documents.list', inFolder(folderId)],
    ['a folder of 20,000, by name', OPENS_WITHIN_MS, 'documents.list', large],
    [
      'a folder of 20,000, the newest first',
      OPENS_WITHIN_MS,
      'documents.list',
      { ...large, sort: 'modified', direction: 'desc' },
    ],
    [
      'a folder of 20,000, the largest first',
      OPENS_WITHIN_MS,
      'documents.list',
      { ...large, sort: 'size', direction: 'desc' },
    ],
    ['all of the building', FINDS_WITHIN_MS, 'documents.list', everywhere],
    [
      'all of the building, the newest first',
      FINDS_WITHIN_MS,
      'documents.list',
      { ...everywhere, sort: 'modified', direction: 'desc' },
    ],
    [
      'a rare name in the building',
      FINDS_WITHIN_MS,
      'documents.list',
      { ...everywhere, search: 'survey 99999' },
    ],
    [
      'a common name in the building',
      FINDS_WITHIN_MS,
      'documents.list',
      { ...everywhere, search: 'drawing' },
    ],
    ['every name in the building', FINDS_WITHIN_MS, 'documents.list', { ...everywhere, search: 'level' }],
    [
      'a common name, the newest first',
      FINDS_WITHIN_MS,
      'documents.list',
      { ...everywhere, search: 'drawing', sort: 'modified', direction: 'desc' },
    ],
    ['a name in a folder', FINDS_WITHIN_MS, 'documents.list', { ...large, search: 'survey 9999' }],
    [
      'a name in a discipline',
      FINDS_WITHIN_MS,
      'documents.list',
      { buildingId, place: { at: 'discipline', disciplineId }, search: 'manual 1' },
    ],
    ['a discipline by its name', FINDS_WITHIN_MS, 'documents.list', { ...everywhere, search: 'water hyg' }],
    ['what expires soon', FINDS_WITHIN_MS, 'documents.list', { ...everywhere, expiry: 'expires_soon' }],
  ];
  const figures: Figure[] = [];
  for (const [name, atMost, procedure, input] of calls) {
    const figure = await timeCalls(setting, {
      name: `documents, ${name}`,
      atMost,
      reference: `${DOCUMENTS.toLocaleString('en')} documents in one building`,
      calls: CALLS,
      ask: (n) => query(url, { cookie: cookies[n % PEOPLE] ?? '' }, procedure, input),
    });
    figures.push(figure);
  }
  return figures;
}
