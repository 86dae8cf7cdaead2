import { appScreens } from './app-screens.ts';
import { assetsScreens } from './assets-screens.ts';
import { checksScreens } from './checks-screens.ts';
import { documentsScreens } from './documents-screens.ts';
import { issuesScreens } from './issues-screens.ts';
import type { Screens } from './screen.ts';
import { tasksScreens } from './tasks-screens.ts';
import { usersScreens } from './users-screens.ts';

/** The screens that `tests/screens/<area>/accessibility.spec.ts` looks at, by area. */
export const everyScreen = {
  app: appScreens,
  assets: assetsScreens,
  checks: checksScreens,
  documents: documentsScreens,
  issues: issuesScreens,
  tasks: tasksScreens,
  users: usersScreens,
} satisfies Record<string, Screens>;
