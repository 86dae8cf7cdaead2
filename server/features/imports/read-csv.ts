import { TextDecoder } from 'node:util';
import { CsvError, type Parser, parse } from 'csv-parse';
import { AppError } from '#shared/errors.ts';
import { IMPORT_MAX_ROWS, IMPORTS, type ImportKind } from '#shared/features/imports.words.ts';
import { importMessages } from '#shared/features/imports-messages.ts';
import { unprotectText } from '#shared/spreadsheet-text.ts';
import { takingTurns } from './take-turns.ts';

/** A row of the file: its cells under the names that the template has for their columns. */
export type Record = { line: number; cells: { [column: string]: string }; tooMany: boolean };

/** Bytes that are taken apart in one step: each may be a line, and a line of another width takes some 25 µs. */
const AT_ONCE = 256;
/** Six times what the widest template has; spreadsheets leave empty cells at the end. */
const COLUMNS_MAX = 64;
/** Spreadsheets leave empty lines, too. */
const LINES_MAX = 2 * IMPORT_MAX_ROWS;
/** Characters of one row: some thousand names of buildings. */
const ROW_MAX = 64 * 1024;

function refusal(message: string): AppError {
  return new AppError('invalid', { data: { fields: {} }, message });
}

/**
 * Reads the rows of a file, letting others get their turn meanwhile. It ends at the first row, cell or line too many.
 * @throws AppError `invalid` with a sentence for a file that is no text, is broken, has other columns than the
 *   template, or too much of anything
 */
export async function readRecords(kind: ImportKind, bytes: Uint8Array): Promise<Record[]> {
  const records: Record[] = [];
  let names: string[] | undefined;
  let lines = 0;

  function take(record: readonly string[], line: number): void {
    lines += 1;
    if (lines > LINES_MAX) throw refusal(importMessages.tooMany(IMPORT_MAX_ROWS));
    if (record.every((cell) => cell.trim() === '')) return;
    if (names === undefined) {
      names = columnsOf(kind, record);
      return;
    }
    if (records.length === IMPORT_MAX_ROWS) throw refusal(importMessages.tooMany(IMPORT_MAX_ROWS));
    const cells = Object.fromEntries(names.map((name, index) => [name, unprotectText(record[index] ?? '')]));
    const tooMany = record.slice(names.length).some((cell) => cell.trim() !== '');
    records.push({ line, cells, tooMany });
  }

  const delimiter = delimiterOf(bytes);
  const parser = parse({
    bom: true,
    relax_column_count: true,
    delimiter,
    max_record_size: ROW_MAX,
    // Taken here, in the very step that reads it: read from the stream, thousands could wait in it and come at once.
    on_record: (record: string[], { lines: line }) => {
      take(record, line);
      return null;
    },
  });
  try {
    await readInTurn(bytes, parser, widthGuard(delimiter));
  } catch (error) {
    if (error instanceof CsvError) {
      const at: unknown = Reflect.get(error, 'lines');
      const line = typeof at === 'number' ? at : 1;
      const tooLong = error.code === 'CSV_MAX_RECORD_SIZE';
      throw refusal(tooLong ? importMessages.rowTooLong(line, ROW_MAX) : importMessages.broken(line));
    }
    throw error;
  }
  if (records.length === 0) throw refusal(importMessages.empty);
  return records;
}

/**
 * Gives the file to the parser in steps, with a turn for others between them.
 * @throws AppError `invalid` for what is not text in UTF-8; what the parser throws
 */
async function readInTurn(
  bytes: Uint8Array,
  parser: Parser,
  guard: (slice: Uint8Array) => void,
): Promise<void> {
  const over = new Promise<void>((resolve, reject) => parser.once('end', resolve).once('error', reject));
  // Looked at below.
  over.catch(() => undefined);
  parser.resume();
  const decoder = new TextDecoder('utf-8', { fatal: true });
  const turn = takingTurns();
  for (let at = 0; at < bytes.length && !parser.destroyed; at += AT_ONCE) {
    const slice = bytes.subarray(at, at + AT_ONCE);
    refuseOtherThanText(decoder, slice, at + AT_ONCE >= bytes.length);
    guard(slice);
    await new Promise<void>((resolve) => parser.write(slice, () => resolve()));
    await turn();
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

const [QUOTE, LINE_FEED, RETURN] = ['"', '\n', '\r'].map((sign) => sign.charCodeAt(0));

/**
 * Counts the cells of each row before the parser makes them: it knows of a row only when it has all of it, and asked
 * about each cell it takes six times as long.
 * @returns what throws `invalid` at a slice that makes a row too wide
 */
function widthGuard(delimiter: string): (slice: Uint8Array) => void {
  const divides = delimiter.charCodeAt(0);
  let quoted = false;
  let cells = 1;
  let line = 1;
  return (slice) => {
    for (const byte of slice) {
      if (byte === QUOTE) quoted = !quoted;
      else if (byte === LINE_FEED || byte === RETURN) {
        if (byte === LINE_FEED) line += 1;
        if (!quoted) cells = 1;
      } else if (byte === divides && !quoted) {
        cells += 1;
        if (cells > COLUMNS_MAX) throw refusal(importMessages.tooWide(line, COLUMNS_MAX));
      }
    }
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
