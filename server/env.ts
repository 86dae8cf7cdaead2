import { isAbsolute, resolve } from 'node:path';
import { z } from 'zod';
import {
  CHECK_KINDS,
  CHECK_WORDS,
  type CheckKind,
  isOptional,
  kindOfSlug,
} from '#shared/features/checks/kinds.words.ts';

const OPTIONAL_SLUGS = CHECK_KINDS.filter(isOptional)
  .map((kind) => CHECK_WORDS[kind].slug)
  .join(', ');
const LOG_SLUGS = CHECK_KINDS.map((kind) => CHECK_WORDS[kind].slug).join(', ');

const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;

/** The configuration, as the rest of the server knows it. Nothing else reads `process.env`. */
export type Env = {
  /** Absent: the embedded Postgres, in `dataDir`. */
  databaseUrl?: string;
  /** A login that may change the schema; absent: the one of `databaseUrl` does. */
  migrationDatabaseUrl?: string;
  port: number;
  host: string;
  /** What people type to get here, without a slash at the end. */
  publicUrl?: string;
  dataDir: string;
  sampleData: boolean;
  logLevel: (typeof LOG_LEVELS)[number];
  allowInsecureHttp: boolean;
  /** Absent: no mail is sent, and links are shown on the screen instead. */
  mail?: { smtpUrl: string; from: string };
  /** Kinds of checks whose log pages say that they are being rebuilt. */
  logsUnderRebuild: CheckKind[];
  /** Kinds of checks that are there although they are switched off by default. */
  optionalChecks: CheckKind[];
  /** Started by `npm run demo`: the sample accounts and their password are printed. */
  demo: boolean;
};

type Problem = { name: string; given: string | undefined; expected: string; example: string };

/** Everything that is wrong with the configuration, in one message for the person at the terminal. */
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
      url.search + url.hash === ''
    );
  })
  .transform((value) => new URL(value).origin);

/** Each setting: how it is read, and what to say when it cannot be. `secret`: its value is never shown. */
const SETTINGS = {
  DATABASE_URL: {
    schema: postgresUrl.optional(),
    secret: true,
    expected: 'the address of a Postgres database (14 or later), with user and password',
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
    example: 'LOGS_UNDER_REBUILD=emergency-lighting,outlet-flushing',
  },
  OPTIONAL_CHECKS: {
    schema: checkSlugs.default([]),
    secret: false,
    expected: `a list of checks to switch on, of ${OPTIONAL_SLUGS}`,
    example: 'OPTIONAL_CHECKS=call-point-visual',
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

const LOOPBACK = new Set(['127.0.0.1', '::1', 'localhost']);

/**
 * Reads the whole configuration. A setting that is empty counts as not set, as it does for a shell.
 *
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
    // The table's type ties each name to its schema; the compiler loses the tie in a union of schemas.
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
    dataDir: read('DATA_DIR') ?? '',
    sampleData: read('SAMPLE_DATA') ?? false,
    logLevel: read('LOG_LEVEL') ?? 'info',
    allowInsecureHttp: read('ALLOW_INSECURE_HTTP') ?? false,
    logsUnderRebuild: read('LOGS_UNDER_REBUILD') ?? [],
    optionalChecks: read('OPTIONAL_CHECKS') ?? [],
    demo: read('LINTEL_DEMO') ?? false,
    smtpUrl: read('SMTP_URL'),
    mailFrom: read('MAIL_FROM'),
  };

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
    // A link in a mail must lead here, whatever a caller claims about the address.
    const needed = { PUBLIC_URL: env.publicUrl, MAIL_FROM: env.mailFrom };
    for (const name of ['PUBLIC_URL', 'MAIL_FROM'] as const) {
      if (needed[name] !== undefined || problems.some((problem) => problem.name === name)) continue;
      const { expected, example } = SETTINGS[name];
      problems.push({ name, given: undefined, expected: `${expected}, because SMTP_URL is set`, example });
    }
  }
  const reachable = env.host !== '' && !LOOPBACK.has(env.host);
  if (reachable && env.publicUrl?.startsWith('https:') !== true && !env.allowInsecureHttp) {
    problems.push({
      name: 'PUBLIC_URL',
      given: env.publicUrl,
      expected:
        `an https address, because HOST=${env.host} lets other machines in, and over plain http passwords can be ` +
        'read on the way (ALLOW_INSECURE_HTTP=1 accepts that)',
      example: SETTINGS.PUBLIC_URL.example,
    });
  }
  if (problems.length > 0) throw new EnvError(problems);

  const { databaseUrl, migrationDatabaseUrl, publicUrl: address, smtpUrl, mailFrom, ...rest } = env;
  return {
    ...rest,
    ...(databaseUrl === undefined ? {} : { databaseUrl }),
    ...(migrationDatabaseUrl === undefined ? {} : { migrationDatabaseUrl }),
    ...(address === undefined ? {} : { publicUrl: address }),
    ...(smtpUrl === undefined || mailFrom === undefined ? {} : { mail: { smtpUrl, from: mailFrom } }),
  };
}

function describe(value: string | undefined, secret: boolean): string | undefined {
  if (value === undefined) return undefined;
  return secret ? `set (${Buffer.byteLength(value)} bytes), but not such an address` : JSON.stringify(value);
}
