import { checksScreens } from '#tests/support/accessibility/checks-screens.ts';
import { testAccessibility } from '#tests/support/accessibility/sweep.ts';

testAccessibility(checksScreens);
