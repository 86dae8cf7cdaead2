import { pages } from '#web/app/pages.ts';
import { appScreens } from './app-screens.ts';
import { assetsScreens } from './assets-screens.ts';
import { checksScreens } from './checks-screens.ts';
import { documentsScreens } from './documents-screens.ts';
import { issuesScreens } from './issues-screens.ts';
import type { Screen, Screens } from './screen.ts';
import { tasksScreens } from './tasks-screens.ts';
import { usersScreens } from './users-screens.ts';

const screens = {
  app: appScreens,
  assets: assetsScreens,
  checks: checksScreens,
  documents: documentsScreens,
  issues: issuesScreens,
  tasks: tasksScreens,
  users: usersScreens,
} satisfies Record<string, Screens>;

/**
 * The screens that `tests/screens/<area>/accessibility.spec.ts` scans, by area. `app` also contains the pages that no
 * area names, as an administrator or a visitor first sees them.
 */
export const everyScreen = { ...screens, app: { ...screens.app, ...remainingPages() } };

function remainingPages(): Screens {
  const named = new Set(
    Object.values<Screens>(screens).flatMap((area) =>
      Object.values(area).map(({ path }) => path.split('?')[0]),
    ),
  );
  return Object.fromEntries(
    Object.entries(pages)
      .filter(([, { path }]) => !named.has(path) && !/[:*]/.test(path))
      .map(([name, { path, access, title }]): [string, Screen] => [
        name,
        { path, who: access === 'public' ? 'visitor' : 'admin', heading: title ?? '' },
      ]),
  );
}
