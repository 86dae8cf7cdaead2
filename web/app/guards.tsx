import { ShieldAlert } from 'lucide-react';
import { type ReactNode, useEffect, useState } from 'react';
import { matchPath, Navigate, Outlet, useLocation } from 'react-router-dom';
import { messages } from '#shared/messages.ts';
import type { Permission } from '#shared/permissions.ts';
import { useSession } from '../features/session/session-context.ts';
import { usePermissions } from '../lib/can.tsx';
import { ButtonLink } from '../ui/button-link.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { ErrorState } from '../ui/error-state.tsx';
import { FullPageSpinner } from '../ui/full-page-spinner.tsx';
import { toast } from '../ui/toast.ts';
import UnauthorizedPage from './pages/unauthorized.tsx';
import { paths } from './paths.ts';

/** Where checks are recorded. */
const RECORDING = [paths.operativeTasks, paths.operativeForm];

/** Lets in who is signed in; the others sign in first, and come back to the page they asked for. */
export function RequireSession() {
  const { loading, unreachable, me, signedOutManually, recordsOnly, reload } = useSession();
  const location = useLocation();
  if (loading) return <FullPageSpinner />;
  if (unreachable) {
    return (
      <main className="mx-auto max-w-lg p-6 pt-24">
        <ErrorState title={messages.common.notReached} onRetry={() => void reload()} />
      </main>
    );
  }
  if (me === null) {
    const from = `${location.pathname}${location.search}`;
    return <Navigate to={paths.signIn} replace state={signedOutManually ? null : { from }} />;
  }
  // A stored role that is none of ours: nothing is open, and only signing out leads on.
  if (me.role === null) return <UnauthorizedPage />;
  // A clock that is a year ahead refuses nobody a record; whether it is accepted the server decides.
  if (recordsOnly && !RECORDING.some((path) => matchPath(path, location.pathname) !== null))
    return <Navigate to={paths.operativeTasks} replace />;
  return <Outlet />;
}

type PermissionProps = {
  anyOf?: readonly Permission[];
  allOf?: readonly Permission[];
  /** Where to go instead. */
  fallback?: string;
  /** The sentence under "Access Denied". */
  text?: string;
  /** Shows "Access Denied" in place instead of going elsewhere. */
  inPlace?: boolean;
  children: ReactNode;
};

/** Lets in who holds the permissions. Arriving without them leads away; losing them on the page says so in place. */
export function RequirePermission({
  anyOf,
  allOf,
  fallback = paths.dashboard,
  text = messages.common.forbidden,
  inPlace = false,
  children,
}: PermissionProps) {
  const { canAny, canAll } = usePermissions();
  const { offline } = useSession();
  const allowed = (anyOf === undefined || canAny(anyOf)) && (allOf === undefined || canAll(allOf));
  const [allowedAtFirst] = useState(allowed);
  if (allowed) return children;
  // What is only remembered sends nobody away: the server may say more in a moment.
  return allowedAtFirst || inPlace || offline ? (
    <AccessDenied text={text} />
  ) : (
    <SentAway to={fallback} text={text} />
  );
}

function AccessDenied({ text }: { text: string }) {
  return (
    <main className="mx-auto max-w-lg p-6 pt-16">
      <EmptyState
        icon={<ShieldAlert size={20} />}
        title={messages.common.accessDenied}
        text={text}
        action={<ButtonLink to={paths.dashboard}>Return Home</ButtonLink>}
      />
    </main>
  );
}

function SentAway({ to, text }: { to: string; text: string }) {
  useEffect(() => toast({ title: messages.common.accessDenied, text, tone: 'destructive' }), [text]);
  return <Navigate to={to} replace />;
}
