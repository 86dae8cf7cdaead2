import { documentPurpose, documentUploads } from '../features/documents/document-purpose.ts';
import type { FileLayer } from '../features/files/uploads.writes.ts';

/** All purposes of files and their upload routes. To add one, declare it in its feature and name it here. */
export const fileLayer: FileLayer = {
  purposes: [documentPurpose],
  routes: [documentUploads],
  // Photos have a table and a sweep of their own.
  elsewhere: ['photos/'],
};
