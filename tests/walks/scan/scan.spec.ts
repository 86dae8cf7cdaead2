import { mkdtempSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import encodeQR from 'qr';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { uuidv7 } from '#shared/ids.ts';
import { enterAs } from '#tests/support/browser/pages.ts';
import { createPhone } from '#tests/support/browser/phone.ts';
import { setUpWebSetting } from '#tests/support/browser/web-setting.ts';
import { createAsset } from '#tests/support/rows/checks.ts';
import { createBuilding, createPerson, type TestBuilding } from '#tests/support/rows/factories.ts';

/** The folder of the film that the camera plays. */
const folder = mkdtempSync(join(tmpdir(), 'lintel-scan-'));
afterAll(() => rm(folder, { recursive: true, force: true }));
const setting = setUpWebSetting();
let building: TestBuilding;

beforeAll(async () => {
  building = await createBuilding(setting.server.services, { name: 'Harbour House' });
});

describe('scanning a label', () => {
  test('opens the form of the next check of the asset, at its row', async () => {
    const { server } = setting;
    const operative = await createPerson(server.services, { role: 'operative', buildings: [building.id] });
    const make = (name: string) =>
      createAsset(server.services, {
        buildingId: building.id,
        name,
        type: 'emergency_light',
      });
    await make('Stair light');
    const light = await make('Exit sign');
    const video = join(folder, 'label.y4m');
    await writeFile(video, filmOf(`https://lintel.example.com/a/${light.id}`));
    const phone = await createPhone([
      '--use-fake-ui-for-media-stream',
      '--use-fake-device-for-media-stream',
      `--use-file-for-fake-video-capture=${video}`,
    ]);
    try {
      const page = await phone.open();
      await enterAs(page.context(), server, operative);
      await page.goto(`${server.url}/scan`);
      await page.waitForURL(
        ({ pathname, searchParams }) =>
          pathname === '/operative-tasks/emergency-lighting' &&
          searchParams.get('site') === building.id &&
          searchParams.get('asset') === light.id,
      );
      await expect
        .poll(() =>
          page.evaluate(() => document.activeElement?.closest('[data-row]')?.getAttribute('data-row')),
        )
        .toBe(light.id);
    } finally {
      await phone.discard();
    }
  });

  test('says so where the camera is not allowed, and of an asset that is not theirs', async () => {
    const { server } = setting;
    const operative = await createPerson(server.services, { role: 'operative', buildings: [building.id] });
    const page = await setting.open(operative, '/scan', { permissions: [] });
    await page.getByText("The camera can't be used").waitFor();
    await page.goto(`${server.url}/a/${uuidv7()}`);
    await page.getByText('Not on your list').waitFor();
  });
});

/** Returns a film of a single QR code with its quiet zone, as input of the fake camera. */
function filmOf(text: string): Buffer {
  const [width, height, scale] = [640, 480, 8];
  // Without the margin of the code, because the picture has its own.
  const modules = encodeQR(text, 'raw', { ecc: 'medium', border: 1 })
    .slice(1, -1)
    .map((row) => row.slice(1, -1));
  const left = Math.floor((width - modules.length * scale) / 2);
  const top = Math.floor((height - modules.length * scale) / 2);
  const light = Buffer.alloc(width * height, 235);
  for (let y = 0; y < modules.length * scale; y += 1) {
    for (let x = 0; x < modules.length * scale; x += 1) {
      const dark = modules[Math.floor(y / scale)]?.[Math.floor(x / scale)] === true;
      if (dark) light[(top + y) * width + left + x] = 16;
    }
  }
  const grey = Buffer.alloc((width * height) / 2, 128);
  const frame = Buffer.concat([Buffer.from('FRAME\n'), light, grey]);
  return Buffer.concat([
    Buffer.from(`YUV4MPEG2 W${width} H${height} F10:1 Ip A1:1 C420jpeg\n`),
    ...Array.from({ length: 10 }, () => frame),
  ]);
}
