import { testAccessibility } from '#tests/support/accessibility/sweep.ts';
import { tasksScreens } from '#tests/support/accessibility/tasks-screens.ts';

testAccessibility(tasksScreens);
