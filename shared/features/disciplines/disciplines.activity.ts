import type { ActivityWords } from '../../activity-words.ts';
import type { liveEntities } from './disciplines.live.ts';

export const activity = {
  entities: { discipline: { one: 'discipline', many: 'disciplines' } },
  commands: {
    'documents.disciplines.add': null,
    'documents.disciplines.rename': null,
    'documents.disciplines.remove': null,
  },
  fields: { isActive: 'In use' },
} satisfies ActivityWords<typeof liveEntities>;
