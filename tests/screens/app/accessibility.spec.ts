import { everyScreen } from '#tests/support/accessibility/every-screen.ts';
import { testAccessibility } from '#tests/support/accessibility/sweep.ts';

testAccessibility(everyScreen.app);
