import { TextDecoder } from 'node:util';
import { CsvError, type Parser, parse } from 'csv-parse';
import { AppError } from '#shared/errors.ts';
import { IMPORT_MAX_ROWS, IMPORTS, type ImportKind } from '#shared/features/imports.vocabulary.ts';
import { importMessages } from '#shared/features/imports-messages.ts';
import { unescapeFormula } from '#shared/spreadsheet-text.ts';

/** A row of the file: its cells under the names that the template has for their columns. */
export type CsvRow = { line: number; cells: { [column: string]: string }; tooMany: boolean };

/** Bytes that the parser gets at a time. */
const SLICE = 1024;
/** A batch is handed on when it has this many rows or characters; it may exceed them by what one slice ends. */
const BATCH_ROWS = 100;
const BATCH_CHARACTERS = 16 * 1024;
/** Six times what the widest template has; spreadsheets leave empty cells at the end. */
const COLUMNS_MAX = 64;
/** Spreadsheets leave empty rows, too. */
const ROWS_MAX = 2 * IMPORT_MAX_ROWS;
/** Characters of one row: some thousand names of buildings. */
const ROW_MAX = 64 * 1024;

/** A file that cannot be read, with the sentence that says why. */
export function refusal(message: string): AppError {
  return new AppError('invalid', { data: { fields: {} }, message });
}

/**
 * Reads the rows of a file, a batch at a time and only as far as it is asked. It ends at the first row, cell or line too
 * many.
 * @throws AppError `invalid` with a sentence for a file that is no text, is broken, has other columns than the
 *   template, or too much of anything
 */
export async function* readBatches(
  kind: ImportKind,
  bytes: Uint8Array,
): AsyncGenerator<CsvRow[], void, undefined> {
  let batch: CsvRow[] = [];
  let characters = 0;
  let count = 0;
  let names: string[] | undefined;

  function take(record: readonly string[], line: number): void {
    if (record.every((cell) => cell.trim() === '')) return;
    if (names === undefined) {
      names = columnsOf(kind, record);
      return;
    }
    if (count === IMPORT_MAX_ROWS) throw refusal(importMessages.tooMany(IMPORT_MAX_ROWS));
    const cells = Object.fromEntries(
      names.map((name, index) => [name, unescapeFormula(record[index] ?? '')]),
    );
    const tooMany = record.slice(names.length).some((cell) => cell.trim() !== '');
    batch.push({ line, cells, tooMany });
    count += 1;
    for (const cell of record) characters += cell.length;
  }

  const delimiter = delimiterOf(bytes);
  const parser = parse({
    bom: true,
    relax_column_count: true,
    delimiter,
    max_record_size: ROW_MAX,
    // An empty line is a row of another width, and for each of those the parser makes an error with its stack.
    skip_empty_lines: true,
    // Taken here, in the very step that reads it: read from the stream, rows of a slice could come after its batch.
    on_record: (record: string[], { lines: line }) => {
      take(record, line);
      return null;
    },
  });
  try {
    for await (const _ of slicesRead(bytes, parser, sizeGuard(delimiter))) {
      if (batch.length < BATCH_ROWS && characters < BATCH_CHARACTERS) continue;
      yield batch;
      batch = [];
      characters = 0;
    }
  } catch (error) {
    if (error instanceof CsvError) {
      const at: unknown = Reflect.get(error, 'lines');
      const line = typeof at === 'number' ? at : 1;
      const tooLong = error.code === 'CSV_MAX_RECORD_SIZE';
      throw refusal(tooLong ? importMessages.rowTooLong(line, ROW_MAX) : importMessages.broken(line));
    }
    throw error;
  }
  if (count === 0) throw refusal(importMessages.empty);
  if (batch.length > 0) yield batch;
}

/**
 * Gives the file to the parser, and stops after each slice.
 * @throws AppError `invalid` for what is not text in UTF-8; what the parser throws
 */
