// Serves Lintel: `npm start`, and `npm run demo` with --demo (sample data at once, in a data folder of its own).
import { pathToFileURL } from 'node:url';
import { isBuilt, server } from './lib/built.mjs';

if (process.argv.includes('--demo')) {
  process.env.DATA_DIR ??= '.data-demo';
  process.env.SAMPLE_DATA = '1';
  process.env.LINTEL_DEMO = '1';
}

if (process.connected) {
  // Started by the supervisor below: this process must not outlive the supervisor.
  process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'));
  await serve();
} else {
  // If npm started this process, it must not outlive npm. If a person or a service started it, it may outlive its parent.
  if (process.env.npm_lifecycle_event !== undefined) await import('./stop-with-parent.mjs');
  if (process.env.SUPERVISE === '0') {
    await serve();
  } else {
    const { supervise } = await import('./lib/supervise.mjs');
    process.exit(await supervise([...process.execArgv, ...process.argv.slice(1)]));
  }
}

async function serve() {
  process.setSourceMapsEnabled(true);
  if (isBuilt(server)) {
    await import(pathToFileURL(server.output).href);
  } else {
    // The build is not up to date, because the process was started without npm after a change: run the sources.
    const { register } = await import('tsx/esm/api');
    register();
    await import('../server/boot/main.ts');
  }
}
