import { execFileSync } from 'node:child_process';
import { readFileSync, readlinkSync } from 'node:fs';
import { basename } from 'node:path';

/** Whether a process with this id is running. A zombie counts as ended, because it may never be reaped. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    // EPERM: it exists and belongs to another user.
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
  return statFields(pid)?.[0] !== 'Z';
}

/**
 * The start time of a process, which distinguishes it from a later process with the same id: ids are reused, in containers
 * almost at once. Empty if the start time is unknown.
 */
export function processStartTime(pid: number): string {
  if (process.platform === 'linux') {
    const started = statFields(pid)?.[19];
    return started === undefined ? '' : `${read('/proc/sys/kernel/random/boot_id').trim()}/${started}`;
  }
  return process.platform === 'win32' ? '' : ps(pid, 'lstart=');
}

/** The name of the program with this process id, in lower case and without `.exe`; empty if unknown. */
export function processName(pid: number): string {
  if (process.platform === 'linux') {
    try {
      return basename(readlinkSync(`/proc/${pid}/exe`).replace(/ \(deleted\)$/, ''));
    } catch {
      // The path of another user's process is hidden, but not its name.
      return read(`/proc/${pid}/comm`).trim();
    }
  }
  if (process.platform === 'win32') {
    const row = output('tasklist', ['/fi', `PID eq ${pid}`, '/fo', 'csv', '/nh']);
    return (/^"([^"]+?)(\.exe)?"/i.exec(row)?.[1] ?? '').toLowerCase();
  }
  return basename(ps(pid, 'comm='));
}

/** Fields of /proc/<pid>/stat after the program's name, which may itself contain spaces and brackets. */
function statFields(pid: number): string[] | undefined {
  if (process.platform !== 'linux') return undefined;
  const stat = read(`/proc/${pid}/stat`);
  return stat === '' ? undefined : stat.slice(stat.lastIndexOf(')') + 2).split(' ');
}

function ps(pid: number, column: string): string {
  return output('ps', ['-o', column, '-p', String(pid)]).trim();
}

function output(command: string, args: string[]): string {
  try {
    return execFileSync(command, args, {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
      timeout: 5_000,
    });
  } catch {
    return ''; // The process has ended, or the tool is missing: unknown either way.
  }
}

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return ''; // Gone between two reads.
  }
}
