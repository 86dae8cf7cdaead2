import { type ComponentType, Suspense } from 'react';
import { Outlet, Route, Routes } from 'react-router-dom';
import { readSessionRecord } from '../features/session/session-record.ts';
import { lazyScreen } from '../lib/lazy-screen.tsx';
import { PageTitleProvider } from '../lib/page-title.tsx';
import { FullPageSpinner } from '../ui/full-page-spinner.tsx';
import { PageGuard, RequireSession } from './guards.tsx';
import { lazyOffline } from './lazy-offline.ts';
import { type LazyPageName, lazyPageNames, pageAt, pageCode, shellCode } from './page-code.ts';
import LandingPage from './pages/landing.tsx';
import NotFoundPage from './pages/not-found.tsx';
import UnauthorizedPage from './pages/unauthorized.tsx';
import { type Page, type PageName, pageNames, pageOf } from './pages.ts';
import { ScreenBoundary } from './screen-boundary.tsx';

const Shell = lazyScreen(shellCode);
const lazyPages = Object.fromEntries(
  lazyPageNames.map((name) => [name, lazyScreen<object>(pageCode[name])]),
) as Record<LazyPageName, ReturnType<typeof lazyScreen<object>>>; // Object.fromEntries forgets the names.
/** They come with the start. */
const startPages = {
  home: LandingPage,
  notFound: NotFoundPage,
  unauthorized: UnauthorizedPage,
} satisfies Record<Exclude<PageName, LazyPageName>, ComponentType>;
const screens: Readonly<Record<PageName, ComponentType>> = { ...lazyPages, ...startPages };

/**
 * Makes ready the page at an address, whose code is on its way already, so that it is drawn at once. Never rejects:
 * what fails here fails again, and is told, when it is drawn.
 */
export async function preloadPage(pathname: string): Promise<void> {
  const name = pageAt(pathname);
  if (name === undefined) return;
  const { frame, worksOffline } = pageOf(name);
  await Promise.allSettled([
    lazyPages[name].preload(),
    frame === 'shell' ? Shell.preload() : undefined,
    // A page that had to wait for it in the middle of drawing would show a wait, which React keeps up for 300 ms.
    worksOffline === true && readSessionRecord() !== undefined ? lazyOffline.load() : undefined,
  ]);
}

/** The pages of the registry (`pages.ts`), each behind its guard. */
export function AppRoutes() {
  return (
    <ScreenBoundary>
      <Suspense fallback={<FullPageSpinner />}>
        <Routes>
          {routesOf(({ access }) => access === 'public')}
          <Route element={<RequireSession />}>
            {routesOf(({ access, frame }) => access !== 'public' && frame === 'bare')}
            <Route element={<Shell />}>
              <Route element={<Screens />}>
                {routesOf(({ access, frame }) => access !== 'public' && frame === 'shell')}
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
      // The second key: the guard of one page is not that of the next.
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
