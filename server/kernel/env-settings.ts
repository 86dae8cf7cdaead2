import { isIP } from 'node:net';
import { isAbsolute, resolve } from 'node:path';
import { z } from 'zod';
import {
  CHECK_KINDS,
  CHECK_VOCABULARY,
  type CheckKind,
  isOptional,
  kindOfSlug,
} from '#shared/features/checks/kinds.vocabulary.ts';
import { RANGE_WORDS } from '../adapters/network/address-list.ts';
import { plainAddress } from '../adapters/network/network-of.ts';
import { readSigningKey } from '../adapters/signing-key.ts';

const OPTIONAL_SLUGS = CHECK_KINDS.filter(isOptional)
  .map((kind) => CHECK_VOCABULARY[kind].slug)
  .join(', ');
const SLUGS = CHECK_KINDS.map((kind) => CHECK_VOCABULARY[kind].slug);
const LOG_SLUGS = SLUGS.join(', ');
const TWO_SLUGS = SLUGS.slice(0, 2).join(',');

export const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;

const flag = z.enum(['0', '1']).transform((value) => value === '1');
const checkSlugs = z.string().transform((text, ctx) =>
  text.split(',').flatMap((slug): CheckKind[] => {
    const kind = kindOfSlug(slug.trim());
    if (kind !== undefined) return [kind];
    ctx.addIssue({ code: 'custom', message: slug });
    return [];
  }),
);
const postgresUrl = z.string().refine((value) => {
  const url = URL.canParse(value) ? new URL(value) : undefined;
  return (
    url !== undefined &&
    /^postgres(ql)?:$/.test(url.protocol) &&
    url.hostname !== '' &&
    url.pathname.length > 1
  );
});
const smtpUrl = z.string().refine((value) => {
  const url = URL.canParse(value) ? new URL(value) : undefined;
  return url !== undefined && /^smtps?:$/.test(url.protocol) && url.hostname !== '';
});
const publicUrl = z
  .string()
  .refine((value) => {
    const url = URL.canParse(value) ? new URL(value) : undefined;
    return (
      url !== undefined &&
      /^https?:$/.test(url.protocol) &&
      url.pathname === '/' &&
      url.username + url.password === '' &&
      url.search + url.hash === ''
    );
  })
  .transform((value) => new URL(value).origin);

/** Returns whether the text is an IP address, a CIDR range, or one of `RANGE_WORDS`. */
function isAddressRange(text: string): boolean {
  if (RANGE_WORDS.includes(text)) return true;
  const [address = '', bits, ...more] = text.split('/');
  const version = isIP(address);
  if (version === 0 || more.length > 0) return false;
  if (bits === undefined) return true;
  return (
    /^[1-9]\d{0,2}$/.test(bits) &&
    Number(bits) <= (version === 4 ? 32 : 128) &&
    Number(bits) >= widest(address)
  );
}

/**
 * The shortest prefix that is accepted. A wider range, or both halves of the address space, would contain every address, so
 * that, for example, any caller could forge its address.
 */
function widest(address: string): number {
  if (isIP(address) === 4) return 8;
  if (isIP(plainAddress(address)) === 4) return 96 + 8;
  // Private and link-local IPv6 ranges are wide by definition.
  return /^fe[89ab]|^f[cd]/i.test(address) ? 7 : 16;
}

const addressRanges = z.string().transform((text, ctx) => {
  const found = text.split(',').map((one) => one.trim());
  for (const one of found) if (!isAddressRange(one)) ctx.addIssue({ code: 'custom', message: one });
  return found;
});

/**
 * Each environment variable: its schema, and the text to print if it is invalid. `secret`: the value is never printed.
 */
