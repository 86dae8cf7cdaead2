import { SearchX } from 'lucide-react';
import type { ReactNode } from 'react';
import { messages } from '#shared/messages.ts';
import { messageFor } from '../lib/trpc/message-for.ts';
import { Button } from './buttons/button.tsx';
import { EmptyState } from './feedback/empty-state.tsx';
import { ErrorState } from './feedback/error-state.tsx';
import { Skeleton } from './feedback/skeleton.tsx';

type Props = {
  list: { status: 'loading' | 'error' | 'ready'; error: unknown; refetch: () => void };
  /** The list has loaded and has no rows. */
  isEmpty: boolean;
  /** The class of a row that is still loading, which sets its height. */
  skeleton: string;
  skeletons?: number;
  /** The sentence for a list that could not be fetched. */
  failed: string;
  /** Shown if the list has no rows. */
  none: { icon: ReactNode; title: string; text?: string };
  /** Shown if no row matches the filters, with a function that clears the filters; undefined if no filter is set. */
  narrowed?: { title: string; text?: string; onClear: () => void } | undefined;
  /** The list with its rows. */
  children: ReactNode;
};

/**
 * A list, or its state while there are no rows: rows that are loading, an error with a retry, or the reason why the list
 * is empty.
 */
export function ListStates({
  list,
  isEmpty,
  skeleton,
  skeletons = 8,
  failed,
  none,
  narrowed,
  children,
}: Props) {
  const { status, error, refetch } = list;
  if (status === 'error') {
    return (
      <ErrorState
        title={failed}
        text={messageFor(error, messages.common.notReached)}
        error={error}
        onRetry={refetch}
      />
    );
  }
  if (status === 'loading') {
    return (
      <div className="grid gap-2" aria-busy>
        {Array.from({ length: skeletons }, (_, row) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the rows are all alike
          <Skeleton key={row} className={skeleton} />
        ))}
      </div>
    );
  }
  if (!isEmpty) return children;
  if (narrowed === undefined) return <EmptyState {...none} />;
  const { onClear, ...sentences } = narrowed;
  return (
    <EmptyState
      icon={<SearchX size={20} />}
      {...sentences}
      action={<Button onClick={onClear}>Clear Filters</Button>}
    />
  );
}
