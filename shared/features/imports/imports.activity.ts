import { type ActivityWords, wordsAbout } from '../../activity-words.ts';

export const activity = {
  // The feature has no rows of its own: it adds rows of other features.
  entities: {},
  commands: wordsAbout(['client', 'building', 'asset', 'task', 'person'], {
    'imports.clients': 'imported clients',
    'imports.buildings': 'imported buildings',
    'imports.floors': 'imported floors',
    'imports.assets': 'imported assets',
    'imports.tasks': 'imported tasks',
    'imports.links': 'made new invitation links for the people of a file',
    'imports.people': 'imported people',
  }),
} satisfies ActivityWords;
