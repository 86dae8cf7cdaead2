import type { Page } from 'playwright-core';

export type Account = 'admin' | 'manager' | 'operative' | 'viewer';
/** A screenshot of one screen, and how to get there. */
export type Shot = {
  name: string;
  path: string;
  /** Steps before the picture is taken. */
  act?: (page: Page) => Promise<void>;
  /** Not taken on a phone, which shows one column at a time; or only from this width on, px. */
  wide?: boolean | number;
  /** Taken on a phone only. */
  phone?: boolean;
  /** Steps before the page is opened. */
  prepare?: (page: Page) => Promise<unknown>;
  /** Waits until the screen is ready, where it never stops loading or the network is off. */
  until?: (page: Page) => Promise<void>;
};

/** The filters of a list, which a phone folds away. */
export function expandFilters(name: string, path: string): Shot {
  const act = (page: Page) => page.getByRole('button', { name: /^Filters/ }).click();
  return { name, path, act, phone: true };
}