export const SETTINGS = {
  DATABASE_URL: {
    schema: postgresUrl.optional(),
    secret: true,
    expected: 'the address of a Postgres database (17 or later), with user and password',
    example: 'DATABASE_URL=postgres://lintel:password@localhost:5432/lintel',
  },
  MIGRATION_DATABASE_URL: {
    schema: postgresUrl.optional(),
    secret: true,
    expected: 'the address of the same database, for a login that may change its tables',
    example: 'MIGRATION_DATABASE_URL=postgres://lintel_owner:password@localhost:5432/lintel',
  },
  PORT: {
    schema: z
      .string()
      .regex(/^\d{1,5}$/)
      .transform(Number)
      .pipe(z.int().max(65_535))
      .default(3000),
    secret: false,
    expected: 'a port number from 1 to 65535, or 0 for any free port',
    example: 'PORT=3000',
  },
  HOST: {
    schema: z
      .string()
      .regex(/^[a-z0-9.:_-]+$/i)
      .default('127.0.0.1'),
    secret: false,
    expected: 'the address or name of the network interface to listen on',
    example: 'HOST=127.0.0.1 (this machine only) or HOST=0.0.0.0 (every network)',
  },
  PUBLIC_URL: {
    schema: publicUrl.optional(),
    secret: false,
    expected: 'the address that people type, http or https, without a path',
    example: 'PUBLIC_URL=https://lintel.example.com',
  },
  TRUSTED_PROXIES: {
    schema: addressRanges.default([]),
    secret: false,
    expected:
      'a list of the addresses (or ranges, as 10.0.0.0/8, and no wider) of proxies in front of Lintel on other machines, whose ' +
      'X-Forwarded-For is believed',
    example: 'TRUSTED_PROXIES=192.0.2.10,2001:db8:1::/64',
  },
  DATA_DIR: {
    schema: z
      .string()
      .min(1)
      .default('.data')
      .transform((path) => (isAbsolute(path) ? path : resolve(path))),
    secret: false,
    expected: 'a folder that Lintel may write',
    example: 'DATA_DIR=./.data',
  },
  SAMPLE_DATA: {
    schema: flag.default(false),
    secret: false,
    expected: '1 to fill an empty database with sample data, or 0',
    example: 'SAMPLE_DATA=1',
  },
  LOG_LEVEL: {
    schema: z.enum(LOG_LEVELS).default('info'),
    secret: false,
    expected: `one of ${LOG_LEVELS.join(', ')}`,
    example: 'LOG_LEVEL=info',
  },
  ALLOW_INSECURE_HTTP: {
    schema: flag.default(false),
    secret: false,
    expected: '1 to let people sign in over plain http from other machines, or 0',
    example: 'ALLOW_INSECURE_HTTP=1',
  },
  SMTP_URL: {
    schema: smtpUrl.optional(),
    secret: true,
    expected: 'the address of a mail server, with user and password',
    example: 'SMTP_URL=smtp://user:password@mail.example.com:587 (or smtps://…:465)',
  },
  MAIL_FROM: {
    schema: z
      .string()
      .regex(/^[^@\r\n]+@[^@\s]+$/)
      .optional(),
    secret: false,
    expected: 'the address that mail comes from',
    example: 'MAIL_FROM="Lintel <lintel@example.com>"',
  },
  LOGS_UNDER_REBUILD: {
    schema: checkSlugs.default([]),
    secret: false,
    expected: `a list of logs that are switched off, of ${LOG_SLUGS}`,
    example: `LOGS_UNDER_REBUILD=${TWO_SLUGS}`,
  },
  OPTIONAL_CHECKS: {
    schema: checkSlugs.default([]),
    secret: false,
    expected: `a list of checks to switch on, of ${OPTIONAL_SLUGS}`,
    example: `OPTIONAL_CHECKS=${OPTIONAL_SLUGS.replaceAll(' ', '')}`,
  },
  FILE_STORE: {
    schema: z.enum(['disk', 's3']).default('disk'),
    secret: false,
    expected: 'where new files are stored: disk (below DATA_DIR) or s3; older ones stay where they are',
    example: 'FILE_STORE=disk',
  },
  S3_ENDPOINT: {
    schema: publicUrl.optional(),
    secret: false,
    expected: 'the address of an S3-compatible service, http or https, without a path',
    example: 'S3_ENDPOINT=https://s3.eu-west-2.amazonaws.com',
  },
  S3_BUCKET: {
    schema: z
      .string()
      .regex(/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/)
      .optional(),
    secret: false,
    expected: 'the name of a bucket that only Lintel uses',
    example: 'S3_BUCKET=building-documents',
  },
  S3_REGION: {
    schema: z
      .string()
      .regex(/^[a-z0-9-]{1,60}$/)
      .default('us-east-1'),
    secret: false,
    expected: 'the region of the bucket',
    example: 'S3_REGION=eu-west-2',
  },
  S3_ACCESS_KEY_ID: {
    schema: z.string().min(1).optional(),
    secret: true,
    expected: 'the id of an access key that may read, write, list and delete in the bucket',
    example: 'S3_ACCESS_KEY_ID=lintel',
  },
  S3_SECRET_ACCESS_KEY: {
    schema: z.string().min(1).optional(),
    secret: true,
    expected: 'the secret of that access key',
    example: 'S3_SECRET_ACCESS_KEY=password',
  },
  BACKUP_TO: {
    schema: z.string().min(1).optional(),
    secret: false,
    expected: 'a folder, or s3://bucket, to which a backup is made each day',
    example: 'BACKUP_TO=/mnt/backup/lintel',
  },
  BACKUP_AT: {
    schema: z
      .string()
      .regex(/^([01]\d|2[0-3]):[0-5]\d$/)
      .default('01:30'),
    secret: false,
    expected: "the time of the daily backup, in the organisation's time zone",
    example: 'BACKUP_AT=01:30',
  },
  BACKUP_SIGNING_KEY: {
    schema: z
      .string()
      .refine((value) => readSigningKey(value) !== undefined)
      .optional(),
    secret: true,
    expected: 'the key that signs backups; "npm run admin -- backup-key" makes one',
    example: 'BACKUP_SIGNING_KEY=MC4CAQAwBQYDK2VwBCIEI…',
  },
  BACKUP_ENCRYPT_TO: {
    schema: z
      .string()
      .regex(/^age1[02-9ac-hj-np-z]{58,}$/)
      .optional(),
    secret: false,
    expected: 'an age recipient, to which backups are encrypted',
    example: 'BACKUP_ENCRYPT_TO=age1…',
  },
  UPLOAD_MAX_BYTES: {
    schema: z
      .string()
      .regex(/^[1-9]\d{0,15}$/)
      .transform(Number)
      .optional(),
    secret: false,
    expected: 'the size in bytes beyond which a file is refused; without it there is no limit',
    example: 'UPLOAD_MAX_BYTES=10737418240',
  },
  METRICS_TOKEN: {
    schema: z
      .string()
      .regex(/^[\x21-\x7e]{32,}$/)
      .optional(),
    secret: true,
    expected: 'a secret of at least 32 characters, with which monitoring on other machines reads /metrics',
    example: 'METRICS_TOKEN=the-output-of-openssl-rand-hex-32',
  },
  OTEL_EXPORTER_OTLP_ENDPOINT: {
    schema: z
      .string()
      .refine((value) => URL.canParse(value) && /^https?:$/.test(new URL(value).protocol))
      .transform((value) => value.replace(/\/+$/, ''))
      .optional(),
    secret: false,
    expected: 'the address of an OpenTelemetry collector that takes traces over HTTP',
    example: 'OTEL_EXPORTER_OTLP_ENDPOINT=http://localhost:4318',
  },
  WEBHOOK_NETWORKS: {
    schema: addressRanges.default([]),
    secret: false,
    expected:
      'a list of addresses (or ranges, as 10.0.5.0/24) in private networks to which webhooks may be sent, also over plain http',
    example: 'WEBHOOK_NETWORKS=10.0.5.20,192.168.7.0/24',
  },
  SIGN_IN_FILE: {
    schema: z
      .string()
      .min(1)
      .transform((path) => (isAbsolute(path) ? path : resolve(path)))
      .optional(),
    secret: false,
    expected: "the path of a JSON file with the organisation's sign-in",
    example: 'SIGN_IN_FILE=/etc/lintel/sign-in.json',
  },
  SUPERVISE: {
    schema: flag.default(true),
    secret: false,
    expected: '0 if a service manager starts it again after a crash, or 1',
    example: 'SUPERVISE=0',
  },
  LINTEL_DEMO: {
    schema: flag.default(false),
    secret: false,
    expected: '1 or 0 ("npm run demo" sets it)',
    example: 'LINTEL_DEMO=1',
  },
} as const satisfies Record<
  string,
  { schema: z.ZodType; secret: boolean; expected: string; example: string }
>;
