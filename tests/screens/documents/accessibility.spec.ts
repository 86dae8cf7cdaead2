import { documentsScreens } from '#tests/support/accessibility/documents-screens.ts';
import { testAccessibility } from '#tests/support/accessibility/sweep.ts';

testAccessibility(documentsScreens);
