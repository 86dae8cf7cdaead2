import { House, Menu as MenuIcon } from 'lucide-react';
import { lazy, Suspense, useEffect } from 'react';
import { Link, matchPath, NavLink, Outlet, useLocation } from 'react-router-dom';
import { messages } from '#shared/messages.ts';
import { UploadTraySlot } from '../features/documents/upload/upload-tray-slot.tsx';
import { ReauthenticationSlot } from '../features/session/reauthentication/reauthentication-slot.tsx';
import { UserMenu } from '../features/session/user-menu.tsx';
import { usePermissions } from '../lib/can.tsx';
import { useIsSettled } from '../lib/use-is-settled.ts';
import { LiveDot } from '../live/live-dot.tsx';
import { ButtonLink } from '../ui/buttons/button-link.tsx';
import { cx } from '../ui/cx.ts';
import { Menu } from '../ui/dialogs/menu.tsx';
import { Logo } from '../ui/logo.tsx';
import { ClockNotice } from './clock-notice.tsx';
import { InstallationNotices } from './installation-notices.tsx';
import { LiveConnection } from './live-connection.tsx';
import { OfflineConnection } from './offline/offline-connection.tsx';
import { OfflineUpkeepIfUsed, UnsentChip } from './offline/offline-parts.tsx';
import { startServiceWorker } from './offline/register-service-worker.ts';
import { UpdatePrompt } from './offline/update-prompt.tsx';
import { isPermitted, labelOf, type Page, pageNames, pageOf, pages } from './pages.ts';

// If the code of the notices fails to load, they are not shown, so that the screen stays usable.
const AccountNotices = lazy(() =>
  import('../features/users/notices/account-notices.tsx').catch(() => ({ default: () => null })),
);

/** The frame of signed-in screens: the header, and the connection to the live stream. */
export default function Shell() {
  const permissions = usePermissions();
  const { pathname } = useLocation();
  const permitted = pageNames.map(pageOf).filter((page) => isPermitted(page, permissions));
  const inHeader = permitted.filter(({ link }) => link === 'header');
  const atHome = pathname === pages.dashboard.path;
  const isSettled = useIsSettled();
  // Registered here, because only signed-in people need the app without a network. Registered only once the page is
  // settled, because the service worker fetches all files of the app.
  useEffect(() => {
    if (isSettled) startServiceWorker();
  }, [isSettled]);

  return (
    <OfflineConnection>
      <LiveConnection>
        <a
          href="#content"
          className="sr-only focus:not-sr-only focus:fixed focus:top-2 focus:left-2 focus:z-50 focus:rounded-control focus:bg-surface focus:px-3 focus:py-2"
        >
          Skip to content
        </a>
        <header
          className={cx(
            'sticky top-0 z-20 short:static border-line border-b bg-surface print:hidden',
            // On a phone, check forms need the space and have their own back button.
            matchPath(pages.operativeForm.path, pathname) !== null && 'max-sm:hidden',
          )}
        >
          <div className="group/header mx-auto flex h-14 max-w-[90rem] items-center gap-2 px-4 sm:px-6 xl:gap-6">
            <NarrowNav links={inHeader} atHome={atHome} />
            <Link
              to={pages.dashboard.path}
              className="flex items-center gap-2.5 rounded-control font-semibold text-md tracking-[-0.01em]"
            >
              <Logo />
              {/* On a phone, the number of unsent records and the state of the connection need the space. */}
              <span className="max-[430px]:group-has-[[data-unsent]]/header:sr-only">
                {messages.app.name}
              </span>
            </Link>
            <nav aria-label="Main" className="hidden flex-1 gap-1 xl:flex">
              {inHeader.map((page) => (
                <NavLink
                  key={page.path}
                  to={page.path}
                  className={({ isActive }) =>
                    cx(
                      'inline-flex h-9 items-center whitespace-nowrap rounded-control px-3 font-medium pointer-coarse:h-12',
                      isActive ? 'bg-brand-soft font-semibold text-brand' : 'text-ink-2 hover:text-ink',
                    )
                  }
                >
                  {labelOf(page)}
                </NavLink>
              ))}
            </nav>
            <div className="ml-auto flex min-w-0 items-center gap-3 sm:gap-4">
              <UnsentChip isSettled={isSettled} />
              <LiveDot />
              {!atHome && (
                <ButtonLink to={pages.dashboard.path} variant="quiet" className="max-xl:hidden">
                  <House size={16} aria-hidden />
                  <span className="max-[86rem]:sr-only">Return Home</span>
                </ButtonLink>
              )}
              <UserMenu links={permitted.filter(({ link }) => link === 'userMenu').map(menuLink)} />
            </div>
          </div>
        </header>
        <InstallationNotices />
        <UpdatePrompt />
        <ClockNotice />
        <Suspense fallback={null}>
          <AccountNotices />
        </Suspense>
        <Outlet />
        <OfflineUpkeepIfUsed isSettled={isSettled} />
        <UploadTraySlot />
        <ReauthenticationSlot />
      </LiveConnection>
    </OfflineConnection>
  );
}

/** Menu with the links of the header, for narrow screens. */
function NarrowNav({ links, atHome }: { links: readonly Page[]; atHome: boolean }) {
  const home = {
    key: 'home',
    label: 'Return Home',
    to: pages.dashboard.path,
    icon: <House size={18} aria-hidden />,
  };
  return (
    <div className="-ml-2 xl:hidden">
      <Menu
        label="Menu"
        align="start"
        buttonClassName="grid size-12 place-items-center rounded-control text-ink-2"
        button={<MenuIcon size={22} aria-hidden />}
        groups={[links.map(menuLink), atHome ? [] : [home]]}
      />
    </div>
  );
}

function menuLink(page: Page) {
  return { key: page.path, label: labelOf(page), to: page.path };
}
