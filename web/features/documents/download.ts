import type { Document } from '#shared/features/documents/documents.ts';
import { documentMessages } from '#shared/features/documents/documents-messages.ts';
import { toastFailure } from '../../forms/toasts.ts';
import { api } from '../../lib/trpc/trpc.ts';
import type { RequestLink } from './preview/use-file-link.ts';

/** Requests the signed URL of a document's file. */
export const requestLink: RequestLink = ({ versionId, ...of }, signal) =>
  api.documents.link.query(
    { ...of, ...(versionId !== undefined && { versionId }) },
    { ...(signal && { signal }) },
  );

/** Downloads a file as it is, and folders or several documents as one ZIP. Shows a toast on failure. */
export async function downloadDocuments(documents: readonly Document[]): Promise<void> {
  const [only, ...others] = documents;
  if (only === undefined) return;
  if (others.length === 0 && !only.isFolder) {
    const { downloadDocument } = await import('./preview/download-document.ts');
    await downloadDocument(requestLink, { id: only.id, versionId: undefined });
    return;
  }
  try {
    const { url } = await api.documents.archiveLink.query({ ids: documents.map(({ id }) => id) });
    const link = document.createElement('a');
    link.href = url;
    // The server sets the file name; the attribute keeps the browser on this page.
    link.download = '';
    link.click();
  } catch (error) {
    toastFailure(error, documentMessages.downloadFailed);
  }
}
