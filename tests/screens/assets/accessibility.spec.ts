import { assetsScreens } from '#tests/support/accessibility/assets-screens.ts';
import { testAccessibility } from '#tests/support/accessibility/sweep.ts';

testAccessibility(assetsScreens);
