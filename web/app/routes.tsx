import { Suspense } from 'react';
import { Outlet, Route, Routes, useParams } from 'react-router-dom';
import { messages } from '#shared/messages.ts';
import { useSession } from '../features/session/session-context.ts';
import { readSessionRecord } from '../features/session/session-record.ts';
import { lazyScreen } from '../lib/lazy-screen.tsx';
import { FullPageSpinner } from '../ui/full-page-spinner.tsx';
import { RequirePermission, RequireSession } from './guards.tsx';
import { lazyOffline } from './lazy-offline.ts';
import { type PageName, pageAt, pageCode, shellCode, worksOffline } from './page-code.ts';
import LandingPage from './pages/landing.tsx';
import NotFoundPage from './pages/not-found.tsx';
import UnauthorizedPage from './pages/unauthorized.tsx';
import { paths } from './paths.ts';
import { toSafePath } from './safe-path.ts';
import { ScreenBoundary } from './screen-boundary.tsx';
import { UnsentHereIfUsed } from './unsent-here-if-used.tsx';

const Shell = lazyScreen(shellCode);
const pages = {
  signIn: lazyScreen(pageCode.signIn),
  setup: lazyScreen(pageCode.setup),
  dashboard: lazyScreen(pageCode.dashboard),
  buildingIssues: lazyScreen(pageCode.buildingIssues),
  logbook: lazyScreen(pageCode.logbook),
  heldRecords: lazyScreen(pageCode.heldRecords),
  schedules: lazyScreen(pageCode.schedules),
  log: lazyScreen(pageCode.log),
  operativeTasks: lazyScreen(pageCode.operativeTasks),
  operativeForm: lazyScreen(pageCode.operativeForm),
  locations: lazyScreen(pageCode.locations),
  addLocation: lazyScreen(pageCode.addLocation),
  addBuilding: lazyScreen(pageCode.addBuilding),
  assets: lazyScreen(pageCode.assets),
  assetLabels: lazyScreen(pageCode.assetLabels),
  asset: lazyScreen(pageCode.asset),
  assetLink: lazyScreen(pageCode.assetLink),
  scan: lazyScreen(pageCode.scan),
  userManagement: lazyScreen(pageCode.userManagement),
  account: lazyScreen(pageCode.account),
  activity: lazyScreen(pageCode.activity),
  import: lazyScreen(pageCode.import),
  sync: lazyScreen(pageCode.sync),
  forgot: lazyScreen(pageCode.forgot),
  invite: lazyScreen(pageCode.invite),
  reset: lazyScreen(pageCode.reset),
} satisfies Record<PageName, unknown>;

/**
 * Makes ready the page at an address, whose code is on its way already, so that it is drawn at once. Never rejects:
 * what fails here fails again, and is told, when it is drawn.
 */
export async function preloadPage(pathname: string): Promise<void> {
  const name = pageAt(pathname);
  if (name === undefined) return;
  await Promise.allSettled([
    pages[name].preload(),
    PUBLIC_PATHS.includes(paths[name]) ? undefined : Shell.preload(),
    // A page that had to wait for it in the middle of drawing would show a wait, which React keeps up for 300 ms.
    worksOffline(name) && readSessionRecord() !== undefined ? lazyOffline.load() : undefined,
  ]);
}

/** What anybody may open without signing in: this list and nothing else ("*" is the not-found page). */
export const PUBLIC_PATHS: readonly string[] = [
  paths.home,
  paths.signIn,
  paths.setup,
  paths.invite,
  paths.forgot,
  paths.reset,
  '*',
];

