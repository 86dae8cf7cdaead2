import { formatDateTime } from '#shared/dates.ts';
import type { HistoryEntry } from '#shared/history.ts';
import { actorLabel } from '#shared/text/names.ts';
import { messageFor } from '../lib/trpc/message-for.ts';
import { Button } from '../ui/buttons/button.tsx';
import { ErrorState } from '../ui/feedback/error-state.tsx';
import { Skeleton } from '../ui/feedback/skeleton.tsx';
import type { HistoryQuery } from './history.ts';
import { useLiveList } from './hooks/use-live-list.ts';

type Props = {
  query: HistoryQuery;
  id: string;
  /** An entry in words, one string per line; the person's name is put before the first. */
  describeHistoryEntry: (entry: HistoryEntry) => readonly string[];
  /** The sentence for an error without a message. */
  failed: string;
  /** The sentence for an empty history. */
  nothing?: string;
};

/** The changes of one row: who changed what and when, newest first. */
export function HistoryList({ query, id, describeHistoryEntry, failed, nothing }: Props) {
  const { rows, status, error, refetch, hasMore, loadMore, isLoadingMore } = useLiveList(query, { id });
  return (
    <>
      {status === 'error' && <ErrorState title={messageFor(error, failed)} error={error} onRetry={refetch} />}
      {status === 'loading' && <Skeleton className="h-16" />}
      {nothing !== undefined && status === 'ready' && rows.length === 0 && (
        <p className="text-ink-2">{nothing}</p>
      )}
      <ol className="grid gap-2.5">
        {rows.map((entry) => (
          <li key={entry.g} className="grid gap-0.5 border-line border-l-2 pl-3 text-sm">
            {describeHistoryEntry(entry).map((words, line) => (
              <p key={words} className="text-ink-2 [overflow-wrap:anywhere]">
                {line === 0 && (
                  <b className="font-medium text-ink">
                    {actorLabel(entry.actorName ?? 'Lintel', entry.apiKeyName)}{' '}
                  </b>
                )}
                {words}
              </p>
            ))}
            <time dateTime={entry.at} className="text-ink-3 text-xs">
              {formatDateTime(entry.at)}
            </time>
          </li>
        ))}
      </ol>
      {hasMore && (
        <Button size="sm" className="mt-3 print:hidden" disabled={isLoadingMore} onClick={loadMore}>
          Earlier changes
        </Button>
      )}
    </>
  );
}
