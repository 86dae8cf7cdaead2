import { uuidv7 } from '#shared/ids.ts';
import { EXPECTATIONS } from '#tests/support/expectations/expectations.ts';
import type { Ids } from '#tests/support/expectations/row.ts';
import type { LargestData } from './largest-data.ts';

/** The input of the n-th call of a procedure: its largest, or that of the sweep where none is larger than another. */
export function largestInput(path: string, data: LargestData, n: number): unknown {
  const row = EXPECTATIONS[path];
  if (row === undefined) throw new Error(`${path} has no row in the table of expectations`);
  return row.largest === undefined ? row.input(idsOf(data)) : row.largest(data, n);
}

/** The ids with which inputs of the sweep are made. */
function idsOf(data: LargestData): Ids {
  return {
    buildingId: data.siteId,
    clientId: data.clientId,
    issueId: data.issueId,
    assetId: data.assetId,
    floorId: data.siteFloorId,
    entryId: data.entryId,
    personId: data.personId,
    taskId: data.taskId,
    retiredTaskId: uuidv7(),
    markedTaskId: data.taskId,
    folderId: data.documents.largeFolderId,
    deletedFolderId: uuidv7(),
  };
}
