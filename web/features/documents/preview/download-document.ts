import { documentMessages } from '#shared/features/documents/documents-messages.ts';
import { toastFailure } from '../../../forms/toasts.ts';
import { toastError } from '../../../ui/feedback/toast.ts';
import type { FileOf, RequestLink } from './use-file-link.ts';

/** Downloads a document's file, or an older version of it, under its name. Shows a toast on failure. */
export async function downloadDocument(requestLink: RequestLink, of: FileOf): Promise<void> {
  try {
    const { url } = await requestLink({ ...of, as: 'download' });
    const answer = await fetch(url, { method: 'HEAD' });
    if (!answer.ok) {
      toastError(documentMessages.notAccessible);
      return;
    }
    const link = document.createElement('a');
    link.href = url;
    // The server sets the file name; the attribute keeps the browser on this page.
    link.download = '';
    link.click();
  } catch (error) {
    toastFailure(error, documentMessages.downloadFailed);
  }
}
