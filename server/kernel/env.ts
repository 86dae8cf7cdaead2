import type { z } from 'zod';
import type { CheckKind } from '#shared/features/checks/kinds.vocabulary.ts';
import { isLoopback, isReachable } from '../adapters/network/loopback.ts';
import type { S3Settings } from '../adapters/storage/s3-requests.ts';
import { type LOG_LEVELS, SETTINGS } from './env-settings.ts';

/** The configuration of the server. No other module reads `process.env`. */
export type Env = {
  /** Absent: the embedded Postgres in `dataDir` is used. */
  databaseUrl?: string;
  /** A login that may change the schema; absent: `databaseUrl` is used. */
  migrationDatabaseUrl?: string;
  port: number;
  host: string;
  /** The address under which people reach the server, without a trailing slash. */
  publicUrl?: string;
  /**
   * Proxies on other machines whose forwarded client address is trusted: addresses, CIDR ranges, or words for ranges.
   */
  trustedProxies: string[];
  dataDir: string;
  sampleData: boolean;
  logLevel: (typeof LOG_LEVELS)[number];
  allowInsecureHttp: boolean;
  /** Absent: no mail is sent, and links are shown on screen instead. */
  mail?: { smtpUrl: string; from: string };
  /** Kinds of checks whose log pages say that they are being rebuilt. */
  logsUnderRebuild: CheckKind[];
  /** Kinds of checks that are enabled although they are off by default. */
  optionalChecks: CheckKind[];
  /** Started by `npm run demo`: the sample accounts and their password are printed. */
  demo: boolean;
  /** Where new files are stored. */
  fileStore: 'disk' | 's3';
  /** Absent: no bucket for files is configured. */
  s3?: S3Settings;
  /** The S3-compatible service for files, backups or both. Absent: none is configured. */
  s3Access?: Omit<S3Settings, 'bucket'>;
  /** A folder or `s3://bucket`. Absent: scheduled backups are off. */
  backupTo?: string;
  /** Time of the daily backup, such as "01:30". */
  backupAt: string;
  /** Ed25519 private key in PKCS #8, base64. */
  backupSigningKey?: string;
  /** An age recipient. Absent: backups are not encrypted. */
  backupEncryptTo?: string;
  /** Lets monitoring on other machines read `/metrics`. Absent: only this machine can. */
  metricsToken?: string;
  /** Where traces are sent over OTLP. Absent: none are recorded. */
  otlpEndpoint?: string;
  /** Addresses and ranges in private networks to which webhooks may be sent. */
  webhookNetworks: string[];
  /** Path of the file with the identity providers. Absent: people sign in with passwords only. */
  signInFile?: string;
  /** Absent: uploads have no limit but the disk's. */
  uploadMaxBytes?: number;
};

type Problem = { name: string; given: string | undefined; expected: string; example: string };

/** Lists all invalid settings in one message for the person at the terminal. */
export class EnvError extends Error {
  override name = 'EnvError';

  constructor(problems: readonly Problem[]) {
    const paragraphs = problems.map(
      ({ name, given, expected, example }) =>
        `  ${name} ${given === undefined ? 'is not set' : `is ${given}`}.\n` +
        `    Expected: ${expected}.\n    For example: ${example}`,
    );
    const many = problems.length === 1 ? 'One setting is' : `${problems.length} settings are`;
    super(`${many} wrong:\n\n${paragraphs.join('\n\n')}\n`);
  }
}

/**
 * Reads the whole configuration. An empty variable counts as not set.
 * @throws EnvError that lists everything that is wrong at once
 */
