import { type AssetsState, assetsUrl } from './assets-url.ts';

/** Returns the path of an asset's page. */
export function assetPath(id: string): string {
  return `/asset-management/${id}`;
}

/** Returns the path of the labels of a selection. */
export function labelsPath(ids: readonly string[]): string {
  return `/asset-management/labels?ids=${ids.join(',')}`;
}

/** Returns the path of the labels of all assets that the table's filter matches. */
export function labelsOfFilterPath(state: AssetsState): string {
  const search = assetsUrl.write(state).toString();
  return `/asset-management/labels?all=1${search === '' ? '' : `&${search}`}`;
}
