// Stops this process by SIGTERM when the process that started it has ended.
//
// `npm start` is npm → a shell → node. A signal to npm, or the end of a terminal, may end only npm, or npm and the shell.
// Node would then go on and occupy the port and the database. So both its parent and its grandparent are watched.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

const parent = process.ppid;
// A shell between npm and this process may outlive npm, so npm is watched, too. The parent of a person's shell is not.
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
  // Starts after the program's name, which may contain any character: the next fields are the state and the parent.
  return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]) || undefined;
}

function ps(pid, column) {
  if (process.platform === 'win32') return '';
  try {
    return execFileSync('ps', ['-o', column, '-p', String(pid)], { encoding: 'utf8' }).trim();
  } catch {
    return ''; // The process has already ended.
  }
}

function readText(path) {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return ''; // The process has already ended.
  }
}
