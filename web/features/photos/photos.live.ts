import type { Photo } from '#shared/features/photos.ts';
import type { PhotoPlace } from '#shared/features/photos.words.ts';
import { api } from '../../lib/trpc.ts';
import { defineLiveQuery, type LiveChange } from '../../live/types.ts';

/** The photos of an issue or of a check's entry that have arrived, in the order in which they were taken. */
export const photosOf = defineLiveQuery<PhotoPlace, Photo[], 'photo'>({
  name: 'photos.list',
  entities: ['photo'],
  fetch: (place, { signal }) => api.photos.list.query(place, { signal }),
  apply: (photos, event, { input }) => foldPhotos(photos, event, input),
  lose: (photos, lost) => photos.filter(({ buildingId }) => buildingId === null || !lost(buildingId)),
});

/** A photo comes once, at its place in time, and goes when it is removed; it never changes in between. */
export function foldPhotos(photos: Photo[], event: LiveChange<'photo'>, place: PhotoPlace): Photo[] {
  const at = photos.findIndex((photo) => photo.id === event.entityId);
  const held = photos[at];
  if (held !== undefined && held.version >= event.version) return photos;
  if (event.op === 'del') return held === undefined ? photos : photos.toSpliced(at, 1);
  if (event.row.on !== place.on || event.row.onId !== place.onId) return photos;
  const others = held === undefined ? photos : photos.toSpliced(at, 1);
  const after = others.findIndex((photo) => isBefore(event.row, photo));
  return others.toSpliced(after === -1 ? others.length : after, 0, event.row);
}

function isBefore(a: Photo, b: Photo): boolean {
  return a.takenAt < b.takenAt || (a.takenAt === b.takenAt && a.id < b.id);
}
