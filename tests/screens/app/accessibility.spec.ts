import { appScreens } from '#tests/support/accessibility/app-screens.ts';
import { testAccessibility } from '#tests/support/accessibility/sweep.ts';

testAccessibility(appScreens);
