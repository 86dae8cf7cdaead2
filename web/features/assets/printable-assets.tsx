import type { ReactNode } from 'react';
import type { Asset } from '#shared/features/assets/assets.ts';
import {
  ASSET_FREQUENCY_LABELS,
  ASSET_STATUS_LABELS,
  ASSET_TYPE_LABELS,
} from '#shared/features/assets/assets.vocabulary.ts';
import { assetMessages } from '#shared/features/assets/assets-messages.ts';
import { Printable } from '../../ui/lists/printable.tsx';
import type { PrintedColumn } from '../../ui/lists/printed-list.tsx';
import type { MoreRows } from '../../ui/lists/use-load-more.ts';
import { lastVisitText, typeText } from './asset-labels.tsx';
import type { AssetsState } from './assets-url.ts';

const COLUMNS: readonly PrintedColumn<Asset>[] = [
  {
    isLong: true,
    name: 'Name',
    of: ({ name, retiredAt }) => (retiredAt === null ? name : `${name} (${ASSET_STATUS_LABELS.retired})`),
  },
  { name: 'Type', of: typeText },
  { name: 'Building', of: ({ buildingName }) => buildingName },
  { name: 'Floor', of: ({ floorName }) => floorName ?? '—' },
  { name: 'Room', of: ({ roomName }) => roomName },
  { name: 'Quantity', of: ({ quantity }) => quantity, isNumber: true },
  { isWhole: true, name: 'Last Visit', of: lastVisitText },
  { name: 'Frequency', of: ({ frequency }) => ASSET_FREQUENCY_LABELS[frequency] },
];

type Props = {
  list: MoreRows & { rows: readonly Asset[] };
  state: AssetsState;
  total: number | undefined;
  children: ReactNode;
};

/** The asset list, printed as a table of all assets that match the filters. */
export function PrintableAssets({ list, state, total, children }: Props) {
  // All rows are of the chosen building and floor, so the first one names them.
  const first = list.rows[0];
  return (
    <Printable
      {...list}
      caption="Assets"
      columns={COLUMNS}
      total={total}
      counted={assetMessages.count}
      filters={[
        state.building === null ? 'All buildings' : first?.buildingName,
        state.floor !== null && first?.floorName,
        state.type !== null && ASSET_TYPE_LABELS[state.type],
        state.status !== 'active' && ASSET_STATUS_LABELS[state.status],
        state.search.trim() !== '' && `“${state.search.trim()}”`,
      ]}
    >
      {children}
    </Printable>
  );
}
