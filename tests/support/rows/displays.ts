import { randomBytes } from 'node:crypto';
import { displayBuildings, displayCredentials, displays } from '#db/schema/displays.ts';
import { displayCookie } from '#server/adapters/auth/cookie.ts';
import { hashToken } from '#server/adapters/auth/tokens.ts';
import { isSecure } from '#server/adapters/network/origin.ts';
import type { Services } from '#server/kernel/context.ts';
import { DEFAULT_DISPLAY_SETTINGS } from '#shared/features/displays/display-settings.ts';
import type { Wall } from '#shared/features/displays/displays.ts';
import { wallOf } from '#shared/features/displays/wall-answer.ts';
import { uuidv7 } from '#shared/ids.ts';
import type { View } from '#shared/views.ts';
import { headersFor } from '../server/client.ts';
import { createPerson } from './factories.ts';

/** The address of a display's socket. */
export const DISPLAY_SOCKET = '/trpc?display=1';

export type TestDisplay = { id: string; token: string; cookie: string };

/**
 * Inserts a paired display.
 * @param values.buildings ids of the buildings that it shows; absent for all
 */
export async function createDisplay(
  services: Pick<Services, 'db' | 'clock' | 'env'>,
  values: { view?: View; buildings?: readonly string[]; name?: string } = {},
): Promise<TestDisplay> {
  const { db, clock, env } = services;
  const id = uuidv7();
  const createdAt = clock.now().toISOString();
  const { id: createdBy } = await createPerson(services, { role: 'admin' });
  await db.insert(displays).values({
    id,
    name: values.name ?? 'Reception',
    view: values.view ?? 'manager',
    allBuildings: values.buildings === undefined,
    settings: DEFAULT_DISPLAY_SETTINGS,
    createdAt,
    createdBy,
  });
  const shown = (values.buildings ?? []).map((buildingId) => ({ displayId: id, buildingId }));
  if (shown.length > 0) await db.insert(displayBuildings).values(shown);
  const token = randomBytes(32).toString('base64url');
  await db.insert(displayCredentials).values({ displayId: id, hash: hashToken(token), createdAt });
  return { id, token, cookie: `${displayCookie(isSecure(env)).name}=${token}` };
}

/** The headers of a call from the page of a display. */
export function displayHeaders(url: string, { cookie }: Pick<TestDisplay, 'cookie'>): Record<string, string> {
  return { ...headersFor(url, cookie), 'x-display': '1' };
}

/** The first answer that a display fetches: its view, as text and as data. */
export async function fetchWall(url: string, display: TestDisplay): Promise<{ text: string; data: Wall }> {
  const response = await fetch(`${url}/trpc/displays.wall`, { headers: displayHeaders(url, display) });
  const text = await response.text();
  return { text, data: wallOf(JSON.parse(text).result.data.data) };
}
