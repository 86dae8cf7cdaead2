import { createHash } from 'node:crypto';
import { setPriority } from 'node:os';
import { parentPort } from 'node:worker_threads';
import { AppError } from '#shared/errors.ts';
import {
  IMPORTS,
  type ImportFault,
  type ImportKind,
  type ImportRow,
  type ImportSkip,
} from '#shared/features/imports/imports.vocabulary.ts';
import { importMessages } from '#shared/features/imports/imports-messages.ts';
import { type CsvRow, readBatches } from './read-csv.ts';
import { faultsInto, type ImportRows, ROW_READERS } from './row-readers.ts';

// Runs in the thread of csv-reader.ts: reads one file after the other, and returns a batch per message.

/** Requests the first batch of a file, or the next one. */
export type CsvQuestion = { kind: ImportKind; bytes: Uint8Array } | 'next';
/** A batch, the hash at the end, or a refusal. Any other failure ends the thread. */
export type CsvAnswer = (FileColumns & { rows: FileRow[] }) | { sha256: string } | { refusal: string };
/**
 * `columns`: the columns of the file that are imported, in the template's order. `passedOver`: its other columns, which exported
 * lists have.
 */
export type FileColumns = { columns: string[]; passedOver: string[] };
/**
 * A row as displayed. `row`: its parsed values; undefined if a fault prevents the lookup, or if the row is not imported
 * (`endOf`).
 */
export type FileRow = ImportRow & { row: ImportRows[ImportKind] | undefined };

/** Lower than the priority of threads that answer calls, which is 0. */
const PRIORITY = 10;
/** Longer cells are shortened on screen only. */
const SHOWN = 254;

// On Linux this sets the priority of the calling thread, elsewhere that of the whole process.
if (process.platform === 'linux') setPriority(PRIORITY);

let answers: AsyncIterator<CsvAnswer, void> | undefined;

parentPort?.on('message', async (question: CsvQuestion) => {
  if (question !== 'next') answers = answersFor(question.kind, question.bytes);
  const answer = await answers?.next();
  if (answer?.value !== undefined) parentPort?.postMessage(answer.value);
});

async function* answersFor(kind: ImportKind, bytes: Uint8Array): AsyncGenerator<CsvAnswer, void, undefined> {
  try {
    for await (const batch of readBatches(kind, bytes)) yield answerOf(kind, batch);
    yield { sha256: createHash('sha256').update(bytes).digest('hex') };
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'invalid') throw error;
    yield { refusal: error.message };
  }
}

function answerOf(kind: ImportKind, batch: readonly CsvRow[]): CsvAnswer {
  const present = batch[0]?.cells ?? {};
  const columns = IMPORTS[kind].columns
    .map(({ name }) => name)
    .filter((name) => Object.hasOwn(present, name));
  const passedOver = Object.keys(present).filter((name) => !columns.includes(name));
  const rows = batch.map(({ line, cells, tooMany }) => {
    const faults: ImportFault[] = [];
    if (tooMany) faults.push({ column: null, text: importMessages.cellsTooMany });
    const skip = endOf(kind, cells);
    const row = skip === null ? ROW_READERS[kind](cells, faultsInto(faults)) : undefined;
    const shown = columns.map((name) => (cells[name] ?? '').slice(0, SHOWN));
    return { line, row, faults, skip, note: null, cells: shown };
  });
  return { columns, passedOver, rows };
}

/** Returns why a row of an exported list is not imported, such as for a retired asset: the import would put it into use again. */
function endOf(kind: ImportKind, cells: CsvRow['cells']): ImportSkip | null {
  const { ended } = IMPORTS[kind];
  const said = ended === undefined ? '' : (cells[ended.column] ?? '').trim().toLowerCase();
  return ended === undefined || said === '' || said === 'no' ? null : ended.as;
}
