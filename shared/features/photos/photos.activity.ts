import type { ActivityWords } from '../../activity-words.ts';
import type { liveEntities } from './photos.live.ts';

export const activity = {
  entities: { photo: { one: 'photo', many: 'photos' } },
  commands: { 'photos.announce': null, 'photos.remove': null },
} satisfies ActivityWords<typeof liveEntities>;
