// Stops this process by SIGTERM when the process that started it is gone.
//
// `npm start` is npm → a shell → node. A signal to npm, or the end of a terminal, may take npm alone, or npm and the
// shell, and leave node behind, holding the port and the database. So both links of the chain are watched.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

const parent = process.ppid;
// A shell between npm and this process outlives npm. A shell in which a person works is not watched.
const grandparent =
  /(^|\/|-)(ba|da|k|z)?sh$/.test(nameOf(parent)) && fromNpm() ? parentOf(parent) : undefined;

const watch = setInterval(() => {
  if (process.ppid === parent && (grandparent === undefined || isStill(grandparent))) return;
  clearInterval(watch);
  process.kill(process.pid, 'SIGTERM');
}, 250);
watch.unref();

function fromNpm() {
  return process.env.npm_lifecycle_event !== undefined;
}

function isStill(pid) {
  if (process.platform === 'linux') return parentOf(parent) === pid;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}

function nameOf(pid) {
  return process.platform === 'linux' ? readText(`/proc/${pid}/comm`).trim() : ps(pid, 'comm=');
}

function parentOf(pid) {
  if (process.platform !== 'linux') return Number(ps(pid, 'ppid=')) || undefined;
  const stat = readText(`/proc/${pid}/stat`);
  // After the program's name, which may contain anything: the state, then the parent.
  return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]) || undefined;
}

function ps(pid, column) {
  if (process.platform === 'win32') return '';
  try {
    return execFileSync('ps', ['-o', column, '-p', String(pid)], { encoding: 'utf8' }).trim();
  } catch {
    return ''; // It has gone already.
  }
}

function readText(path) {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return ''; // It has gone already.
  }
}
