import { uuidv7 } from '#shared/ids.ts';
import { type ExpectationsOf, nothing, operation } from './row.ts';

export const disciplines: ExpectationsOf<'documents.disciplines'> = {
  'documents.disciplines.list': {
    kind: 'query',
    needs: 'view_logbook',
    input: nothing,
    outcome: 'ok',
  },
  'documents.disciplines.add': {
    kind: 'mutation',
    needs: 'manage_building_documents',
    input: () => ({ ...operation(), id: uuidv7(), name: `Sweep ${uuidv7()}` }),
    outcome: 'ok',
  },
  'documents.disciplines.rename': {
    kind: 'mutation',
    needs: 'manage_building_documents',
    input: () => ({ ...operation(), id: uuidv7(), name: { from: '', to: 'x' } }),
    outcome: 'not_found',
  },
  'documents.disciplines.remove': {
    kind: 'mutation',
    needs: 'manage_building_documents',
    input: () => ({ ...operation(), id: uuidv7() }),
    outcome: 'not_found',
  },
};
