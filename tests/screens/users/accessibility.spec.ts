import { testAccessibility } from '#tests/support/accessibility/sweep.ts';
import { usersScreens } from '#tests/support/accessibility/users-screens.ts';

testAccessibility(usersScreens);
