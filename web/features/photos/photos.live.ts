import type { Photo } from '#shared/features/photos/photos.ts';
import type { PhotoTarget } from '#shared/features/photos/photos.vocabulary.ts';
import { api } from '../../lib/trpc/trpc.ts';
import { changeRows } from '../../live/list-rows.ts';
import { defineLiveQuery } from '../../live/types.ts';

/** Photos, stored on the server, of an issue, a check entry or a completion, in the order in which they were taken. */
export const photosOf = defineLiveQuery<PhotoTarget, Photo[], 'photo'>({
  name: 'photos.list',
  entities: ['photo'],
  fetch: (place, { signal }) => api.photos.list.query(place, { signal }),
  // A photo is inserted by the time when it was taken, and may be removed; its row never changes.
  apply: (photos, event, { input }) =>
    changeRows(photos, event, ({ on, onId }) => on === input.on && onId === input.onId, firstTakenFirst),
  lose: (photos, lost) => photos.filter(({ buildingId }) => buildingId === null || !lost(buildingId)),
});

function firstTakenFirst(a: Photo, b: Photo): number {
  if (a.takenAt !== b.takenAt) return a.takenAt < b.takenAt ? -1 : 1;
  return a.id < b.id ? -1 : a.id > b.id ? 1 : 0;
}
