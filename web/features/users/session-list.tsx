import { Monitor, Smartphone } from 'lucide-react';
import { useState } from 'react';
import type { SessionInfo } from '#shared/features/users/users.ts';
import { userMessages } from '#shared/features/users/users-messages.ts';
import { messages } from '#shared/messages.ts';
import { deviceName } from '#shared/offline/device-name.ts';
import { messageFor } from '../../lib/trpc/message-for.ts';
import { Button } from '../../ui/buttons/button.tsx';
import { Badge } from '../../ui/feedback/badge.tsx';
import { ErrorState } from '../../ui/feedback/error-state.tsx';
import { RelativeTime } from '../../ui/feedback/relative-time.tsx';
import { Skeleton } from '../../ui/feedback/skeleton.tsx';

type Props = {
  sessions: readonly SessionInfo[] | undefined;
  error: unknown;
  onRetry: () => void;
  onEnd: (id: string) => Promise<void>;
};

/**
 * List of sessions with device and last activity, each with a button to end it. The current session ends by signing
 * out.
 */
export function SessionList({ sessions, error, onRetry, onEnd }: Props) {
  const [ending, setEnding] = useState<string | undefined>(undefined);
  if (sessions === undefined) {
    return error === null ? (
      <Skeleton className="h-24" />
    ) : (
      <ErrorState
        title={userMessages.sessionsFailed}
        text={messageFor(error, messages.common.notReached)}
        error={error}
        onRetry={onRetry}
      />
    );
  }
  if (sessions.length === 0) return <p className="text-ink-2">{userMessages.noSessions}</p>;
  return (
    <ul className="grid max-h-[60dvh] divide-y divide-line overflow-y-auto">
      {sessions.map((session) => {
        const device = deviceName(session.userAgent);
        const Icon = /iPhone|Android/u.test(device) ? Smartphone : Monitor;
        return (
          <li key={session.id} className="flex items-center gap-3 py-2.5">
            <Icon size={18} aria-hidden className="shrink-0 text-ink-3" />
            <div className="min-w-0 flex-1">
              <p className="font-medium [overflow-wrap:anywhere]">{device}</p>
              <p className="text-ink-2 text-sm">
                Signed in <RelativeTime at={session.createdAt} />
                {session.address !== '' && ` from ${session.address}`}, last seen{' '}
                <RelativeTime at={session.lastSeenAt} />
              </p>
            </div>
            {session.current ? (
              <Badge tone="brand">This session</Badge>
            ) : (
              <Button
                size="sm"
                disabled={ending === session.id}
                aria-label={`End session on ${device}`}
                onClick={() => {
                  setEnding(session.id);
                  void onEnd(session.id).finally(() => setEnding(undefined));
                }}
              >
                End
              </Button>
            )}
          </li>
        );
      })}
    </ul>
  );
}
