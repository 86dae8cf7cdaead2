import { type ComponentType, Suspense } from 'react';
import { Outlet, Route, Routes } from 'react-router-dom';
import { readSessionRecord } from '../features/session/session-record.ts';
import { lazyScreen } from '../lib/lazy-screen.tsx';
import { PageTitleProvider } from '../lib/page-title.tsx';
import { FullPageSpinner } from '../ui/feedback/full-page-spinner.tsx';
import { PageGuard, RequireSession } from './guards.tsx';
import { lazyOffline } from './offline/lazy-offline.ts';
import { type LazyPageName, lazyPageNames, pageAt, pageCode, shellCode } from './page-code.ts';
import LandingPage from './pages/landing.tsx';
import NotFoundPage from './pages/not-found.tsx';
import UnauthorizedPage from './pages/unauthorized.tsx';
import { type Page, type PageName, pageNames, pageOf } from './pages.ts';
import { ScreenBoundary } from './screen-boundary.tsx';
import { useFetchAhead } from './use-fetch-ahead.ts';

const Shell = lazyScreen(shellCode);
const lazyPages = Object.fromEntries(
  lazyPageNames.map((name) => [name, lazyScreen<object>(pageCode[name])]),
) as Record<LazyPageName, ReturnType<typeof lazyScreen<object>>>; // The cast: Object.fromEntries loses the names.
/** Pages whose code is part of the main bundle. */
const startPages = {
  home: LandingPage,
  notFound: NotFoundPage,
  unauthorized: UnauthorizedPage,
} satisfies Record<Exclude<PageName, LazyPageName>, ComponentType>;
const screens: Readonly<Record<PageName, ComponentType>> = { ...lazyPages, ...startPages };

/**
 * Loads the code of the page at an address before the first render. Never rejects: a failure occurs again at the render
 * and is shown there.
 */
export async function preloadPage(pathname: string): Promise<void> {
  const name = pageAt(pathname);
  if (name === undefined) return;
  const { bare, worksOffline } = pageOf(name);
  await Promise.allSettled([
    lazyPages[name].preload(),
    bare ? undefined : Shell.preload(),
    // Loaded here too: a page that suspends while rendering would show a spinner, which React keeps for at least 300 ms.
    worksOffline === true && readSessionRecord() !== undefined ? lazyOffline.load() : undefined,
  ]);
}

/** The routes of all pages in the registry (`pages.ts`), each behind its guard. */
export function AppRoutes() {
  useFetchAhead();
  return (
    <ScreenBoundary>
      <Suspense fallback={<FullPageSpinner />}>
        <Routes>
          {routesOf(({ access }) => access === 'public')}
          <Route element={<RequireSession />}>
            {routesOf(({ access, bare }) => access !== 'public' && bare === true)}
            <Route element={<Shell />}>
              <Route element={<Screens />}>
                {routesOf(({ access, bare }) => access !== 'public' && !bare)}
              </Route>
            </Route>
          </Route>
        </Routes>
      </Suspense>
    </ScreenBoundary>
  );
}

function routesOf(belongs: (page: Page) => boolean) {
  return pageNames
    .filter((name) => belongs(pageOf(name)))
    .map((name) => (
      // The second key mounts a new guard for each page.
      <Route key={name} path={pageOf(name).path} element={<PageRoute key={name} name={name} />} />
    ));
}

function PageRoute({ name }: { name: PageName }) {
  const page = pageOf(name);
  const Screen = screens[name];
  return (
    <PageTitleProvider title={page.title}>
      <PageGuard page={page}>
        <Screen />
      </PageGuard>
    </PageTitleProvider>
  );
}

/** The header stays while a screen loads or has failed. */
function Screens() {
  return (
    <ScreenBoundary>
      <Suspense fallback={<FullPageSpinner />}>
        <Outlet />
      </Suspense>
    </ScreenBoundary>
  );
}
