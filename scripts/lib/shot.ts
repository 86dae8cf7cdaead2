import type { Page } from 'playwright-core';

export type Account = 'admin' | 'manager' | 'operative' | 'viewer';
/** A screenshot of one screen, and the steps to reach it. */
export type Shot = {
  name: string;
  path: string;
  /** Steps before the picture is taken. */
  act?: (page: Page) => Promise<void>;
  /** True: not taken on a phone, which shows only one column at a time. A number: taken only from this width on, in px. */
  wide?: boolean | number;
  /** Taken on a phone only. */
  phone?: boolean;
  /** Steps before the page is opened. */
  prepare?: (page: Page) => Promise<unknown>;
  /** Waits until the screen is ready; for screens that never stop loading, and for screens without a network. */
  until?: (page: Page) => Promise<void>;
};

/** A picture of a list's filters on a phone, where they are folded and must be expanded. */
export function expandFilters(name: string, path: string): Shot {
  const act = (page: Page) => page.getByRole('button', { name: /^Filters/ }).click();
  return { name, path, act, phone: true };
}
