import { type ActivityWords, wordsAbout } from '../../activity-words.ts';
import type { liveEntities } from './assets.live.ts';
import { ASSET_FREQUENCY_LABELS, ASSET_TYPE_LABELS, OUTLET_KIND_LABELS } from './assets.vocabulary.ts';

export const activity = {
  entities: { asset: { one: 'asset', many: 'assets' } },
  commands: wordsAbout(['asset'], {
    'assets.create': 'added asset',
    'assets.update': 'changed asset',
    'assets.duplicate': 'duplicated an asset as',
    'assets.retire': 'retired asset',
    'assets.restore': 'restored asset',
  }),
  fields: {
    floorName: 'Floor',
    roomName: 'Room',
    outletKind: 'Outlet',
    lastVisitDate: 'Last visit',
  },
  saidElsewhere: { floorId: 'floorName', location: 'roomName' },
  values: {
    type: ASSET_TYPE_LABELS,
    outletKind: OUTLET_KIND_LABELS,
    frequency: ASSET_FREQUENCY_LABELS,
  },
} satisfies ActivityWords<typeof liveEntities>;
