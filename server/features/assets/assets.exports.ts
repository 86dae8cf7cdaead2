import { formatDate, formatDay } from '#shared/dates.ts';
import { effectiveType, outletKindOf } from '#shared/features/asset-filter.ts';
import { assetFilterSchema } from '#shared/features/assets.ts';
import {
  ASSET_FREQUENCY_LABELS,
  ASSET_TYPE_LABELS,
  OUTLET_KIND_LABELS,
} from '#shared/features/assets.vocabulary.ts';
import { exportedList } from '../../kernel/exported-list.ts';
import { assetsForExport } from './assets.queries.ts';

export const exportedLists = {
  assets: exportedList({
    permission: 'view_assets',
    columns: [
      'Building Name',
      'Floor',
      'Room',
      'Name',
      'Description',
      'Type',
      'Outlet Kind',
      'Quantity',
      'Frequency',
      'Last Visit',
      'Retired',
    ],
    filter: assetFilterSchema,
    async *pages({ services, actor, timeZone }, filter) {
      for await (const page of assetsForExport(services.db, actor, filter)) {
        yield page.map((asset) => {
          const kind = outletKindOf(asset);
          return [
            asset.buildingName,
            asset.floorName,
            asset.roomName,
            asset.name,
            asset.description,
            ASSET_TYPE_LABELS[effectiveType(asset)],
            kind === null ? null : OUTLET_KIND_LABELS[kind],
            asset.quantity,
            ASSET_FREQUENCY_LABELS[asset.frequency],
            asset.lastVisitDate === null ? 'Never' : formatDay(asset.lastVisitDate),
            asset.retiredAt === null ? null : formatDate(asset.retiredAt, timeZone),
          ];
        });
      }
    },
  }),
};
