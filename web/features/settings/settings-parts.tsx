import type { UseQueryResult } from '@tanstack/react-query';
import { CircleCheck, TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { messages } from '#shared/messages.ts';
import { messageFor } from '../../lib/trpc/message-for.ts';
import { Card } from '../../ui/card.tsx';
import { cx } from '../../ui/cx.ts';
import { ErrorState } from '../../ui/feedback/error-state.tsx';
import { Skeleton } from '../../ui/feedback/skeleton.tsx';

/** Notice about the state of a part of the installation, with an explanation or instructions as children. */
export function Notice({
  title,
  isBad = false,
  children,
}: {
  title: string;
  isBad?: boolean;
  children?: ReactNode;
}) {
  const Icon = isBad ? TriangleAlert : CircleCheck;
  return (
    <div
      role="status"
      className={cx(
        'flex items-start gap-2.5 rounded-control px-3.5 py-2.5',
        isBad ? 'bg-due-soft text-due' : 'bg-ok-soft text-ok',
      )}
    >
      <Icon size={18} aria-hidden className="mt-0.5 shrink-0" />
      <div className="min-w-0 [overflow-wrap:anywhere]">
        <p className="font-medium">{title}</p>
        {children !== undefined && <p className="mt-1 text-ink-2">{children}</p>}
      </div>
    </div>
  );
}

type StateProps<T> = {
  query: Pick<UseQueryResult<T>, 'data' | 'error' | 'refetch'>;
  /** Message shown when the state could not be read. */
  failed: string;
  title: string;
  children: (data: T) => ReactNode;
};

/** Card with the state of a part of the installation, once the state is loaded. */
export function StateCard<T>({ query, failed, title, children }: StateProps<T>) {
  const { data, error, refetch } = query;
  if (data === undefined) {
    return error === null ? (
      <Skeleton className="h-60 rounded-card" />
    ) : (
      <ErrorState
        title={failed}
        text={messageFor(error, messages.common.notReached)}
        error={error}
        onRetry={() => void refetch()}
      />
    );
  }
  return (
    <Card className="grid gap-4 p-5">
      <h2 className="font-semibold text-md">{title}</h2>
      {children(data)}
    </Card>
  );
}

/** Text for the person to copy. */
export function Code({ text }: { text: string }) {
  return <code className="select-all break-all font-mono text-sm">{text}</code>;
}

/** A list of names and values. */
export function Rows({ children }: { children: ReactNode }) {
  return <dl className="grid gap-x-6 gap-y-3 sm:grid-cols-[13.5rem_1fr]">{children}</dl>;
}

/** A row of {@link Rows}. */
export function Row({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="grid gap-x-6 sm:col-span-2 sm:grid-cols-subgrid">
      <dt className="text-ink-2">{name}</dt>
      <dd className="min-w-0 [overflow-wrap:anywhere]">{children}</dd>
    </div>
  );
}