async function* slicesRead(
  bytes: Uint8Array,
  parser: Parser,
  guard: (slice: Uint8Array) => TooMuch | undefined,
): AsyncGenerator<undefined, void, undefined> {
  const over = new Promise<void>((resolve, reject) => parser.once('end', resolve).once('error', reject));
  // Looked at below.
  over.catch(() => undefined);
  parser.resume();
  const decoder = new TextDecoder('utf-8', { fatal: true });
  for (let at = 0; at < bytes.length && !parser.destroyed; at += SLICE) {
    const slice = bytes.subarray(at, at + SLICE);
    refuseOtherThanText(decoder, slice, at + SLICE >= bytes.length);
    const tooMuch = guard(slice);
    // What stands before it may have a fault of its own, which comes first.
    const good = tooMuch === undefined ? slice : slice.subarray(0, tooMuch.at);
    await new Promise<void>((resolve) => parser.write(good, () => resolve()));
    if (parser.destroyed) break;
    if (tooMuch !== undefined) throw tooMuch.refusal;
    yield;
  }
  parser.end();
  await over;
}

function refuseOtherThanText(decoder: TextDecoder, slice: Uint8Array, isLast: boolean): void {
  if (slice.includes(0)) throw refusal(importMessages.notUtf8);
  try {
    decoder.decode(slice, { stream: !isLast });
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw refusal(importMessages.notUtf8);
  }
}

type TooMuch = { at: number; refusal: AppError };

const [QUOTE, LINE_FEED, RETURN] = ['"', '\n', '\r'].map((sign) => sign.charCodeAt(0));

/**
 * Counts the rows and the cells of each before the parser makes them: it knows of a row only when it has all of it, and
 * asked about each cell it takes six times as long.
 * @returns what tells of each slice whether it brings a row too many or makes one too wide, and where
 */
function sizeGuard(delimiter: string): (slice: Uint8Array) => TooMuch | undefined {
  const divides = delimiter.charCodeAt(0);
  let quoted = false;
  let cells = 1;
  let line = 1;
  let rows = 1;
  let afterReturn = false;
  return (slice) => {
    for (let at = 0; at < slice.length; at += 1) {
      const byte = slice[at];
      if (byte === QUOTE) quoted = !quoted;
      else if (byte === LINE_FEED || byte === RETURN) {
        if (byte === LINE_FEED) line += 1;
        if (!quoted) {
          cells = 1;
          if (byte === RETURN || !afterReturn) rows += 1;
          if (rows > ROWS_MAX) return { at, refusal: refusal(importMessages.tooMany(IMPORT_MAX_ROWS)) };
        }
      } else if (byte === divides && !quoted) {
        cells += 1;
        if (cells > COLUMNS_MAX) return { at, refusal: refusal(importMessages.tooWide(line, COLUMNS_MAX)) };
      }
      afterReturn = byte === RETURN;
    }
    return undefined;
  };
}

// Spreadsheets write semicolons where the comma divides decimals.
function delimiterOf(bytes: Uint8Array): string {
  const first = Buffer.from(bytes.subarray(0, 2_000)).toString().split('\n', 1)[0] ?? '';
  return first.includes(';') && !first.includes(',') ? ';' : ',';
}

function columnsOf(kind: ImportKind, header: readonly string[]): string[] {
  const { columns } = IMPORTS[kind];
  const known = new Map(columns.map(({ name }) => [plain(name), name]));
  const cells = header.map((cell) => cell.replace(/^\uFEFF/, '').trim());
  // Spreadsheets leave empty cells at the end.
  while (cells.at(-1) === '') cells.pop();
  const names = cells.map((cell) => {
    const name = known.get(plain(cell));
    if (name === undefined) throw refusal(importMessages.columnUnknown(cell === '' ? '(no name)' : cell));
    return name;
  });
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) throw refusal(importMessages.columnTwice(twice));
  const missing = columns.find(({ name, required }) => required === true && !names.includes(name));
  if (missing !== undefined) throw refusal(importMessages.columnMissing(missing.name));
  return names;
}

function plain(name: string): string {
  return name.toLowerCase().replaceAll(/[\s_-]/g, '');
}
