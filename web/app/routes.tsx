import { Suspense } from 'react';
import { Outlet, Route, Routes, useParams } from 'react-router-dom';
import { kindOfSlug } from '#shared/features/checks/kinds.words.ts';
import { messages } from '#shared/messages.ts';
import { useSession } from '../features/session/session-context.ts';
import { lazyScreen } from '../lib/lazy-screen.tsx';
import { FullPageSpinner } from '../ui/full-page-spinner.tsx';
import { RequirePermission, RequireSession } from './guards.tsx';
import LandingPage from './pages/landing.tsx';
import NotFoundPage from './pages/not-found.tsx';
import UnauthorizedPage from './pages/unauthorized.tsx';
import { paths, toOwnPath } from './paths.ts';
import { ScreenBoundary } from './screen-boundary.tsx';

const Shell = lazyScreen(() => import('./shell.tsx'));
/** Each page that is fetched when it is opened. */
const pages = {
  [paths.signIn]: lazyScreen(() => import('../features/session/sign-in-page.tsx')),
  [paths.setup]: lazyScreen(() => import('./pages/setup.tsx')),
  [paths.dashboard]: lazyScreen(() => import('./pages/dashboard/dashboard-page.tsx')),
  [paths.buildingIssues]: lazyScreen(() => import('../features/issues/issues-page.tsx')),
  [paths.logbook]: lazyScreen(() => import('../features/checks/log/logbook-page.tsx')),
  [paths.operativeTasks]: lazyScreen(() => import('../features/checks/operative-tasks-page.tsx')),
  [paths.locations]: lazyScreen(() => import('../features/locations/locations-page.tsx')),
  [paths.addLocation]: lazyScreen(() => import('../features/locations/add-location-page.tsx')),
  [paths.addBuilding]: lazyScreen(() => import('../features/locations/add-building-page.tsx')),
  [paths.account]: lazyScreen(() => import('../features/users/account-page.tsx')),
  [paths.forgot]: lazyScreen(() => import('../features/session/forgot-page.tsx')),
  [paths.assets]: lazyScreen(() => import('../features/assets/assets-page.tsx')),
  [paths.assetLabels]: lazyScreen(() => import('../features/assets/asset-labels-page.tsx')),
  [paths.asset]: lazyScreen(() => import('../features/assets/asset-page.tsx')),
  [paths.userManagement]: lazyScreen(() => import('../features/users/users-page.tsx')),
  [paths.activity]: lazyScreen(() => import('../features/activity/activity-page.tsx')),
  [paths.import]: lazyScreen(() => import('../features/imports/import-page.tsx')),
  [paths.sync]: lazyScreen(() => import('../features/sync/sync-page.tsx')),
};
const SignInPage = pages[paths.signIn];
const SetupPage = pages[paths.setup];
const DashboardPage = pages[paths.dashboard];
const IssuesPage = pages[paths.buildingIssues];
const LogbookPage = pages[paths.logbook];
const OperativeTasksPage = pages[paths.operativeTasks];
const CheckFormPage = lazyScreen(() => import('../features/checks/check-form-page.tsx'));
const AssetLink = lazyScreen(() => import('./pages/asset-link.tsx'));
const ScanPage = lazyScreen(() => import('../features/scan/scan-page.tsx'));
const LogPage = lazyScreen(() => import('../features/checks/log/log-page.tsx'));
const LocationsPage = pages[paths.locations];
const AddLocationPage = pages[paths.addLocation];
const AddBuildingPage = pages[paths.addBuilding];
const AccountPage = pages[paths.account];
const ForgotPage = pages[paths.forgot];
/** Behind an address that nobody else knows: nothing to fetch before it. */
const LinkPage = lazyScreen(() => import('../features/session/link-page.tsx'));
const AssetsPage = pages[paths.assets];
const AssetLabelsPage = pages[paths.assetLabels];
const AssetPage = pages[paths.asset];
const UsersPage = pages[paths.userManagement];
const ActivityPage = pages[paths.activity];
const ImportPage = pages[paths.import];
const SyncPage = pages[paths.sync];

