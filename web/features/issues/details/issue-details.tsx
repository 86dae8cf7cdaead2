import '../list/print.css';
import { Link2, Pencil, Printer } from 'lucide-react';
import { type FocusEvent, useState } from 'react';
import { issuePartOf } from '#shared/features/issues/issue-parts.vocabulary.ts';
import type { Issue } from '#shared/features/issues/issues.ts';
import { messages } from '#shared/messages.ts';
import { usePermissions } from '../../../lib/can.tsx';
import { messageFor } from '../../../lib/trpc/message-for.ts';
import { HistoryList } from '../../../live/history-list.tsx';
import { useAnnouncePresence } from '../../../live/hooks/use-announce-presence.ts';
import { useLiveQuery } from '../../../live/hooks/use-live-query.ts';
import { isRefusedRead } from '../../../live/stream/wire-error.ts';
import { Button } from '../../../ui/buttons/button.tsx';
import { IconButton } from '../../../ui/buttons/icon-button.tsx';
import { Dialog } from '../../../ui/dialogs/dialog.tsx';
import { ErrorState } from '../../../ui/feedback/error-state.tsx';
import { Skeleton } from '../../../ui/feedback/skeleton.tsx';
import { toast } from '../../../ui/feedback/toast.ts';
import { useMedia } from '../../../ui/use-media.ts';
import { IssuePhotos } from '../../photos/issue-photos.tsx';
import { oneIssue } from '../issues.live.ts';
import { AcknowledgeIssue } from './acknowledge-issue.tsx';
import { describeHistoryEntry } from './describe-issue-history.ts';
import { IssueComments } from './issue-comments.tsx';
import { IssueEditForm } from './issue-edit-form.tsx';
import { IssueEditing } from './issue-editing.tsx';
import { IssueFacts } from './issue-facts.tsx';
import { issueHistory } from './issue-history.live.ts';
import { IssuePresence } from './issue-presence.tsx';
import { useListedIssue } from './use-listed-issue.ts';

type Props = { id: string; startsInForm: boolean; onClose: () => void };

/** Dialog of one issue: facts, form, photos, comments and history. */
export default function IssueDetails({ id, startsInForm, onClose }: Props) {
  const { data, status, error, refetch } = useLiveQuery(oneIssue, { id });
  const listed = useListedIssue(id);
  // A cached issue must not be shown to a person who has lost access to it.
  const gone = data === null || (status === 'error' && isRefusedRead(error));
  const issue = gone ? undefined : (data ?? listed);

  return (
    <Dialog
      open
      onClose={onClose}
      size="lg"
      title={issue == null ? 'Issue' : issue.title}
      subtitle={
        issue != null && (
          // One line of fixed height, so that nothing moves when people come and go. A phone has no room for both texts.
          <span className="group/line flex h-6 items-center gap-x-2" data-print="">
            <span className="min-w-0 truncate max-sm:group-has-[[data-editing]]/line:hidden">
              <span className="tabular-nums">{issue.referenceNumber}</span>
              {` · ${issue.buildingName}`}
            </span>
            <IssuePresence id={issue.id} />
            <IssueEditing id={issue.id} />
          </span>
        )
      }
    >
      {gone ? (
        <p className="py-6 text-center text-ink-2">{messages.issues.gone}</p>
      ) : issue === undefined && status === 'error' ? (
        <ErrorState title={messageFor(error, messages.issues.fetchFailed)} error={error} onRetry={refetch} />
      ) : issue === undefined ? (
        <div role="status" className="grid gap-3">
          <span className="sr-only">Loading issue…</span>
          <Skeleton className="h-9" />
          <Skeleton className="h-28" />
          <Skeleton className="h-9 w-1/2" />
        </div>
      ) : (
        <Content issue={issue} startsInForm={startsInForm} onClose={onClose} />
      )}
    </Dialog>
  );
}

type ContentProps = {
  issue: Issue;
  startsInForm: boolean;
  onClose: () => void;
};

function Content({ issue, startsInForm, onClose }: ContentProps) {
  const canManage = usePermissions().can('manage_building_issues');
  const isPhone = !useMedia('(min-width: 768px)');
  // Once shown, the form stays when the window becomes narrow, because it may contain unsaved edits.
  const [editing, setEditing] = useState(startsInForm || !isPhone);
  const workOn = useAnnouncePresence('issue', issue.id);
  const onFocus = ({ target }: FocusEvent) => workOn(issuePartOf(target.getAttribute('name') ?? ''));
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: hears which field inside has the focus
    <div
      className="grid gap-x-7 gap-y-6 md:grid-cols-[minmax(0,1fr)_17rem]"
      onFocus={onFocus}
      onBlur={() => workOn(undefined)}
    >
      {!editing ? (
        // On a phone a summary replaces the form at first: people look and reply more often than they edit.
        <IssueSummary issue={issue} canManage={canManage} onEdit={() => setEditing(true)} />
      ) : (
        <div className="min-w-0">
          <IssueEditForm
            issue={issue}
            canManage={canManage}
            startsInForm={startsInForm || isPhone}
            onClose={onClose}
          />
        </div>
      )}
      <aside className="min-w-0 md:row-span-4 md:border-line md:border-l md:pl-6">
        <div className="-mt-1 mb-3 -ml-2 flex gap-1 print:hidden">
          <IconButton label="Copy link" onClick={() => void copyLink(issue)}>
            <Link2 size={17} aria-hidden />
          </IconButton>
          <IconButton label="Print" onClick={() => window.print()}>
            <Printer size={17} aria-hidden />
          </IconButton>
        </div>
        <AcknowledgeIssue issue={issue} />
        <IssueFacts issue={issue} />
      </aside>
      <IssuePhotos issue={issue} />
      <IssueComments issue={issue} />
      <section aria-labelledby="issue-history" className="min-w-0 md:col-start-1">
        <h3 id="issue-history" className="mb-2 font-semibold text-base text-ink">
          History
        </h3>
        <HistoryList
          query={issueHistory}
          id={issue.id}
          describeHistoryEntry={describeHistoryEntry}
          failed={messages.issues.fetchFailed}
        />
      </section>
    </div>
  );
}

/** The issue's description, shown on a phone before its form. */
function IssueSummary({
  issue,
  canManage,
  onEdit,
}: {
  issue: Issue;
  canManage: boolean;
  onEdit: () => void;
}) {
  return (
    <div className="grid min-w-0 gap-3">
      {issue.description !== '' && (
        <p className="whitespace-pre-wrap text-ink [overflow-wrap:anywhere]">{issue.description}</p>
      )}
      {canManage ? (
        <Button onClick={onEdit} className="justify-self-start print:hidden">
          <Pencil size={16} aria-hidden />
          Edit Issue
        </Button>
      ) : (
        <p className="rounded-control bg-mute px-3 py-2 text-ink-2 text-sm">{messages.issues.cannotEdit}</p>
      )}
    </div>
  );
}

/** Copies a link to the issue without this person's filters. */
async function copyLink(issue: Issue): Promise<void> {
  const query = new URLSearchParams({ building: issue.buildingId, issue: issue.id });
  const link = `${window.location.origin}${window.location.pathname}?${query}`;
  try {
    await navigator.clipboard.writeText(link);
    toast({ title: 'Link copied', text: issue.referenceNumber });
  } catch {
    // Without https there is no clipboard API, so the link is shown for copying by hand.
    toast({ title: 'Copy this link', text: link });
  }
}
