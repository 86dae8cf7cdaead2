import type { LucideIcon } from 'lucide-react';
import { createElement } from 'react';

/** Creates the icon of a choice in a form. */
export const choiceIcon = (icon: LucideIcon) => createElement(icon, { size: 18, 'aria-hidden': true });
