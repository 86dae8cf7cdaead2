import { expect, test } from 'vitest';
import { matchesAssetFilter } from '#shared/features/assets/asset-filter.ts';
import type { Asset, AssetCounts } from '#shared/features/assets/assets.ts';
import { assetMessages } from '#shared/features/assets/assets-messages.ts';
import type { Changes, LivePut } from '#shared/live/live.ts';
import { formatAtLeast } from '#shared/text/counted.ts';
import { foldAssetCounts } from '#web/features/assets/fold-assets.ts';

const LAMP = {
  buildingId: 'b1',
  floorId: null,
  type: 'emergency_light',
  name: 'Lamp 1',
  description: 'By the exit',
  location: 'Stairs',
  retiredAt: null,
} as const;

function put(name: string, changes: Changes | null): LivePut<'asset'> {
  // The cast: the counts read no other field.
  const row = { ...LAMP, name } as unknown as Asset;
  const version = changes === null ? 1 : 2;
  const origin = { actor: null, command: 'x', operationId: null, outboxId: '1' };
  return { g: 1, at: '', entity: 'asset', entityId: 'a1', op: 'put', version, row, changes, ...origin };
}

test('counts up to a number stay while more assets come, and are asked for again when one goes', () => {
  const counts: AssetCounts = { total: 4_000, matching: 1_000, matchingIsLeast: true };
  const fold = (event: LivePut<'asset'>) => foldAssetCounts(counts, event, { search: 'lamp' });
  expect(fold(put('Lamp 2', null))).toEqual({ ...counts, total: 4_001 });
  expect(fold(put('Lamp 2', { name: ['Torch', 'Lamp 2'] }))).toEqual(counts);
  expect(fold(put('Torch', { name: ['Lamp 2', 'Torch'] }))).toBe('refetch');
  expect(assetMessages.showing(formatAtLeast(1_000), 4_000)).toBe('Showing 1,000+ of 4000 assets');
});

test('without three letters or digits in a row the beginnings of names are searched', () => {
  const finds = (search: string) => matchesAssetFilter({ search }, LAMP);
  expect(['la', 'LAMP 1', 'amp', 'exit', 'sta'].filter((search) => !finds(search))).toEqual([]);
  expect(['am', 'ex', '1', 'p 1', 'st'].filter(finds)).toEqual([]);
});
