import { ShieldAlert } from 'lucide-react';
import { useState } from 'react';
import { Link } from 'react-router-dom';
import { noticeAdvice, noticeText } from '#shared/features/notice-text.ts';
import type { AccountNotice } from '#shared/features/users.ts';
import { userMessages } from '#shared/features/users-messages.ts';
import { tell } from '../../forms/toasts.ts';
import { api } from '../../lib/trpc.ts';
import { useLiveMutation } from '../../live/use-live-mutation.ts';
import { Button } from '../../ui/button.tsx';
import { cx } from '../../ui/cx.ts';
import { RelativeTime } from '../../ui/relative-time.tsx';

/** Notices shown at once (a phone shows one); dismissing them reveals the next. */
const SHOWN = 3;

/** Notices about the person's own account, until they are dismissed. */
export default function NoticeBar({ notices: all }: { notices: readonly AccountNotice[] }) {
  const { mutate, isPending } = useLiveMutation();
  const [gone, setGone] = useState<ReadonlySet<string>>(new Set());
  const waiting = all.filter(({ id }) => !gone.has(id));
  const shown = waiting.slice(0, SHOWN);
  if (shown.length === 0) return null;

  async function dismiss(notices: readonly AccountNotice[]) {
    const ids = notices.map(({ id }) => id);
    const answer = mutate({
      input: { ids },
      send: (input, context) => api.users.dismissNotices.mutate(input, context),
    });
    const done = await tell(answer, { failure: userMessages.dismissFailed });
    if (done !== undefined) setGone((before) => new Set([...before, ...ids]));
  }

  return (
    <section
      aria-label="About your account"
      className="grid border-due border-b bg-due-soft px-4 text-due sm:px-6 print:hidden"
    >
      {shown.map((notice, index) => (
        <div
          key={notice.id}
          className={cx(
            'mx-auto flex w-full max-w-[90rem] flex-wrap items-center gap-x-4 gap-y-2 py-2',
            // A phone has room for one notice only.
            index > 0 && 'border-due/30 border-t max-sm:hidden',
          )}
        >
          <p className="flex min-w-0 flex-1 basis-80 items-start gap-2 [overflow-wrap:anywhere]">
            <ShieldAlert size={16} aria-hidden className="mt-0.5 shrink-0" />
            <span>
              <b className="font-semibold">{noticeText(notice)}</b> {noticeAdvice(notice)}{' '}
              <Link to="/account" className="underline underline-offset-2">
                My Account
              </Link>{' '}
              <span className="whitespace-nowrap">
                · <RelativeTime at={notice.at} />
              </span>
            </span>
          </p>
          {index === 0 && waiting.length > 1 && (
            <span className="order-last text-sm sm:hidden">{`1 of ${waiting.length}`}</span>
          )}
          <Button disabled={isPending} onClick={() => void dismiss([notice])}>
            Dismiss
          </Button>
        </div>
      ))}
    </section>
  );
}
