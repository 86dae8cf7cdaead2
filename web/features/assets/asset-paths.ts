import type { AssetsState } from './assets-url.ts';
import { writeAssetsState } from './assets-url.ts';

/** An asset's own page. */
export function assetPath(id: string): string {
  return `/asset-management/${id}`;
}

/** The labels of a selection. */
export function labelsPath(ids: readonly string[]): string {
  return `/asset-management/labels?ids=${ids.join(',')}`;
}

/** The labels of what the table shows. */
export function labelsOfFilterPath(state: AssetsState): string {
  const search = writeAssetsState(state).toString();
  return `/asset-management/labels?all=1${search === '' ? '' : `&${search}`}`;
}