/** Begins to fetch a page's code while the session is still being asked for: one round trip less to the first sight. */
export function preloadPage(pathname: string): void {
  const page = Object.entries(pages).find(([path]) => path === pathname)?.[1];
  page?.preload();
  if (page !== undefined && !PUBLIC_PATHS.includes(pathname)) Shell.preload();
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
          <Route path={paths.signIn} element={<SignInPage toOwnPath={toOwnPath} />} />
          <Route path={paths.setup} element={<SetupPage />} />
          <Route path={paths.invite} element={<LinkPage />} />
          <Route path={paths.forgot} element={<ForgotPage />} />
          <Route path={paths.reset} element={<LinkPage />} />
          <Route path="*" element={<NotFoundPage />} />

          <Route element={<RequireSession />}>
            <Route path={paths.unauthorized} element={<UnauthorizedPage />} />
            <Route element={<Shell />}>
              <Route element={<Screens />}>
                <Route path={paths.dashboard} element={<DashboardPage />} />
                <Route
                  path={paths.buildingIssues}
                  element={
                    <RequirePermission
                      key={paths.buildingIssues}
                      allOf={['view_building_issues']}
                      text={messages.issues.accessDenied}
                    >
                      <IssuesPage />
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
                  <Route path={paths.logbook} element={<LogbookPage />} />
                  <Route path={paths.log} element={<LogRoute />} />
                </Route>
                <Route
                  path={paths.operativeTasks}
                  element={
                    <RequirePermission key={paths.operativeTasks} allOf={['view_operative_tasks']}>
                      <OperativeTasksPage />
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
                      <LocationsPage />
                    </RequirePermission>
                  }
                />
                <Route
                  path={paths.addLocation}
                  element={
                    <RequirePermission key={paths.addLocation} allOf={['create_locations']}>
                      <AddLocationPage />
                    </RequirePermission>
                  }
                />
                <Route
                  path={paths.addBuilding}
                  element={
                    <RequirePermission key={paths.addBuilding} allOf={['create_buildings']}>
                      <AddBuildingPage />
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
                  <Route path={paths.assets} element={<AssetsPage />} />
                  <Route path={paths.assetLabels} element={<AssetLabelsPage />} />
                  <Route path={paths.asset} element={<AssetPage />} />
                </Route>
                <Route
                  path={paths.scan}
                  element={
                    <RequirePermission key={paths.scan} anyOf={['view_assets', 'create_operative_tasks']}>
                      <ScanPage />
                    </RequirePermission>
                  }
                />
                <Route path={paths.assetLink} element={<AssetLink />} />
                <Route path={paths.userManagement} element={<UsersRoute />} />
                <Route path={paths.account} element={<AccountPage />} />
                <Route path={paths.sync} element={<SyncPage />} />
                <Route
                  path={paths.activity}
                  element={
                    <RequirePermission key={paths.activity} allOf={['manage_users']}>
                      <ActivityPage />
                    </RequirePermission>
                  }
                />
                <Route
                  path={paths.import}
                  element={
                    <RequirePermission key={paths.import} allOf={['create_assets']}>
                      <ImportPage />
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

/** The form of the kind of check that the address names. */
function CheckFormRoute() {
  const { slug = '' } = useParams();
  const kind = kindOfSlug(slug);
  return kind === undefined ? <NotFoundPage /> : <CheckFormPage key={kind} kind={kind} />;
}

/** The log of the kind of check that the address names. */
function LogRoute() {
  const { slug = '' } = useParams();
  const kind = kindOfSlug(slug);
  return kind === undefined ? <NotFoundPage /> : <LogPage key={kind} kind={kind} />;
}

/** Open to everybody signed in while there is no administrator, and then to those who manage users. */
function UsersRoute() {
  const { me } = useSession();
  if (me?.setupMode === true) return <UsersPage />;
  return (
    <RequirePermission key={paths.userManagement} allOf={['manage_users']}>
      <UsersPage />
    </RequirePermission>
  );
}
