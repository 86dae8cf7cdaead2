import { scanMessages } from '#shared/features/assets/scan-messages.ts';
import { pages } from '#web/app/pages.ts';
import { ASSET_ID, NOBODYS_ID, type Screens } from './screen.ts';

export const assetsScreens: Screens = {
  assets: {
    path: pages.assets.path,
    who: 'manager',
    heading: 'Asset Management',
    act: (page) => page.getByText('Basin tap').first().waitFor(),
  },
  'an asset': { path: `${pages.assets.path}/${ASSET_ID}`, who: 'manager', heading: 'Basin tap' },
  'no labels': { path: pages.assetLabels.path, who: 'manager', heading: 'QR labels' },
  labels: {
    path: `${pages.assetLabels.path}?ids=${ASSET_ID}`,
    who: 'manager',
    heading: 'QR labels',
    act: (page) => page.getByRole('article').getByText('Basin tap').waitFor(),
  },
  'an asset that is gone': { path: `${pages.assets.path}/${NOBODYS_ID}`, who: 'manager', heading: 'Asset' },
  'a label that is scanned': { path: `/a/${NOBODYS_ID}`, who: 'manager', heading: 'Asset' },
  'a label before a camera that is not there': {
    path: pages.scan.path,
    who: 'operative',
    heading: scanMessages.title,
  },
};
