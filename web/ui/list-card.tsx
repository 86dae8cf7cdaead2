import type { ReactNode } from 'react';
import { messages } from '#shared/messages.ts';
import { messageFor } from '../lib/trpc/message-for.ts';
import { Card } from './card.tsx';
import { ErrorState } from './feedback/error-state.tsx';
import { Skeleton } from './feedback/skeleton.tsx';

type Props<Row> = {
  title: string;
  /** An explanation below the title. */
  text: ReactNode;
  query: { data: readonly Row[] | undefined; error: unknown; refetch: () => void };
  /** The sentence for a list that could not be fetched. */
  failed: string;
  /** The sentence for an empty list. */
  none: string;
  renderRow: (row: Row) => ReactNode;
  /** The actions and dialogs below the list. */
  children: ReactNode;
};

/** Card with a short list that is fetched as a whole, and the states of the list while it has no rows. */
export function ListCard<Row>({ title, text, query, failed, none, renderRow, children }: Props<Row>) {
  const { data, error, refetch } = query;
  return (
    <Card className="grid gap-4 p-5">
      <div>
        <h2 className="mb-2 font-semibold text-md">{title}</h2>
        <p className="text-ink-2">{text}</p>
      </div>
      {data === undefined ? (
        error ? (
          <ErrorState
            title={failed}
            text={messageFor(error, messages.common.notReached)}
            error={error}
            onRetry={refetch}
          />
        ) : (
          <Skeleton className="h-16" />
        )
      ) : data.length === 0 ? (
        <p>{none}</p>
      ) : (
        <ul className="grid divide-y divide-line" aria-label={title}>
          {data.map(renderRow)}
        </ul>
      )}
      {children}
    </Card>
  );
}
