import { FolderX, Search } from 'lucide-react';
import { browserMessages } from '#shared/features/documents/document-browser-messages.ts';
import { documentMessages } from '#shared/features/documents/documents-messages.ts';
import { messages } from '#shared/messages.ts';
import { messageFor } from '../../../lib/trpc/message-for.ts';
import { wireErrorOf } from '../../../lib/trpc/wire-error.ts';
import { Button } from '../../../ui/buttons/button.tsx';
import { ButtonLink } from '../../../ui/buttons/button-link.tsx';
import { EmptyState } from '../../../ui/feedback/empty-state.tsx';
import { ErrorState } from '../../../ui/feedback/error-state.tsx';
import type { PlaceContents } from '../data/use-place.ts';
import type { DocumentView } from '../documents-url.ts';
import { DocumentRows } from './document-rows.tsx';
import type { DocumentRowsProps } from './document-rows-props.ts';
import { DocumentSkeletons } from './document-skeletons.tsx';
import { PrintableDocuments } from './printable-documents.tsx';
import type { useItemKeys } from './use-item-keys.ts';

type Props = Omit<DocumentRowsProps, 'more'> & {
  contents: PlaceContents;
  view: DocumentView;
  keys: ReturnType<typeof useItemKeys>;
  /** The shown contents are outdated: new contents are being fetched. */
  isOutdated: boolean;
  rootHref: string;
  /** Place, search and filter in words, for the head of a print. */
  filters: readonly string[];
  /** Clears search and filter; undefined where neither is in use. */
  onClear: (() => void) | undefined;
};

/** The contents of the opened place, or a message why there are none. */
export function PlaceView(props: Props) {
  const { contents, view, keys, isOutdated, rootHref, filters, onClear, ...rows } = props;
  const { status, error, refetch, more } = contents;
  if (status === 'error') {
    return (
      <NotFetched error={error} isSearch={onClear !== undefined} onRetry={refetch} rootHref={rootHref} />
    );
  }
  if (status === 'loading') return <DocumentSkeletons view={view} columns={rows.columns} />;
  if (rows.items.length === 0) return <Nothing onClear={onClear} />;
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: handles the keys of all rows, which are links
    <div
      ref={keys.root}
      onKeyDown={keys.onKeyDown}
      onFocus={keys.onFocus}
      onBlur={keys.onBlur}
      aria-busy={isOutdated}
    >
      <PrintableDocuments items={rows.items} total={rows.total} more={more} filters={filters}>
        <DocumentRows view={view} {...rows} more={more} />
      </PrintableDocuments>
    </div>
  );
}

type NotFetchedProps = { error: unknown; isSearch: boolean; onRetry: () => void; rootHref: string };

function NotFetched({ error, isSearch, onRetry, rootHref }: NotFetchedProps) {
  const refusal = wireErrorOf(error);
  if (refusal?.code === 'not_found') {
    return (
      <EmptyState
        icon={<FolderX size={20} />}
        title={documentMessages.folderGone}
        text={browserMessages.folderGoneText}
        action={<ButtonLink to={rootHref}>{documentMessages.root}</ButtonLink>}
      />
    );
  }
  const needsServer = isSearch && refusal === undefined;
  return (
    <ErrorState
      title={documentMessages.fetchFailed}
      text={needsServer ? browserMessages.searchNeedsServer : messageFor(error, messages.common.notReached)}
      error={error}
      onRetry={onRetry}
    />
  );
}

/** Message that there is nothing to show, worded as in the specification, with a hint or Clear Filters. */
function Nothing({ onClear }: { onClear: (() => void) | undefined }) {
  return (
    <EmptyState
      icon={onClear === undefined ? <FolderX size={20} /> : <Search size={20} />}
      title={documentMessages.none}
      text={onClear === undefined ? browserMessages.emptyFolder : browserMessages.noneMatch}
      action={onClear !== undefined && <Button onClick={onClear}>Clear Filters</Button>}
    />
  );
}
