import { Plus } from 'lucide-react';
import { type ReactNode, Suspense } from 'react';
import { Link, useSearchParams } from 'react-router-dom';
import { assertNever } from '#shared/assert-never.ts';
import type { Me } from '#shared/features/users/session.ts';
import { messages } from '#shared/messages.ts';
import { useMe } from '../../../features/session/session-context.ts';
import { Can, usePermissions } from '../../../lib/can.tsx';
import { lazyScreen } from '../../../lib/lazy-screen.tsx';
import { Button } from '../../../ui/buttons/button.tsx';
import { preloadDialog } from '../../../ui/dialogs/dialog.tsx';
import { PartBoundary } from '../../../ui/feedback/part-boundary.tsx';
import { Page } from '../../../ui/page.tsx';
import { isPermitted } from '../../pages.ts';
import { cardsOn, type Dashboard, type DashboardCard } from './dashboard-cards.ts';
import { ReportIssueDialog } from './report-issue-dialog.tsx';

const FirstSteps = lazyScreen(() => import('./first-steps.tsx'));
const CardFigures = lazyScreen(() => import('./card-figures.tsx'));
const PulsePanel = lazyScreen(() => import('./pulse-panel.tsx'));
const SilentDisplays = lazyScreen(() => import('../../../features/displays/silent-displays.tsx'));
const OperativeExtras = lazyScreen(() => import('../../../features/checks/tasks/operative-dashboard.tsx'));

/** The page after sign-in; its cards depend on the role. */
export default function DashboardPage() {
  const me = useMe();
  const permissions = usePermissions();
  const { can } = permissions;
  const [params, setParams] = useSearchParams();
  const reporting = params.get('report') !== null && can('create_building_issues');
  const { greeting, text, dashboard } = contentFor(me);
  const shown = cardsOn(dashboard).filter(({ page }) => isPermitted(page, permissions));

  return (
    <Page
      {...(greeting !== undefined && { title: greeting })}
      subtitle={text}
      back={null}
      actions={
        <Can permission="create_building_issues">
          <Button
            variant="primary"
            onPointerEnter={preloadDialog}
            onClick={() => setParams({ report: '' }, { replace: false })}
          >
            <Plus size={16} aria-hidden />
            Report Issue
          </Button>
        </Can>
      }
    >
      <ul className="grid gap-3 sm:auto-rows-fr sm:grid-cols-2 lg:grid-cols-3 xl:grid-cols-4">
        {shown.map((card) => (
          <li key={card.page.path}>
            <CardLink card={card} />
          </li>
        ))}
      </ul>
      {(me.buildings === 'all' || me.buildings.length === 0) && (
        <Suspense>
          <FirstSteps />
        </Suspense>
      )}
      {me.role === 'operative' && can('create_operative_tasks') && (
        <Suspense>
          <OperativeExtras />
        </Suspense>
      )}
      <Can permission="manage_users">
        <Figures>
          <SilentDisplays />
        </Figures>
      </Can>
      <Figures>
        <PulsePanel />
      </Figures>
      {reporting && <ReportIssueDialog onClose={() => setParams({}, { replace: true })} />}
    </Page>
  );
}

type Content = { greeting?: string; text?: ReactNode; dashboard: Dashboard };

function contentFor({ role, firstName }: Me): Content {
  switch (role) {
    case 'operative':
      return {
        greeting: messages.dashboard.welcomeOperative(firstName === '' ? 'Operative' : firstName),
        text: messages.dashboard.operativeText,
        dashboard: 'operative',
      };
    case 'viewer':
      return {
        greeting: messages.dashboard.welcomeBack(firstName),
        text: messages.dashboard.viewerText,
        dashboard: 'viewer',
      };
    case 'admin':
    case 'manager':
    case null:
      return { dashboard: 'desk' };
    default:
      return assertNever(role);
  }
}

function CardLink({ card }: { card: DashboardCard }) {
  const Icon = card.icon;
  return (
    <Link
      to={card.page.path}
      className="flex h-full items-start gap-3.5 rounded-card border border-line bg-surface p-4 transition-colors hover:border-brand"
    >
      <span
        className="grid size-10 shrink-0 place-items-center rounded-control bg-brand-soft text-brand"
        aria-hidden
      >
        <Icon size={20} />
      </span>
      <span className="flex min-w-0 flex-col self-stretch">
        <span className="block font-semibold text-ink text-md">{card.label}</span>
        <span className="block text-ink-2">{card.text}</span>
        <span className="mt-auto">
          <Figures fallback={<span className="mt-1.5 block min-h-6" />}>
            <CardFigures page={card.page} />
          </Figures>
        </span>
      </span>
    </Link>
  );
}

/** Figures load after the cards, and if they fail the cards stay usable. */
function Figures({ fallback, children }: { fallback?: ReactNode; children: ReactNode }) {
  return (
    <PartBoundary onFailed={doNothing}>
      <Suspense fallback={fallback}>{children}</Suspense>
    </PartBoundary>
  );
}
const doNothing = () => undefined;
