import { execFile } from 'node:child_process';
import {
  accessSync,
  constants,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { homedir, tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { type Browser, chromium } from 'playwright-core';

/** A Chromium, and the environment variables it needs. */
type Found = { path: string; env: Record<string, string> };

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome', 'msedge'];

/** Without network traffic of the browser's own, and without the need of a screen or graphics card. */
export const BROWSER_ARGS = [
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--disable-dev-shm-usage',
];

/** Starts the Chromium of this machine, or the one of the package @sparticuz/chromium. */
export async function launchBrowser(): Promise<Browser> {
  const { path, env } = await findChromium();
  return chromium.launch({
    executablePath: path,
    args: BROWSER_ARGS,
    // Root and many containers cannot use the sandbox, and only our own pages are opened.
    chromiumSandbox: false,
    env: { ...definedOnly(process.env), ...env },
  });
}

let shared: Promise<Browser> | undefined;

/** The browser shared by all test files of this process. Each file closes the windows it has opened. */
export async function sharedBrowser(): Promise<Browser> {
  const before = await openBrowser();
  if (before !== undefined) return before;
  shared = launchBrowser();
  return shared;
}

/** The shared browser, if it is running. */
export async function openBrowser(): Promise<Browser | undefined> {
  const before = await shared?.catch(() => undefined);
  return before?.isConnected() === true ? before : undefined;
}

/** Looks for Chromium in CHROMIUM, on the path and in Playwright's cache; otherwise unpacks @sparticuz/chromium. */
export async function findChromium(): Promise<Found> {
  const named = process.env['CHROMIUM'];
  if (named !== undefined && named !== '') {
    if (isExecutable(named)) return { path: named, env: {} };
    throw new Error(`CHROMIUM is ${named}, which is not a program that can be started.`);
  }
  const path = onPath() ?? inPlaywrightCache();
  if (path !== undefined) return { path, env: {} };
  if (process.platform === 'linux' && process.arch === 'x64') return ours();
  throw new Error(
    'The browser tests need Chromium, and none was found: install Chromium or Chrome, ' +
      'or run "npx playwright-core install chromium", or name one with CHROMIUM=/path/to/chromium.',
  );
}

function onPath(): string | undefined {
  const suffix = process.platform === 'win32' ? '.exe' : '';
  const folders = (process.env['PATH'] ?? '').split(delimiter).filter((folder) => folder !== '');
  // On macOS, Chrome is not on the path, but always in the same place.
  if (process.platform === 'darwin') folders.push('/Applications/Google Chrome.app/Contents/MacOS');
  const names = process.platform === 'darwin' ? [...NAMES, 'Google Chrome'] : NAMES;
  const candidates = names.flatMap((name) => folders.map((folder) => join(folder, name + suffix)));
  return candidates.find(isExecutable);
}

function inPlaywrightCache(): string | undefined {
  const cache =
    process.env['PLAYWRIGHT_BROWSERS_PATH'] ??
    {
      darwin: join(homedir(), 'Library', 'Caches', 'ms-playwright'),
      win32: join(process.env['LOCALAPPDATA'] ?? '', 'ms-playwright'),
    }[String(process.platform)] ??
    join(process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'), 'ms-playwright');
  if (!existsSync(cache)) return undefined;
  const inside = [
    ...['chrome-linux', 'chrome-linux64'].map((folder) => join(folder, 'chrome')),
    join('chrome-mac', 'Chromium.app', 'Contents', 'MacOS', 'Chromium'),
    join('chrome-win', 'chrome.exe'),
  ];
  const newestFirst = readdirSync(cache)
    .filter((name) => /^chromium-\d+$/.test(name))
    .sort((a, b) => Number(b.slice(9)) - Number(a.slice(9)));
  return newestFirst.flatMap((name) => inside.map((path) => join(cache, name, path))).find(isExecutable);
}

/**
 * Unpacks @sparticuz/chromium, once. Its own code unpacks into the shared temporary folder, where other users could
 * have written, so that code runs in a process with a private temporary folder.
 */
async function ours(): Promise<Found> {
  const packageRoot = join(
    dirname(createRequire(import.meta.url).resolve('@sparticuz/chromium')),
    '..',
    '..',
  );
  const cache = writableCache();
  const folder = join(cache, `chromium-${await versionOf(packageRoot)}`);
  if (!existsSync(folder)) {
    const making = mkdtempSync(join(cache, 'chromium-making-'));
    const script = `(await import(${JSON.stringify(import.meta.resolve('@sparticuz/chromium'))})).default.executablePath()`;
    await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', `await ${script}`], {
      // The name in AWS_EXECUTION_ENV makes the package unpack system libraries that minimal machines lack.
      env: { ...definedOnly(process.env), TMPDIR: making, AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs20.x' },
      timeout: 120_000,
    });
    try {
      renameSync(making, folder);
    } catch (error) {
      rmSync(making, { recursive: true, force: true });
      if (!existsSync(folder)) throw error; // Otherwise another process was faster.
    }
  }
  return withWhatIsMissing(folder);
}

/** Adds the package's libraries and fonts only where the system has none, because the system's own are newer. */
async function withWhatIsMissing(folder: string): Promise<Found> {
  const path = join(folder, 'chromium');
  const fonts = existsSync('/etc/fonts/fonts.conf') ? {} : { FONTCONFIG_FILE: fontsFile(folder) };
  const problems: string[] = [];
  for (const libraries of [{}, { LD_LIBRARY_PATH: join(folder, 'al2023', 'lib') }]) {
    const env = { ...fonts, ...libraries };
    try {
      await promisify(execFile)(path, ['--version', '--no-sandbox'], {
        env: { ...definedOnly(process.env), ...env },
        timeout: 30_000,
      });
      return { path, env: definedOnly(env) };
    } catch (error) {
      problems.push(error instanceof Error ? error.message : String(error));
    }
  }
  throw new Error(
    'The browser tests need Chromium: none is installed, and the one in @sparticuz/chromium does not start ' +
      `(${problems.join('; ')}). Install Chromium, or name one with CHROMIUM=/path/to/chromium.`,
  );
}

/** Writes a font configuration, because the package's own configuration names another folder. */
function fontsFile(folder: string): string {
  const path = join(folder, 'lintel-fonts.conf');
  const text = `<?xml version="1.0"?><fontconfig><dir>${folder}/fonts/fonts</dir><cachedir>${folder}/font-cache</cachedir></fontconfig>\n`;
  if (!existsSync(path)) writeFileSync(path, text);
  return path;
}

/** A cache folder beside the packages, or in the user's home if that is not writable. */
function writableCache(): string {
  const beside = fileURLToPath(new URL('../../../node_modules/.cache', import.meta.url));
  const private_ = join(homedir(), '.cache', 'lintel');
  for (const folder of [beside, private_]) {
    try {
      mkdirSync(folder, { recursive: true });
      accessSync(folder, constants.W_OK);
      return folder;
    } catch {
      // Try the next folder.
    }
  }
  return mkdtempSync(join(tmpdir(), 'lintel-chromium-'));
}

async function versionOf(packageRoot: string): Promise<string> {
  const { default: manifest } = await import(join(packageRoot, 'package.json'), { with: { type: 'json' } });
  return String(manifest.version);
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

function definedOnly(env: Record<string, string | undefined>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
}
