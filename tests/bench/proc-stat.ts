import { readdirSync, readFileSync } from 'node:fs';

// Processor time and memory of other processes, which only Linux provides in files.

/** Ticks of the kernel's clock per second, the same on every Linux that Node supports. */
const TICKS = 100;

export const hasProcStat = process.platform === 'linux';

/** Processor time of a process so far, user and system, in milliseconds; NaN where the system does not report it. */
export function cpuOf(pid: number): number {
  if (!hasProcStat) return Number.NaN;
  return (fieldsOf(pid)?.own ?? Number.NaN) * (1_000 / TICKS);
}

/** Processor time of a process with its children, ended ones included, in milliseconds; NaN as above. */
export function cpuOfTree(pid: number): number {
  if (!hasProcStat) return Number.NaN;
  const root = fieldsOf(pid);
  if (root === undefined) return Number.NaN;
  let ticks = root.own + root.ended;
  for (const name of readdirSync('/proc')) {
    const child = /^\d+$/.test(name) ? fieldsOf(Number(name)) : undefined;
    if (child?.parent === pid) ticks += child.own;
  }
  return ticks * (1_000 / TICKS);
}

/** The parent of a process; undefined where the system does not report it. */
export function parentOf(pid: number): number | undefined {
  return hasProcStat ? fieldsOf(pid)?.parent : undefined;
}

/** Resident memory of a process in MiB; NaN where the system does not report it. */
export function residentMiB(pid: number): number {
  if (!hasProcStat) return Number.NaN;
  const kib = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  return Number(kib ?? Number.NaN) / 1_024;
}

/** @returns undefined for a process that has ended */
function fieldsOf(pid: number): { parent: number; own: number; ended: number } | undefined {
  let text: string;
  try {
    text = readFileSync(`/proc/${pid}/stat`, 'utf8');
  } catch {
    return undefined;
  }
  // The name of the program is in brackets and may contain spaces.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  const at = (index: number) => Number(fields[index]);
  return { parent: at(1), own: at(11) + at(12), ended: at(13) + at(14) };
}