export function readEnv(source: NodeJS.ProcessEnv): Env {
  const problems: Problem[] = [];

  function read<N extends keyof typeof SETTINGS>(
    name: N,
  ): z.output<(typeof SETTINGS)[N]['schema']> | undefined {
    const { schema, secret, expected, example } = SETTINGS[name];
    const value = source[name] === '' ? undefined : source[name];
    const result = schema.safeParse(value);
    // The cast restores what a union of schemas loses: `SETTINGS` ties each name to its schema.
    if (result.success) return result.data as z.output<(typeof SETTINGS)[N]['schema']>;
    problems.push({ name, given: describe(value, secret), expected, example });
    return undefined;
  }

  const env = {
    databaseUrl: read('DATABASE_URL'),
    migrationDatabaseUrl: read('MIGRATION_DATABASE_URL'),
    port: read('PORT') ?? 0,
    host: read('HOST') ?? '',
    publicUrl: read('PUBLIC_URL'),
    trustedProxies: read('TRUSTED_PROXIES') ?? [],
    dataDir: read('DATA_DIR') ?? '',
    sampleData: read('SAMPLE_DATA') ?? false,
    logLevel: read('LOG_LEVEL') ?? 'info',
    allowInsecureHttp: read('ALLOW_INSECURE_HTTP') ?? false,
    logsUnderRebuild: read('LOGS_UNDER_REBUILD') ?? [],
    optionalChecks: read('OPTIONAL_CHECKS') ?? [],
    demo: read('LINTEL_DEMO') ?? false,
    smtpUrl: read('SMTP_URL'),
    mailFrom: read('MAIL_FROM'),
    fileStore: read('FILE_STORE') ?? 'disk',
    endpoint: read('S3_ENDPOINT'),
    bucket: read('S3_BUCKET'),
    region: read('S3_REGION') ?? '',
    accessKeyId: read('S3_ACCESS_KEY_ID'),
    secretAccessKey: read('S3_SECRET_ACCESS_KEY'),
    uploadMaxBytes: read('UPLOAD_MAX_BYTES'),
    backupTo: read('BACKUP_TO'),
    backupAt: read('BACKUP_AT') ?? '',
    backupSigningKey: read('BACKUP_SIGNING_KEY'),
    backupEncryptTo: read('BACKUP_ENCRYPT_TO'),
    metricsToken: read('METRICS_TOKEN'),
    signInFile: read('SIGN_IN_FILE'),
    webhookNetworks: read('WEBHOOK_NETWORKS') ?? [],
    otlpEndpoint: read('OTEL_EXPORTER_OTLP_ENDPOINT'),
  };
  // Only validated here: `scripts/start.mjs` has used it already.
  read('SUPERVISE');

  if (env.migrationDatabaseUrl !== undefined && !source['DATABASE_URL']) {
    const { expected, example } = SETTINGS.DATABASE_URL;
    problems.push({
      name: 'DATABASE_URL',
      given: undefined,
      expected: `${expected}, because MIGRATION_DATABASE_URL is set`,
      example,
    });
  }
  if (env.smtpUrl !== undefined) {
    // Links in mails are built from PUBLIC_URL, never from the Host header of a request.
    const needed = { PUBLIC_URL: env.publicUrl, MAIL_FROM: env.mailFrom };
    for (const name of ['PUBLIC_URL', 'MAIL_FROM'] as const) {
      if (needed[name] !== undefined || problems.some((problem) => problem.name === name)) continue;
      const { expected, example } = SETTINGS[name];
      problems.push({ name, given: undefined, expected: `${expected}, because SMTP_URL is set`, example });
    }
  }
  if (env.backupTo !== undefined && !source['BACKUP_SIGNING_KEY']) {
    const { expected, example } = SETTINGS.BACKUP_SIGNING_KEY;
    const why = `${expected}; it is needed, because BACKUP_TO is set`;
    problems.push({ name: 'BACKUP_SIGNING_KEY', given: undefined, expected: why, example });
  }
  const backsUpToBucket = env.backupTo?.startsWith('s3:') === true;
  const s3Needed = {
    S3_ENDPOINT: env.endpoint,
    S3_BUCKET: env.bucket,
    S3_ACCESS_KEY_ID: env.accessKeyId,
    S3_SECRET_ACCESS_KEY: env.secretAccessKey,
  };
  const keepsFiles = env.fileStore === 's3' || env.bucket !== undefined;
  const usesS3 =
    keepsFiles || backsUpToBucket || Object.values(s3Needed).some((value) => value !== undefined);
  for (const name of ['S3_ENDPOINT', 'S3_BUCKET', 'S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY'] as const) {
    // A bucket of backups is named by BACKUP_TO.
    if (name === 'S3_BUCKET' && backsUpToBucket && !keepsFiles) continue;
    if (!usesS3 || s3Needed[name] !== undefined || problems.some((problem) => problem.name === name))
      continue;
    const { expected, example } = SETTINGS[name];
    problems.push({ name, given: undefined, expected: `${expected}, because S3 is used`, example });
  }
  // An empty host means that HOST was invalid and is already reported.
  const reachable = env.host !== '' && isReachable(env);
  if (reachable && env.publicUrl?.startsWith('https:') !== true && !env.allowInsecureHttp) {
    const who = isLoopback(env.host)
      ? 'it leads people here from other machines'
      : `HOST=${env.host} lets other machines in`;
    problems.push({
      name: 'PUBLIC_URL',
      given: describe(env.publicUrl, false),
      expected:
        `an https address, because ${who}, and over plain http passwords can be read on the way ` +
        '(ALLOW_INSECURE_HTTP=1 accepts that)',
      example: SETTINGS.PUBLIC_URL.example,
    });
  }
  if (problems.length > 0) throw new EnvError(problems);

  const { databaseUrl, migrationDatabaseUrl, publicUrl: address, smtpUrl, mailFrom, ...others } = env;
  const { endpoint, bucket, region, accessKeyId, secretAccessKey, ...without } = others;
  const { uploadMaxBytes, backupTo, backupSigningKey, backupEncryptTo, ...withoutBackup } = without;
  const { metricsToken, otlpEndpoint, signInFile, ...rest } = withoutBackup;
  const s3Access =
    endpoint === undefined || accessKeyId === undefined || secretAccessKey === undefined
      ? undefined
      : { endpoint, region, accessKeyId, secretAccessKey };
  return {
    ...rest,
    ...(databaseUrl === undefined ? {} : { databaseUrl }),
    ...(migrationDatabaseUrl === undefined ? {} : { migrationDatabaseUrl }),
    ...(address === undefined ? {} : { publicUrl: address }),
    ...(s3Access === undefined ? {} : { s3Access }),
    ...(s3Access === undefined || bucket === undefined ? {} : { s3: { ...s3Access, bucket } }),
    ...(backupTo === undefined ? {} : { backupTo }),
    ...(backupSigningKey === undefined ? {} : { backupSigningKey }),
    ...(backupEncryptTo === undefined ? {} : { backupEncryptTo }),
    ...(metricsToken === undefined ? {} : { metricsToken }),
    ...(otlpEndpoint === undefined ? {} : { otlpEndpoint }),
    ...(signInFile === undefined ? {} : { signInFile }),
    ...(uploadMaxBytes === undefined ? {} : { uploadMaxBytes }),
    ...(smtpUrl === undefined || mailFrom === undefined ? {} : { mail: { smtpUrl, from: mailFrom } }),
  };
}

function describe(value: string | undefined, secret: boolean): string | undefined {
  if (value === undefined) return undefined;
  return secret ? `set (${Buffer.byteLength(value)} bytes), but not such an address` : JSON.stringify(value);
}
