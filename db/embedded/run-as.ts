import { type ChildProcess, type SpawnOptions, spawn, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import { EmbeddedPostgresError, USE_DATABASE_URL } from './embedded-error.ts';

/**
 * The user that Postgres's programs run as. Postgres refuses to run as root. So root either starts them as an ordinary user
 * ('user'), or in a user namespace ('namespace'): there they see an ordinary user, but access files as root. The second way
 * also works where no other user can reach the files (a checkout in root's home).
 */
export type RunAs =
  | { how: 'self' }
  | { how: 'user'; uid: number; gid: number }
  | { how: 'namespace'; uid: number; gid: number };

/**
 * Variables that the programs need. Secrets are left out, and so are PG… variables, which would change their behaviour.
 */
const PASSED_ON = ['PATH', 'HOME', 'TMPDIR', 'TEMP', 'TMP', 'SystemRoot', 'windir', 'LD_LIBRARY_PATH'];

/**
 * Returns the first way in which `program` runs here and can reach `folder`.
 * @throws EmbeddedPostgresError if there is none
 */
export function chooseRunAs(program: string, folder: string): RunAs {
  const failures: string[] = [];
  for (const runAs of candidates()) {
    const failure = tryOut(runAs, program, folder);
    if (failure === undefined) return runAs;
    failures.push(`${describe(runAs)}: ${failure}`);
  }
  throw new EmbeddedPostgresError(
    `The embedded Postgres cannot run here, for ${folder}.\n${failures.map((line) => `  ${line}`).join('\n')}\n` +
      (process.getuid?.() === 0
        ? 'Postgres never runs as root. Start Lintel as an ordinary user, put it (and DATA_DIR) into a folder that ' +
          'other users may enter, or allow this container setuid or user namespaces.\n'
        : '') +
      USE_DATABASE_URL,
  );
}

/** The required owner of the files for this way of running; undefined if it does not matter. */
export function fileOwner(runAs: RunAs): { uid: number; gid: number } | undefined {
  if (runAs.how === 'user') return { uid: runAs.uid, gid: runAs.gid };
  const [uid, gid] = [process.getuid?.(), process.getgid?.()];
  return uid === undefined || gid === undefined ? undefined : { uid, gid };
}

/** Starts a program as `runAs`; the child's pid is the program's own in every case. */
export function spawnAs(runAs: RunAs, program: string, args: string[], options: SpawnOptions): ChildProcess {
  const call = callFor(runAs, program, args);
  return spawn(call.command, call.args, { ...call.options, ...options });
}

/** Runs a program to its end and returns its output. */
export function runAs(
  who: RunAs,
  program: string,
  args: string[],
  input = '',
): Promise<{ code: number | null; output: string }> {
  return new Promise((resolve, reject) => {
    const child = spawnAs(who, program, args, { stdio: ['pipe', 'pipe', 'pipe'] });
    let output = '';
    const collect = (chunk: Buffer) => {
      output += chunk.toString();
    };
    child.stdout?.on('data', collect);
    child.stderr?.on('data', collect);
    child.on('error', reject);
    child.on('close', (code) => resolve({ code, output }));
    // A program may end before it has read all input; its exit code shows whether it failed.
    child.stdin?.on('error', () => undefined);
    child.stdin?.end(input);
  });
}

function candidates(): RunAs[] {
  if (process.platform === 'win32') return [{ how: 'self' }];
  const someone = ordinaryUser();
  if (process.getuid?.() === 0) {
    return [
      { how: 'user', ...someone },
      { how: 'namespace', ...someone },
    ];
  }
  // initdb needs a user with a name, and an arbitrary user id in a container has none.
  return hasName() ? [{ how: 'self' }] : [{ how: 'namespace', ...someone }];
}

function tryOut(who: RunAs, program: string, folder: string): string | undefined {
  const [command, args] =
    process.platform === 'win32'
      ? [program, ['--version']]
      : ['/bin/sh', ['-c', '"$1" --version >/dev/null && cd "$2"', 'sh', program, folder]];
  const call = callFor(who, command, args);
  const done = spawnSync(call.command, call.args, { ...call.options, encoding: 'utf8', timeout: 20_000 });
  if (done.error !== undefined) return done.error.message;
  return done.status === 0 ? undefined : done.stderr.trim() || `ended with ${done.status ?? done.signal}`;
}

function callFor(who: RunAs, program: string, args: string[]) {
  const env: NodeJS.ProcessEnv = { LC_ALL: 'C' };
  for (const name of PASSED_ON) if (process.env[name] !== undefined) env[name] = process.env[name];
  const options = { env, cwd: process.platform === 'win32' ? undefined : '/', windowsHide: true };
  switch (who.how) {
    case 'self':
      return { command: program, args, options };
    case 'user':
      return { command: program, args, options: { ...options, uid: who.uid, gid: who.gid } };
    case 'namespace':
      return {
        command: 'unshare',
        args: ['--user', `--map-user=${who.uid}`, `--map-group=${who.gid}`, '--', program, ...args],
        options,
      };
  }
}

/** The user `postgres` if the system has one, else `nobody`. */
function ordinaryUser(): { uid: number; gid: number } {
  let users = '';
  try {
    users = readFileSync('/etc/passwd', 'utf8');
  } catch {
    // A system without the file: the usual ids below are used.
  }
  for (const name of ['postgres', 'nobody']) {
    const match = new RegExp(`^${name}:[^:]*:(\\d+):(\\d+):`, 'm').exec(users);
    if (match !== null && Number(match[1]) !== 0) return { uid: Number(match[1]), gid: Number(match[2]) };
  }
  return { uid: 65_534, gid: 65_534 };
}

function hasName(): boolean {
  try {
    return userInfo().username !== '';
  } catch {
    return false;
  }
}

function describe(who: RunAs): string {
  if (who.how === 'self') return 'as this user';
  return who.how === 'user' ? `as user ${who.uid}` : 'in a user namespace';
}
