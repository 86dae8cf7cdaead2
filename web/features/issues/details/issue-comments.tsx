import { type FormEvent, type KeyboardEvent, useState } from 'react';
import { commentIssueInput, type Issue, type IssueComment } from '#shared/features/issues/issues.ts';
import { uuidv7 } from '#shared/ids.ts';
import { messages } from '#shared/messages.ts';
import { fullName, signedName } from '#shared/text/names.ts';
import { maxLengthOf } from '../../../forms/max-length.ts';
import { toastFailure } from '../../../forms/toasts.ts';
import { usePermissions } from '../../../lib/can.tsx';
import { readStored, writeStored } from '../../../lib/storage.ts';
import { presentInstant } from '../../../lib/time/present-time.ts';
import { fieldErrorsOf, messageFor } from '../../../lib/trpc/message-for.ts';
import { api } from '../../../lib/trpc/trpc.ts';
import { useLiveList } from '../../../live/hooks/use-live-list.ts';
import { useLiveMutation } from '../../../live/hooks/use-live-mutation.ts';
import { usePending } from '../../../live/hooks/use-pending.ts';
import { Avatar } from '../../../ui/avatar.tsx';
import { Button } from '../../../ui/buttons/button.tsx';
import { ErrorState } from '../../../ui/feedback/error-state.tsx';
import { PendingDot } from '../../../ui/feedback/pending-dot.tsx';
import { RelativeTime } from '../../../ui/feedback/relative-time.tsx';
import { Skeleton } from '../../../ui/feedback/skeleton.tsx';
import { TextArea } from '../../../ui/fields/text-area.tsx';
import { useMe } from '../../session/session-context.ts';
import { issueComments } from './comments.live.ts';

const BODY_MAX = maxLengthOf(commentIssueInput.shape.body);

/** Comments of an issue. People who may edit issues, and the person who reported this one, can add some. */
export function IssueComments({ issue }: { issue: Issue }) {
  const me = useMe();
  const { can } = usePermissions();
  const comments = useLiveList(issueComments, { id: issue.id });
  const { rows, status, error, refetch, hasMore, loadMore, isLoadingMore } = comments;
  const mayComment = can('edit_building_issues') || issue.reportedBy === me.id;
  return (
    <section aria-labelledby="issue-comments" className="min-w-0 md:col-start-1">
      <h3 id="issue-comments" className="mb-2 font-semibold text-base text-ink">
        Comments
        {rows.length > 0 && (
          <span className="ml-2 font-medium text-ink-3 tabular-nums">
            {rows.length}
            {hasMore && '+'}
          </span>
        )}
      </h3>
      {status === 'error' && (
        <ErrorState title={messageFor(error, messages.issues.fetchFailed)} error={error} onRetry={refetch} />
      )}
      {status === 'loading' && <Skeleton className="h-12" />}
      {status === 'ready' && rows.length === 0 && <p className="text-ink-2 text-sm">No comments yet.</p>}
      {hasMore && (
        <Button size="sm" className="mb-3 print:hidden" disabled={isLoadingMore} onClick={loadMore}>
          Show earlier comments
        </Button>
      )}
      <ol className="grid gap-3" aria-live="polite">
        {rows.toReversed().map((comment) => (
          <Comment key={comment.id} comment={comment} />
        ))}
      </ol>
      {mayComment && <CommentBox issue={issue} />}
    </section>
  );
}

function Comment({ comment }: { comment: IssueComment }) {
  const pending = usePending('issueComment', comment.id);
  return (
    <li className="flex gap-2.5">
      <Avatar letter={comment.authorName.slice(0, 1)} size="sm" />
      <div className="min-w-0 flex-1">
        <p className="flex items-center gap-2 text-sm">
          <b className="font-medium text-ink">{signedName(comment.authorName, comment.authorNow)}</b>
          <span className="text-ink-3 text-xs">
            <RelativeTime at={comment.createdAt} />
          </span>
          {pending && <PendingDot />}
        </p>
        <p className="whitespace-pre-wrap text-ink [overflow-wrap:anywhere]">{comment.body}</p>
      </div>
    </li>
  );
}

function CommentBox({ issue }: { issue: Issue }) {
  const me = useMe();
  const { mutate } = useLiveMutation();
  const draftKey = `lintel.comment.${me.id}.${issue.id}`;
  const [body, setBody] = useState(() => readStored('session', draftKey) ?? '');
  const [wrong, setWrong] = useState<string>();

  function write(text: string) {
    setBody(text);
    setWrong(undefined);
    writeStored('session', draftKey, text === '' ? undefined : text);
  }

  async function send() {
    const said = body.trim();
    if (said === '') {
      setWrong(messages.issues.commentRequired);
      return;
    }
    const id = uuidv7();
    write('');
    try {
      await mutate({
        input: { id, issueId: issue.id, body: said },
        overlay: {
          entity: 'issueComment',
          id,
          base: undefined,
          patch: {
            id,
            issueId: issue.id,
            buildingId: issue.buildingId,
            body: said,
            authorId: me.id,
            authorName: fullName(me),
            authorNow: null,
            createdAt: presentInstant(),
          },
        },
        send: (input, { signal }) => api.issues.comment.mutate(input, { signal }),
      });
    } catch (error) {
      // A refused comment returns to the box, even when the dialog has been closed, before any text typed since.
      const newer = readStored('session', draftKey) ?? '';
      write(newer === '' ? said : `${said}\n\n${newer}`);
      setWrong(fieldErrorsOf(error).body);
      toastFailure(error, messages.issues.commentFailed);
    }
  }

  function onSubmit(event: FormEvent) {
    event.preventDefault();
    void send();
  }
  function onKeyDown(event: KeyboardEvent) {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    void send();
  }

  return (
    <form onSubmit={onSubmit} className="mt-3 grid gap-2 print:hidden">
      <TextArea
        label="Add a comment"
        name="comment"
        hideLabel
        placeholder="Add a comment"
        rows={2}
        maxLength={BODY_MAX}
        value={body}
        error={wrong}
        onChange={(event) => write(event.target.value)}
        onKeyDown={onKeyDown}
      />
      <div className="flex justify-end">
        <Button type="submit">Add Comment</Button>
      </div>
    </form>
  );
}
