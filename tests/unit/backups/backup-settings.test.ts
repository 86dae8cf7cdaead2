import { generateIdentity, identityToRecipient } from 'age-encryption';
import { expect, test } from 'vitest';
import { assertBackupSettings } from '#server/features/backups/backup-settings.ts';
import { readEnv } from '#server/kernel/env.ts';

const env = { ...readEnv({}), dataDir: '/var/lib/lintel' };

test('takes settings that backups can be made with, and none', async () => {
  await assertBackupSettings(env);
  const backupEncryptTo = await identityToRecipient(await generateIdentity());
  await assertBackupSettings({ ...env, backupTo: '/mnt/backup', backupEncryptTo });
});

test('refuses at the start what would only fail with the first backup', async () => {
  const recipient = await identityToRecipient(await generateIdentity());
  // One letter is wrong, which the checksum reveals.
  const mistyped = `${recipient.slice(0, -1)}${recipient.endsWith('q') ? 'p' : 'q'}`;
  const refused = [
    [
      { backupTo: '/var/lib/lintel/files' },
      'BACKUP_TO cannot be used: /var/lib/lintel/files is inside DATA_DIR',
    ],
    [{ backupEncryptTo: mistyped }, 'BACKUP_ENCRYPT_TO cannot be used'],
  ] as const;
  for (const [settings, sentence] of refused) {
    await expect(assertBackupSettings({ ...env, ...settings })).rejects.toThrow(sentence);
  }
});
