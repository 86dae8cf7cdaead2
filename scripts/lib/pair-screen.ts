import type { APIRequestContext } from 'playwright-core';
import { DEFAULT_DISPLAY_SETTINGS } from '#shared/features/displays/display-settings.ts';
import { uuidv7 } from '#shared/ids.ts';

/** The sender of requests: the cookies of a window's context, and the server's own address. */
type Caller = { request: APIRequestContext; origin: string };

/**
 * Pairs the screen that shows a code, as a display of all buildings.
 * @param desk an administrator
 */
export async function pairScreen(desk: Caller, code: string, name: string): Promise<void> {
  await post(desk, 'displays.pair', {
    operationId: uuidv7(),
    id: uuidv7(),
    code,
    name,
    view: 'manager',
    allBuildings: true,
    buildingIds: [],
    settings: DEFAULT_DISPLAY_SETTINGS,
  });
}

/** Asks for a code, as an unpaired screen does. */
export async function requestCode(screen: Caller): Promise<string> {
  const { code } = await post<{ code: string }>(screen, 'displays.requestCode', {
    width: 1920,
    height: 1080,
  });
  return code;
}

async function post<Data>({ request, origin }: Caller, path: string, data: object): Promise<Data> {
  const answer = await request.post(`${origin}/trpc/${path}`, { headers: { 'x-app': '1', origin }, data });
  if (!answer.ok()) throw new Error(`${path}: ${await answer.text()}`);
  return (await answer.json()).result.data;
}
