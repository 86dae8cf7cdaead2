import { issuesScreens } from '#tests/support/accessibility/issues-screens.ts';
import { testAccessibility } from '#tests/support/accessibility/sweep.ts';

testAccessibility(issuesScreens);
