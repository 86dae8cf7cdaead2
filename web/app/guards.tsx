import { ShieldAlert } from 'lucide-react';
import { type ReactNode, useEffect, useState } from 'react';
import { matchPath, Navigate, Outlet, useLocation, useSearchParams } from 'react-router-dom';
import { messages } from '#shared/messages.ts';
import { useSession } from '../features/session/session-context.ts';
import { usePermissions } from '../lib/can.tsx';
import { ButtonLink } from '../ui/buttons/button-link.tsx';
import { EmptyState } from '../ui/feedback/empty-state.tsx';
import { ErrorState } from '../ui/feedback/error-state.tsx';
import { FullPageSpinner } from '../ui/feedback/full-page-spinner.tsx';
import { toast } from '../ui/feedback/toast.ts';
import UnauthorizedPage from './pages/unauthorized.tsx';
import { isPermitted, type Page, pages } from './pages.ts';

/** The pages on which checks are recorded. */
const RECORDING = [pages.operativeTasks.path, pages.operativeForm.path];

/** Admits signed-in people; others are sent to sign in, and then return to the page they asked for. */
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
  // The stored role is unknown: no page is open, and the only way on is to sign out.
  if (me.role === null) return <UnauthorizedPage />;
  // With a clock that is far ahead the remembered session has expired, but checks can still be recorded; the server
  // decides whether it accepts them.
  if (recordsOnly && !RECORDING.some((path) => matchPath(path, location.pathname) !== null))
    return <Navigate to={pages.operativeTasks.path} replace />;
  return <Outlet />;
}

/**
 * Admits people who may open the page. Arriving without the permission redirects to the dashboard; losing it while on
 * the page shows "Access Denied" in place.
 */
export function PageGuard({ page, children }: { page: Page; children: ReactNode }) {
  const permissions = usePermissions();
  const { me, offline } = useSession();
  const { access } = page;
  const forSetUp = typeof access === 'object' && access.openDuringSetUp === true && me?.setupMode === true;
  const allowed = forSetUp || isPermitted(page, permissions);
  const [allowedAtFirst] = useState(allowed);
  const [params] = useSearchParams();
  const staysWith = (typeof access === 'object' && Object.entries(access.staysWith ?? {})) || [];
  const stays = staysWith.some(([name, value]) => params.get(name) === value);
  if (allowed || (allowedAtFirst && stays)) return children;
  const text = (typeof access === 'object' && access.refusal?.(messages)) || messages.common.forbidden;
  // Remembered permissions alone do not redirect: the server's answer may grant more in a moment.
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
