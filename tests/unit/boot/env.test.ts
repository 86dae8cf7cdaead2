import { generateKeyPairSync } from 'node:crypto';
import { resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readEnv } from '#server/kernel/env.ts';

const SIGNING_KEY = generateKeyPairSync('ed25519')
  .privateKey.export({ type: 'pkcs8', format: 'der' })
  .toString('base64');
/** A key of another kind. */
const RSA_KEY = generateKeyPairSync('rsa', { modulusLength: 2048 })
  .privateKey.export({ type: 'pkcs8', format: 'der' })
  .toString('base64');
const RECIPIENT = `age1${'q'.repeat(58)}`;

/** The error message for a configuration; empty if there is none. */
function complaint(source: NodeJS.ProcessEnv): string {
  try {
    readEnv(source);
    return '';
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

describe('the configuration', () => {
  test('is complete with nothing set', () => {
    expect(readEnv({})).toEqual({
      port: 3000,
      host: '127.0.0.1',
      webhookNetworks: [],
      trustedProxies: [],
      dataDir: resolve('.data'),
      sampleData: false,
      logLevel: 'info',
      allowInsecureHttp: false,
      logsUnderRebuild: [],
      optionalChecks: [],
      demo: false,
      fileStore: 'disk',
      backupAt: '01:30',
    });
  });

  test('takes an empty setting for one that is not set', () => {
    expect(readEnv({ DATABASE_URL: '', PORT: '', SAMPLE_DATA: '' })).toEqual(readEnv({}));
  });

  test('reads every setting', () => {
    const s3Access = {
      endpoint: 'https://s3.example.com',
      region: 'eu-west-2',
      accessKeyId: 'key',
      secretAccessKey: 'secret',
    };
    expect(
      readEnv({
        DATABASE_URL: 'postgres://app:secret@db:5432/lintel',
        MIGRATION_DATABASE_URL: 'postgresql://owner:secret@db/lintel',
        PORT: '8080',
        HOST: '0.0.0.0',
        PUBLIC_URL: 'https://lintel.example.com/',
        TRUSTED_PROXIES: '192.0.2.10, 2001:db8:1::/64,uniquelocal',
        DATA_DIR: '/var/lib/lintel',
        SAMPLE_DATA: '1',
        LOG_LEVEL: 'warn',
        ALLOW_INSECURE_HTTP: '0',
        LOGS_UNDER_REBUILD: 'emergency-lighting, outlet-flushing',
        LINTEL_DEMO: '1',
        FILE_STORE: 's3',
        S3_ENDPOINT: 'https://s3.example.com',
        S3_BUCKET: 'building-documents',
        S3_REGION: 'eu-west-2',
        S3_ACCESS_KEY_ID: 'key',
        S3_SECRET_ACCESS_KEY: 'secret',
        BACKUP_TO: 's3://lintel-backups',
        BACKUP_AT: '23:05',
        BACKUP_SIGNING_KEY: SIGNING_KEY,
        BACKUP_ENCRYPT_TO: RECIPIENT,
        UPLOAD_MAX_BYTES: '5000000000',
        WEBHOOK_NETWORKS: '10.0.5.20, 192.168.7.0/24',
        OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318/',
      }),
    ).toEqual({
      databaseUrl: 'postgres://app:secret@db:5432/lintel',
      migrationDatabaseUrl: 'postgresql://owner:secret@db/lintel',
      port: 8080,
      host: '0.0.0.0',
      publicUrl: 'https://lintel.example.com',
      trustedProxies: ['192.0.2.10', '2001:db8:1::/64', 'uniquelocal'],
      dataDir: '/var/lib/lintel',
      sampleData: true,
      logLevel: 'warn',
      allowInsecureHttp: false,
      logsUnderRebuild: ['emergency_lighting_test', 'outlet_flushing'],
      optionalChecks: [],
      demo: true,
      fileStore: 's3',
      s3Access,
      s3: { ...s3Access, bucket: 'building-documents' },
      backupTo: 's3://lintel-backups',
      backupAt: '23:05',
      backupSigningKey: SIGNING_KEY,
      backupEncryptTo: RECIPIENT,
      uploadMaxBytes: 5_000_000_000,
      webhookNetworks: ['10.0.5.20', '192.168.7.0/24'],
      otlpEndpoint: 'http://collector:4318',
    });
  });

  test('takes mail only with the address that its links lead to, and one that it comes from', () => {
    const SMTP_URL = 'smtp://user:hidden-secret@mail.example.com:587';
    const said = complaint({ SMTP_URL });
    expect(said).toContain('PUBLIC_URL is not set');
    expect(said).toContain('MAIL_FROM is not set');
    expect(said).not.toContain('hidden-secret');
    const MAIL_FROM = 'Lintel <lintel@example.com>';
    expect(readEnv({ SMTP_URL, MAIL_FROM, PUBLIC_URL: 'https://lintel.example.com' }).mail).toEqual({
      smtpUrl: SMTP_URL,
      from: MAIL_FROM,
    });
    expect(complaint({ SMTP_URL: 'http://hidden-secret' })).not.toContain('hidden-secret');
  });

  test('takes backups only with the key that signs them, and shows no part of it', () => {
    const wanting = complaint({ BACKUP_TO: '/mnt/backup' });
    expect(wanting).toContain('BACKUP_SIGNING_KEY is not set');
    expect(wanting).toContain('because BACKUP_TO is set');
    for (const key of ['hidden', RSA_KEY, SIGNING_KEY.slice(0, 40)]) {
      const said = complaint({ BACKUP_TO: '/mnt/backup', BACKUP_SIGNING_KEY: key });
      expect(said).toContain('BACKUP_SIGNING_KEY is set');
      expect(said).not.toContain(key);
    }
    expect(complaint({ BACKUP_AT: '24:00' })).toContain('BACKUP_AT is "24:00"');
    expect(complaint({ BACKUP_ENCRYPT_TO: 'AGE-SECRET-KEY-1Q' })).toContain('BACKUP_ENCRYPT_TO is');
  });

  test('takes a bucket for backups without one for files', () => {
    const BACKUP = { BACKUP_TO: 's3://lintel-backups', BACKUP_SIGNING_KEY: SIGNING_KEY };
    const said = complaint(BACKUP);
    for (const name of ['S3_ENDPOINT', 'S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY']) {
      expect(said).toContain(`${name} is not set`);
    }
    expect(said).not.toContain('S3_BUCKET');
    const S3 = {
      S3_ENDPOINT: 'https://s3.example.com',
      S3_ACCESS_KEY_ID: 'key',
      S3_SECRET_ACCESS_KEY: 'secret',
    };
    const env = readEnv({ ...BACKUP, ...S3 });
    expect(env.s3).toBeUndefined();
    expect(env.s3Access).toMatchObject({ endpoint: 'https://s3.example.com', accessKeyId: 'key' });
    expect(complaint(S3)).toContain('S3_BUCKET is not set');
  });

  test('reports everything that is wrong at once, each with what was expected and an example', () => {
    const message = complaint({
      PORT: 'eighty',
      LOG_LEVEL: 'loud',
      SAMPLE_DATA: 'yes',
      PUBLIC_URL: 'lintel',
    });
    expect(message).toContain('4 settings are wrong');
    for (const part of ['PORT is "eighty"', 'PORT=3000', 'LOG_LEVEL is "loud"', 'one of trace, debug']) {
      expect(message).toContain(part);
    }
    expect(message).toContain('SAMPLE_DATA is "yes"');
    expect(message).toContain('PUBLIC_URL is "lintel"');
  });

  test('never shows a secret', () => {
    const message = complaint({ DATABASE_URL: 'mysql://root:hunter2@db/lintel' });
    expect(message).toContain('DATABASE_URL is set (30 bytes)');
    expect(message).not.toContain('hunter2');
  });

  test.each(['70000', '-1', '3000x', '1e3'])('refuses the port %s', (port) => {
    expect(complaint({ PORT: port })).toContain('PORT is');
  });

  test.each([
    ...['proxy.example.com', '10.0.0.0/33', '0.0.0.0/0', '10.0.0.1,', '::/0', '2001:db8::/129', '*'],
    // All addresses as a sum of networks, and all of IPv4 as a part of IPv6.
    ...['0.0.0.0/1,128.0.0.0/1', '::/1,8000::/1', '64.0.0.0/7', '2000::/3', '::ffff:0:0/96'],
  ])('refuses the trusted proxy %s', (proxy) => {
    expect(complaint({ TRUSTED_PROXIES: proxy })).toContain('TRUSTED_PROXIES is');
  });

  test.each([
    'https://lintel.example.com/path',
    'ftp://lintel.example.com',
    'https://lintel.example.com/?a=1',
    'https://user:secret@lintel.example.com',
    'http://127.0.0.1@lintel.example.com',
  ])('refuses the public address %s', (address) => {
    expect(complaint({ PUBLIC_URL: address })).toContain('PUBLIC_URL is');
  });

  test.each(['postgres://localhost', 'localhost:5432/lintel', 'postgres:///lintel'])(
    'refuses the database address %s',
    (address) => {
      expect(complaint({ DATABASE_URL: address })).toContain('DATABASE_URL is set');
    },
  );

  test('wants the database of a migration login to be named', () => {
    expect(complaint({ MIGRATION_DATABASE_URL: 'postgres://owner:x@db/lintel' })).toContain(
      'DATABASE_URL is not set',
    );
  });
});

describe('listening beyond this machine', () => {
  test.each([{}, { PUBLIC_URL: 'http://lintel.local' }])('is refused over plain http (%o)', (more) => {
    for (const HOST of ['0.0.0.0', '0', '::', '::ffff:0.0.0.0', '128.0.0.1', '127.0.0.1.example.com']) {
      expect(complaint({ HOST, ...more })).toContain('ALLOW_INSECURE_HTTP=1');
    }
  });

  test.each(['false', 'true', 'yes', 'on', ' 1', '01'])('is not accepted with the word %j', (word) => {
    expect(complaint({ HOST: '0.0.0.0', ALLOW_INSECURE_HTTP: word })).toContain('ALLOW_INSECURE_HTTP is');
  });

  test.each([
    ...['http://lintel.local', 'http://192.168.1.5:3000', 'http://127.0.0.1.example.com'],
    ...[
      'http://localhost.example.com',
      'http://notlocalhost',
      'http://0.0.0.0',
      'http://[::]',
      'http://[::2]',
    ],
  ])('is refused through a proxy that ends nothing but http (%s)', (PUBLIC_URL) => {
    expect(complaint({ PUBLIC_URL })).toContain(`PUBLIC_URL is "${PUBLIC_URL}"`);
    expect(complaint({ PUBLIC_URL })).toContain('ALLOW_INSECURE_HTTP=1');
    expect(complaint({ PUBLIC_URL, ALLOW_INSECURE_HTTP: '1' })).toBe('');
  });

  test.each([
    { HOST: '0.0.0.0', PUBLIC_URL: 'https://lintel.example.com' },
    { HOST: '192.168.1.5', ALLOW_INSECURE_HTTP: '1' },
    { HOST: 'localhost' },
    { HOST: '::1', PUBLIC_URL: 'http://localhost:3000' },
    { HOST: '127.0.0.2', PUBLIC_URL: 'http://[::1]:3000' },
    { PUBLIC_URL: 'http://127.0.0.1:8080' },
    ...['127.1', '2130706433', '0x7f.1', '0:0:0:0:0:0:0:1', '::ffff:127.0.0.1'].map((HOST) => ({ HOST })),
    ...['http://localhost.', 'http://[::ffff:127.0.0.1]', 'http://lintel.localhost'].map((PUBLIC_URL) => ({
      PUBLIC_URL,
    })),
  ])('is allowed where it is safe or accepted (%o)', (source) => {
    expect(complaint(source)).toBe('');
  });
});
