import { generateKeyPairSync } from 'node:crypto';
import { beforeAll, expect, test } from 'vitest';
import { publicKeyOf } from '#server/adapters/signing-key.ts';
import { recordRun } from '#server/features/backups/backup-runs.ts';
import { HOUR_MS } from '#shared/dates.ts';
import { healthMessages } from '#shared/features/health/health-messages.ts';
import { setUpWebSetting } from '#tests/support/browser/web-setting.ts';
import { createPerson, type TestPerson } from '#tests/support/rows/factories.ts';

// The Health and Backups cards of Settings.

const { privateKey } = generateKeyPairSync('ed25519');
const backupSigningKey = privateKey.export({ type: 'pkcs8', format: 'der' }).toString('base64');

const setting = setUpWebSetting();
let admin: TestPerson;

beforeAll(async () => {
  admin = await createPerson(setting.server.services, { role: 'admin' });
});

/** Records a run of this number of hours ago. */
function run(kind: 'backup' | 'verification', hoursAgo: number, problem: string | null = null) {
  const startedAt = new Date(Date.now() - hoursAgo * HOUR_MS);
  return recordRun(setting.server.services.db, {
    kind,
    repository: '/mnt/backup/lintel',
    startedAt: startedAt.toISOString(),
    endedAt: new Date(startedAt.getTime() + 12_000).toISOString(),
    backupId: problem === null ? '20261127T013000Z-5624d29a' : null,
    rows: 12_345,
    files: 1,
    bytes: 2 * 1024 ** 2,
    problem,
  });
}

test('says how the installation is, and what to do about what is wrong', async () => {
  const page = await setting.open(admin, '/settings');
  await page.getByText(healthMessages.oneAdministrator.title).waitFor();
  await page.getByText('Postgres ').waitFor();
  await createPerson(setting.server.services, { role: 'admin' });
  await page.reload();
  await page.getByText(healthMessages.well).waitFor();
});

test('says what to set while no backups are made, then how they are made, and what is wrong on every page', async () => {
  const page = await setting.open(admin, '/settings');
  await page.getByText('Scheduled backups are off.').waitFor();
  await page.getByText('npm run admin -- backup-key').waitFor();

  Object.assign(setting.server.services.env, { backupTo: '/mnt/backup/lintel', backupSigningKey });
  await page.reload();
  await page.getByText('The first backup is being made.').waitFor();
  await page.getByText(publicKeyOf(privateKey)).waitFor();

  await run('backup', 3);
  await run('verification', 2);
  await page.reload();
  await page.getByText('Backups are made daily and verified weekly.').waitFor();
  await page.getByText(', with 12,345 rows and 1 file (2 MB)').first().waitFor();

  await run('backup', 1, 'The backup repository is full.');
  await page.reload();
  const sentence = 'The last backup failed: The backup repository is full.';
  await expect.poll(() => page.getByText(sentence).count()).toBe(2);
  await page.goto(new URL('/dashboard', page.url()).href);
  await page.getByText(sentence).waitFor();
});