export function AppRoutes() {
  return (
    <ScreenBoundary>
      <Suspense fallback={<FullPageSpinner />}>
        <Routes>
          <Route path={paths.home} element={<LandingPage />} />
          <Route
            path={paths.signIn}
            element={<pages.signIn toSafePath={toSafePath} notice={<UnsentHereIfUsed />} />}
          />
          <Route path={paths.setup} element={<pages.setup />} />
          <Route path={paths.invite} element={<pages.invite />} />
          <Route path={paths.forgot} element={<pages.forgot />} />
          <Route path={paths.reset} element={<pages.reset />} />
          <Route path="*" element={<NotFoundPage />} />

          <Route element={<RequireSession />}>
            <Route path={paths.unauthorized} element={<UnauthorizedPage />} />
            <Route element={<Shell />}>
              <Route element={<Screens />}>
                <Route path={paths.dashboard} element={<pages.dashboard />} />
                <Route
                  path={paths.buildingIssues}
                  element={
                    <RequirePermission
                      key={paths.buildingIssues}
                      allOf={['view_building_issues']}
                      text={messages.issues.accessDenied}
                    >
                      <pages.buildingIssues />
                    </RequirePermission>
                  }
                />
                <Route
                  element={
                    <RequirePermission key={paths.logbook} allOf={['view_logbook']}>
                      <Outlet />
                    </RequirePermission>
                  }
                >
                  <Route path={paths.logbook} element={<pages.logbook />} />
                  <Route path={paths.log} element={<LogRoute />} />
                </Route>
                <Route
                  path={paths.heldRecords}
                  element={
                    <RequirePermission key={paths.heldRecords} allOf={['manage_users']}>
                      <pages.heldRecords />
                    </RequirePermission>
                  }
                />
                <Route
                  path={paths.schedules}
                  element={
                    <RequirePermission key={paths.schedules} allOf={['edit_buildings']}>
                      <pages.schedules />
                    </RequirePermission>
                  }
                />
                <Route
                  path={paths.operativeTasks}
                  element={
                    <RequirePermission key={paths.operativeTasks} allOf={['view_operative_tasks']}>
                      <pages.operativeTasks />
                    </RequirePermission>
                  }
                />
                <Route
                  path={paths.operativeForm}
                  element={
                    <RequirePermission key={paths.operativeForm} allOf={['create_operative_tasks']}>
                      <CheckFormRoute />
                    </RequirePermission>
                  }
                />
                <Route
                  path={paths.locations}
                  element={
                    <RequirePermission key={paths.locations} allOf={['view_locations']}>
                      <pages.locations />
                    </RequirePermission>
                  }
                />
                <Route
                  path={paths.addLocation}
                  element={
                    <RequirePermission key={paths.addLocation} allOf={['create_locations']}>
                      <pages.addLocation />
                    </RequirePermission>
                  }
                />
                <Route
                  path={paths.addBuilding}
                  element={
                    <RequirePermission key={paths.addBuilding} allOf={['create_buildings']}>
                      <pages.addBuilding />
                    </RequirePermission>
                  }
                />
                <Route
                  element={
                    <RequirePermission key={paths.assets} allOf={['view_assets']}>
                      <Outlet />
                    </RequirePermission>
                  }
                >
                  <Route path={paths.assets} element={<pages.assets />} />
                  <Route path={paths.assetLabels} element={<pages.assetLabels />} />
                  <Route path={paths.asset} element={<pages.asset />} />
                </Route>
                <Route
                  path={paths.scan}
                  element={
                    <RequirePermission key={paths.scan} anyOf={['view_assets', 'create_operative_tasks']}>
                      <pages.scan />
                    </RequirePermission>
                  }
                />
                <Route path={paths.assetLink} element={<pages.assetLink />} />
                <Route path={paths.userManagement} element={<UsersRoute />} />
                <Route path={paths.account} element={<pages.account />} />
                <Route path={paths.sync} element={<pages.sync />} />
                <Route
                  path={paths.activity}
                  element={
                    <RequirePermission key={paths.activity} allOf={['manage_users']}>
                      <pages.activity />
                    </RequirePermission>
                  }
                />
                <Route
                  path={paths.import}
                  element={
                    <RequirePermission key={paths.import} allOf={['create_assets']}>
                      <pages.import />
                    </RequirePermission>
                  }
                />
              </Route>
            </Route>
          </Route>
        </Routes>
      </Suspense>
    </ScreenBoundary>
  );
}

/** A screen that is still on its way, or broke, leaves the header standing. */
function Screens() {
  return (
    <ScreenBoundary>
      <Suspense fallback={<FullPageSpinner />}>
        <Outlet />
      </Suspense>
    </ScreenBoundary>
  );
}

/** The form of what the address names: a check, or what else is written into a log. */
function CheckFormRoute() {
  const { slug = '' } = useParams();
  return <pages.operativeForm key={slug} slug={slug} notFound={<NotFoundPage />} />;
}

/** The log of the kind of check that the address names. */
function LogRoute() {
  const { slug = '' } = useParams();
  return <pages.log key={slug} slug={slug} notFound={<NotFoundPage />} />;
}

/** Open to everybody signed in while there is no administrator, and then to those who manage users. */
function UsersRoute() {
  const { me } = useSession();
  if (me?.setupMode === true) return <pages.userManagement />;
  return (
    <RequirePermission key={paths.userManagement} allOf={['manage_users']}>
      <pages.userManagement />
    </RequirePermission>
  );
}
