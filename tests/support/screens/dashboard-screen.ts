import type { Locator, Page } from 'playwright-core';
import { pulseMessages } from '#shared/features/pulse/pulse-messages.ts';
import type { WebSetting } from '../browser/web-setting.ts';
import { reportIssues } from './issues-screen.ts';
import type { TasksSite } from './tasks-site.ts';

/** The card that links from the dashboard to a page. */
export const pageCard = (page: Page, title: string): Locator =>
  page.getByRole('main').getByRole('link').filter({ hasText: title });

/** The charts below the cards. */
export const panel = (page: Page): Locator => page.getByRole('region', { name: pulseMessages.panel });

/** Reports an issue as the manager of a site. */
export const reportAt = (
  { server }: WebSetting,
  { manager, site }: TasksSite,
  priority: 'low' | 'critical',
): Promise<string[]> => reportIssues(server, manager, site, [{ title: 'Lift 2 stuck', priority }]);
