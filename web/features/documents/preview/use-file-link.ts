import { useEffect, useState } from 'react';
import { documentMessages } from '#shared/features/documents/documents-messages.ts';
import { wireErrorOf } from '../../../lib/trpc/wire-error.ts';
import { toastError } from '../../../ui/feedback/toast.ts';

/** A link is renewed after 50 minutes, because it is valid for an hour by the server's clock. */
const RENEW_MS = 50 * 60_000;
/** Delay before the next try after a failed renewal. */
const RETRY_MS = 30_000;

/** A file of a document: the version `versionId`; undefined means the current version. */
export type FileOf = { id: string; versionId: string | undefined };
/** Requests a signed URL of a file from the server, which refuses files that the person may not see. */
export type RequestLink = (
  of: FileOf & { as: 'preview' | 'download' },
  signal?: AbortSignal,
) => Promise<{ url: string }>;

/**
 * `content`: the URL of the shown content; it never changes, so that a frame keeps its scroll position. `url`: a URL that
 * is valid for every new request. `isLost`: the server has the document, but not its bytes.
 */
export type FileLink =
  | { state: 'loading' }
  | { state: 'ready'; content: string; url: string }
  | { state: 'refused' | 'unreachable'; url: string | undefined; isLost?: boolean };

/**
 * Returns the signed URL of a document's file, or of an older version. The URL is checked by HEAD before anything is
 * shown, and renewed while the file is shown.
 * @param turn a different number fetches the link again
 */
export function useFileLink(requestLink: RequestLink, { id, versionId }: FileOf, turn: number): FileLink {
  const [link, setLink] = useState<FileLink>({ state: 'loading' });
  // biome-ignore lint/correctness/useExhaustiveDependencies: `turn` asks again
  useEffect(() => {
    const abort = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const ask = () => requestLink({ id, versionId, as: 'preview' }, abort.signal);
    const renewIn = (ms: number) => {
      timer = setTimeout(async () => {
        try {
          const { url } = await ask();
          setLink((before) => (before.state === 'ready' ? { ...before, url } : before));
          renewIn(RENEW_MS);
        } catch {
          if (!abort.signal.aborted) renewIn(RETRY_MS);
        }
      }, ms);
    };
    async function load(): Promise<void> {
      let url: string | undefined;
      try {
        ({ url } = await ask());
        const answer = await fetch(url, { method: 'HEAD', signal: abort.signal });
        if (abort.signal.aborted) return;
        if (!answer.ok) {
          toastError(documentMessages.notAccessible);
          setLink({ state: 'refused', url, isLost: answer.status === 404 });
          return;
        }
        setLink({ state: 'ready', content: url, url });
        renewIn(RENEW_MS);
      } catch (error) {
        if (abort.signal.aborted) return;
        const isRefused = wireErrorOf(error) !== undefined;
        toastError(isRefused ? documentMessages.notAccessible : documentMessages.previewFailed);
        setLink({ state: isRefused ? 'refused' : 'unreachable', url });
      }
    }
    setLink({ state: 'loading' });
    void load();
    return () => {
      abort.abort();
      clearTimeout(timer);
    };
  }, [requestLink, id, versionId, turn]);
  return link;
}
