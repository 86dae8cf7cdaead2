import { documentOperations } from './document-operations.ts';
import type { Operation } from './operation.ts';
import { readOperations } from './read-operations.ts';
import { writeOperations } from './write-operations.ts';

/** The first part of an operation's path: issues, tasks, assets … */
export function subjectOf({ path }: Operation): string {
  return path.split('/')[1] ?? '';
}

const all: readonly Operation[] = [...readOperations, ...documentOperations, ...writeOperations];
const subjects = [...new Set(all.map(subjectOf))];

/** All operations, in the order of the reference: by subject, reading before writing. */
export const operations: readonly Operation[] = subjects.flatMap((subject) =>
  all.filter((one) => subjectOf(one) === subject),
);
