import type { Page } from 'playwright-core';
import { uuidv7 } from '#shared/ids.ts';

export const NOBODYS_ID = '018f0000-0000-7000-8000-00000000dead';
export const ASSET_ID = uuidv7();
export const TASK_ID = uuidv7();
/** Placeholder in an address for the id of Harbour House. */
export const HERE = '{building}';

/** A screen under test: its address and role, the heading that shows it has loaded, and an action. */
export type Screen = {
  path: string;
  who: 'visitor' | 'admin' | 'manager' | 'operative' | 'viewer';
  heading: string | RegExp;
  /** Runs before the scan. */
  act?: (page: Page) => Promise<unknown>;
  /** Runs after the window has got the size of a phone, for screens that lose the state of the desktop. */
  actOnPhone?: (page: Page) => Promise<unknown>;
};
/** Screens by the name that a failing test shows. */
export type Screens = Readonly<Record<string, Screen>>;
