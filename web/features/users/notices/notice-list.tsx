import { noticeAdvice, noticeText } from '#shared/features/users/notice-text.ts';
import type { AccountNotice } from '#shared/features/users/users.ts';
import { userMessages } from '#shared/features/users/users-messages.ts';
import { tell } from '../../../forms/toasts.ts';
import { api } from '../../../lib/trpc/trpc.ts';
import { useLiveMutation } from '../../../live/hooks/use-live-mutation.ts';
import { Button } from '../../../ui/buttons/button.tsx';
import { Card } from '../../../ui/card.tsx';
import { RelativeTime } from '../../../ui/feedback/relative-time.tsx';
import { hideDismissed, useMyNotices } from './use-my-notices.ts';

/** Notices about the person's own account, until they are dismissed. */
export function NoticeList() {
  const notices = useMyNotices();
  const { mutate, isPending } = useLiveMutation();
  if (notices.length === 0) return null;

  async function dismiss(dismissed: readonly AccountNotice[]) {
    const ids = dismissed.map(({ id }) => id);
    const answer = mutate({
      input: { ids },
      send: (input, context) => api.users.dismissNotices.mutate(input, context),
    });
    const done = await tell(answer, { failure: userMessages.dismissFailed });
    if (done !== undefined) hideDismissed(ids);
  }

  return (
    <Card className="p-5 lg:col-span-2">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <h2 className="font-semibold text-md">Sign-ins and password changes</h2>
        {notices.length > 1 && (
          <Button disabled={isPending} onClick={() => void dismiss(notices)}>
            Dismiss all
          </Button>
        )}
      </div>
      <ul className="mt-1 divide-y divide-line">
        {notices.map((notice) => (
          <li key={notice.id} className="flex flex-wrap items-center gap-x-4 gap-y-2 py-2.5">
            <p className="min-w-0 flex-1 basis-72 [overflow-wrap:anywhere]">
              <b className="font-semibold">{noticeText(notice)}</b> {noticeAdvice(notice)}{' '}
              <span className="whitespace-nowrap text-ink-2">
                <RelativeTime at={notice.at} />
              </span>
            </p>
            <Button disabled={isPending} onClick={() => void dismiss([notice])}>
              Dismiss
            </Button>
          </li>
        ))}
      </ul>
    </Card>
  );
}
