import { documentPurpose, documentUploads } from '../features/documents/document-purpose.ts';
import type { FileLayer } from '../features/files/uploads.writes.ts';
import { photoPurpose } from '../features/photos/photo-purpose.ts';

/** All purposes of files and their upload routes. To add one, declare it in its feature and list it here. */
export const fileLayer: FileLayer = {
  // Photos have their own protocol, which phones still use (`server/http/uploads/photos.ts`).
  purposes: [documentPurpose, photoPurpose],
  routes: [documentUploads],
};
