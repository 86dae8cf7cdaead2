import type { Page } from 'playwright-core';

export type Account = 'admin' | 'manager' | 'operative' | 'viewer';
/** One screen, and how to get there. */
export type Shot = {
  name: string;
  path: string;
  /** What to do before the picture is taken. */
  act?: (page: Page) => Promise<void>;
  /** Not on a phone, which shows one column at a time. */
  wide?: boolean;
  /** Only on a phone. */
  phone?: boolean;
  /** What to do before the page is opened. */
  prepare?: (page: Page) => Promise<unknown>;
  /** What stands on the screen when it is ready, where it goes on loading or the network is gone. */
  until?: (page: Page) => Promise<void>;
};

/** The filters of a list, which a phone folds away. */
export function expandFilters(name: string, path: string): Shot {
  const act = (page: Page) => page.getByRole('button', { name: /^Filters/ }).click();
  return { name, path, act, phone: true };
}
