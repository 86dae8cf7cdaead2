import { useQuery } from '@tanstack/react-query';
import { TriangleAlert } from 'lucide-react';
import type { Issue } from '#shared/features/issues/issues.ts';
import { messages } from '#shared/messages.ts';
import { isSettled } from '../is-settled.ts';

/** The warning of the closing question inside the form, under the selected status. */
export function ClosingNotice({ issue }: { issue: Issue }) {
  const { data: settled } = useQuery({
    queryKey: ['checks.ofIssue', issue.id],
    queryFn: () => isSettled(issue),
    enabled: issue.source === 'check',
    // A retest may have been recorded since the last query.
    staleTime: 0,
  });
  if (settled !== false) return null;
  return (
    <p
      role="alert"
      className="flex items-start gap-2 rounded-control bg-due-soft px-3 py-2 font-medium text-due"
    >
      <TriangleAlert size={16} className="mt-0.5" aria-hidden />
      {messages.issues.noRetest(issue.referenceNumber)}
    </p>
  );
}
