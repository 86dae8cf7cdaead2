import type { TRPCClient } from '@trpc/client';
import type { AppRouter } from '#server/boot/router.ts';
import { DOCUMENT_PAGE_MAX } from '#shared/features/documents/documents.vocabulary.ts';
import {
  documentBin,
  documentList,
  documentRoot,
  folderTrail,
  oneDocument,
} from '#web/features/documents/data/documents.live.ts';

/** The screen's own queries, fetched through a client in Node. */
export function documentQueriesOver(api: TRPCClient<AppRouter>) {
  const most = (limit = 0) => Math.max(100, Math.min(DOCUMENT_PAGE_MAX, limit));
  return {
    documentRoot: {
      ...documentRoot,
      fetch: (input, { signal }) => api.documents.root.query(input, { signal }),
    } satisfies typeof documentRoot,
    documentList: {
      ...documentList,
      fetch: (input, { signal, limit }) =>
        api.documents.list.query({ ...input, limit: most(limit) }, { signal }),
    } satisfies typeof documentList,
    folderTrail: {
      ...folderTrail,
      fetch: (input, { signal }) => api.documents.path.query(input, { signal }),
    } satisfies typeof folderTrail,
    oneDocument: {
      ...oneDocument,
      fetch: (input, { signal }) => api.documents.byId.query(input, { signal }),
    } satisfies typeof oneDocument,
    documentBin: {
      ...documentBin,
      fetch: (input, { signal, limit }) =>
        api.documents.bin.query({ ...input, limit: most(limit) }, { signal }),
    } satisfies typeof documentBin,
  };
}
