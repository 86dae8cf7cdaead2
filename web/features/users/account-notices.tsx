import { ShieldAlert } from 'lucide-react';
import { useState } from 'react';
import { Link } from 'react-router-dom';
import { noticeAdvice, noticeText } from '#shared/features/notice-words.ts';
import type { AccountNotice } from '#shared/features/users.ts';
import { userMessages } from '#shared/features/users-messages.ts';
import { messages } from '#shared/messages.ts';
import { messageFor } from '../../lib/message-for.ts';
import { api } from '../../lib/trpc.ts';
import { useLiveMutation } from '../../live/use-live-mutation.ts';
import { useLiveQuery } from '../../live/use-live-query.ts';
import { Button } from '../../ui/button.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { toast } from '../../ui/toast.ts';
import { myNotices } from './people.live.ts';

/** On one screen; the others follow when these are dismissed. */
const SHOWN = 3;

/** What was done to one's own account, perhaps by another person, until it is dismissed. */
export default function AccountNotices() {
  const { data } = useLiveQuery(myNotices, undefined);
  const { mutate, isPending } = useLiveMutation();
  const [gone, setGone] = useState<ReadonlySet<string>>(new Set());
  const shown = (data ?? []).filter(({ id }) => !gone.has(id)).slice(0, SHOWN);
  if (shown.length === 0) return null;

  async function dismiss(notices: readonly AccountNotice[]) {
    const ids = notices.map(({ id }) => id);
    try {
      await mutate({
        input: { ids },
        send: (input, context) => api.users.dismissNotices.mutate(input, context),
      });
      setGone((before) => new Set([...before, ...ids]));
    } catch (error) {
      const text = messageFor(error, userMessages.dismissFailed);
      toast({ title: messages.common.error, text, tone: 'destructive' });
    }
  }

  return (
    <section
      aria-label="About your account"
      className="grid divide-y divide-due/30 border-due border-b bg-due-soft px-4 text-due sm:px-6 print:hidden"
    >
      {shown.map((notice) => (
        <div
          key={notice.id}
          className="mx-auto flex w-full max-w-[90rem] flex-wrap items-center gap-x-4 gap-y-2 py-2"
        >
          <p className="flex min-w-0 flex-1 basis-80 items-start gap-2 [overflow-wrap:anywhere]">
            <ShieldAlert size={18} aria-hidden className="mt-0.5 shrink-0" />
            <span>
              <b className="font-semibold">{noticeText(notice)}</b> <RelativeTime at={notice.at} />.{' '}
              {noticeAdvice(notice)}{' '}
              <Link to="/account" className="underline underline-offset-2">
                My Account
              </Link>
            </span>
          </p>
          <Button disabled={isPending} onClick={() => void dismiss([notice])}>
            Dismiss
          </Button>
        </div>
      ))}
    </section>
  );
}
