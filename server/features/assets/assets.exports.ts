import { dayOf } from '#shared/dates.ts';
import { effectiveType } from '#shared/features/assets/asset-types.ts';
import { assetFilterSchema } from '#shared/features/assets/assets.ts';
import {
  ASSET_FREQUENCY_LABELS,
  ASSET_TYPE_LABELS,
  OUTLET_KIND_LABELS,
} from '#shared/features/assets/assets.vocabulary.ts';
import { exportedList } from '../../kernel/lists/exported-list.ts';
import { placeCells } from '../locations/place-cells.queries.ts';
import { assetsForExport } from './assets.queries.ts';

export const exportedLists = {
  assets: exportedList({
    permission: 'view_assets',
    // The columns that the import reads, and some that it ignores.
    columns: [
      'Client',
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
        const placeOf = await placeCells(
          services.db,
          page.map(({ buildingId }) => buildingId),
        );
        yield page.map((asset) => {
          const { outletKind } = asset;
          const { client, building } = placeOf(asset.buildingId);
          return [
            client,
            building,
            asset.floorName,
            asset.roomName,
            asset.name,
            asset.description,
            ASSET_TYPE_LABELS[effectiveType(asset)],
            // Empty if the kind is unknown: an import would store a default such as "Cold" as a fact.
            outletKind === null ? null : OUTLET_KIND_LABELS[outletKind],
            asset.quantity,
            ASSET_FREQUENCY_LABELS[asset.frequency],
            asset.lastVisitDate === null ? 'Never' : asset.lastVisitDate,
            asset.retiredAt === null ? null : dayOf(asset.retiredAt, timeZone),
          ];
        });
      }
    },
  }),
};
