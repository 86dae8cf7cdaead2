import { type ActivityWords, textIn, wordsAbout } from '../../activity-words.ts';
import type { liveEntities } from './documents.live.ts';
import { FOLDER_COLOR_LABELS } from './documents.vocabulary.ts';

export const activity = {
  entities: { document: { one: 'document', many: 'documents' } },
  commands: wordsAbout(['document'], {
    'documents.createFolder': 'added folder',
    'documents.createFolders': 'added folder',
    'documents.update': 'changed document',
    'documents.move': 'moved document',
    'documents.remove': 'deleted document',
    'documents.restore': 'restored document',
    'documents.makeCurrent': 'made an older version current of document',
    'documents.store': 'uploaded document',
  }),
  bulk: {
    'documents.createFolders': 'added folders to the',
    'documents.move': 'moved',
    'documents.remove': 'deleted',
    'documents.restore': 'restored',
  },
  action({ command, entity, op, changes }) {
    if (entity !== 'document' || op !== 'put') return undefined;
    if (command === 'documents.store' && changes !== null) return 'uploaded a new version of document';
    if (command === 'documents.update' && changes?.['fileName'] !== undefined) return 'renamed document';
    return undefined;
  },
  subject: (entity, row) => (entity === 'document' ? textIn(row, 'fileName') : undefined),
  fields: {
    fileName: 'Name',
    folderColor: 'Colour',
    expiresOn: 'Expires on',
    place: 'Place',
    currentVersion: 'Version',
  },
  values: { folderColor: FOLDER_COLOR_LABELS },
} satisfies ActivityWords<typeof liveEntities>;
