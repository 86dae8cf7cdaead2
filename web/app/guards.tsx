import { ShieldAlert } from 'lucide-react';
import { type ReactNode, useEffect, useState } from 'react';
import { matchPath, Navigate, Outlet, useLocation } from 'react-router-dom';
import { messages } from '#shared/messages.ts';
import { useSession } from '../features/session/session-context.ts';
import { usePermissions } from '../lib/can.tsx';
import { ButtonLink } from '../ui/button-link.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { ErrorState } from '../ui/error-state.tsx';
import { FullPageSpinner } from '../ui/full-page-spinner.tsx';
import { toast } from '../ui/toast.ts';
import UnauthorizedPage from './pages/unauthorized.tsx';
import { isPermitted, type Page, pages } from './pages.ts';

/** Where checks are recorded. */
const RECORDING = [pages.operativeTasks.path, pages.operativeForm.path];

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
    return <Navigate to={pages.signIn.path} replace state={signedOutManually ? null : { from }} />;
  }
  // A stored role that is none of ours: nothing is open, and only signing out leads on.
  if (me.role === null) return <UnauthorizedPage />;
  // A clock that is a year ahead refuses nobody a record; whether it is accepted the server decides.
  if (recordsOnly && !RECORDING.some((path) => matchPath(path, location.pathname) !== null))
    return <Navigate to={pages.operativeTasks.path} replace />;
  return <Outlet />;
}

/** Lets in who may open a page. Arriving without the permission leads away; losing it on the page says so in place. */
export function PageGuard({ page, children }: { page: Page; children: ReactNode }) {
  const permissions = usePermissions();
  const { me, offline } = useSession();
  const { access } = page;
  const forSetUp = typeof access === 'object' && access.openDuringSetUp === true && me?.setupMode === true;
  const allowed = forSetUp || isPermitted(page, permissions);
  const [allowedAtFirst] = useState(allowed);
  if (allowed) return children;
  const text = (typeof access === 'object' && access.refusal?.(messages)) || messages.common.forbidden;
  // What is only remembered sends nobody away: the server may say more in a moment.
  return allowedAtFirst || offline ? <AccessDenied text={text} /> : <SentAway text={text} />;
}

function AccessDenied({ text }: { text: string }) {
  return (
    <main className="mx-auto max-w-lg p-6 pt-16">
      <EmptyState
        icon={<ShieldAlert size={20} />}
        title={messages.common.accessDenied}
        text={text}
        action={<ButtonLink to={pages.dashboard.path}>Return Home</ButtonLink>}
      />
    </main>
  );
}

function SentAway({ text }: { text: string }) {
  useEffect(() => toast({ title: messages.common.accessDenied, text, tone: 'destructive' }), [text]);
  return <Navigate to={pages.dashboard.path} replace />;
}
