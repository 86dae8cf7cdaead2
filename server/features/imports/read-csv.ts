import { TextDecoder } from 'node:util';
import { CsvError, type Parser, parse } from 'csv-parse';
import { AppError } from '#shared/errors.ts';
import { IMPORT_MAX_ROWS, IMPORTS, type ImportKind } from '#shared/features/imports/imports.vocabulary.ts';
import { importMessages } from '#shared/features/imports/imports-messages.ts';
import { unescapeFormula } from '#shared/text/spreadsheet-text.ts';

/** A row of the file: its cells by the names of columns that the import or the exported list has. */
export type CsvRow = { line: number; cells: { [column: string]: string }; tooMany: boolean };

/** Bytes passed to the parser at a time. */
const SLICE = 1024;
/** A batch is yielded once it has this many rows or characters; the last slice may exceed that. */
const BATCH_ROWS = 100;
const BATCH_CHARACTERS = 16 * 1024;
/** Six times the widest template; spreadsheets leave empty cells at the end. */
const COLUMNS_MAX = 64;
/** Rows including empty ones, which spreadsheets leave too. */
const ROWS_MAX = 2 * IMPORT_MAX_ROWS;
/** Characters per row; room for some thousand names of buildings. */
const ROW_MAX = 64 * 1024;

/** The error for a file that cannot be read, with a sentence. */
export function refusal(message: string): AppError {
  return new AppError('invalid', { data: { fields: {} }, message });
}

/**
 * Reads the rows of a file in batches, on demand. Stops at the first row, cell or character beyond a limit.
 * @throws AppError `invalid` with a sentence if the file is not text, is malformed, has other columns than
 *   template and exported list, or exceeds a limit
 */
export async function* readBatches(
  kind: ImportKind,
  file: Uint8Array,
): AsyncGenerator<CsvRow[], void, undefined> {
  const bytes = withoutMark(file);
  let batch: CsvRow[] = [];
  let characters = 0;
  let count = 0;
  let names: string[] | undefined;

  function take(record: readonly string[], line: number): void {
    if (record.every((cell) => cell.trim() === '')) return;
    if (names === undefined) {
      if (SAYS_DELIMITER.test(record[0] ?? '')) return;
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
  const beginOf = lineCounter(bytes);
  let end = 0;
  const parser = parse({
    relax_column_count: true,
    delimiter,
    max_record_size: ROW_MAX,
    // An empty line has a different number of columns, for which the parser would create an error with a stack.
    skip_empty_lines: true,
    // Handled synchronously with parsing: read from the stream, rows could arrive after their batch.
    on_record: (record: string[], { bytes: read }) => {
      end = read;
      take(record, beginOf(end));
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
      const line = beginOf(end);
      const tooLong = error.code === 'CSV_MAX_RECORD_SIZE';
      throw refusal(tooLong ? importMessages.rowTooLong(line, ROW_MAX) : importMessages.broken(line));
    }
    throw error;
  }
  if (count === 0) throw refusal(importMessages.empty);
  if (batch.length > 0) yield batch;
}

/**
 * Feeds the file to the parser, pausing after each slice.
 * @throws AppError `invalid` if it is not UTF-8 text; errors of the parser
 */
async function* slicesRead(
  bytes: Uint8Array,
  parser: Parser,
  guard: (slice: Uint8Array) => TooMuch | undefined,
): AsyncGenerator<undefined, void, undefined> {
  const over = new Promise<void>((resolve, reject) => parser.once('end', resolve).on('error', reject));
  // Awaited below; this prevents an unhandled rejection until then.
  over.catch(() => undefined);
  parser.resume();
  const decoder = new TextDecoder('utf-8', { fatal: true });
  for (let at = 0; at < bytes.length && !parser.destroyed; at += SLICE) {
    const slice = bytes.subarray(at, at + SLICE);
    refuseOtherThanText(decoder, slice, at + SLICE >= bytes.length);
    const tooMuch = guard(slice);
    // The part before the excess is parsed first, because it may have an earlier fault.
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
 * Counts rows and cells ahead of the parser, which knows a row only when it is complete and takes six times as long with a
 * callback per cell.
 * @returns a function that reports whether a slice exceeds a limit, and where
 */
function sizeGuard(delimiter: string): (slice: Uint8Array) => TooMuch | undefined {
  const divides = delimiter.charCodeAt(0);
  let quoted = false;
  let cells = 1;
  /** Line number as in an editor. */
  let line = 1;
  let rows = 1;
  let afterReturn = false;
  return (slice) => {
    for (let at = 0; at < slice.length; at += 1) {
      const byte = slice[at];
      if (byte === QUOTE) quoted = !quoted;
      else if (byte === LINE_FEED || byte === RETURN) {
        const begins = byte === RETURN || !afterReturn;
        if (begins) line += 1;
        if (!quoted) {
          cells = 1;
          if (begins) rows += 1;
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

/** Spreadsheets use semicolons in locales with a decimal comma, and tabs in copied cells. */
const DELIMITERS = [',', ';', '\t'] as const;
/** Delimiters that the import does not accept, if the header is a single cell that contains one of them. */
const OTHER_DELIMITER = /[|:]/;
/** Excel's own line before the header, which names the delimiter. */
const SAYS_DELIMITER = /^"?sep=/i;

/** The delimiter that the file names, or the one that occurs most often in its first line with words. */
function delimiterOf(bytes: Uint8Array): string {
  const [first = ''] = Buffer.from(bytes.subarray(0, 2_000))
    .toString()
    .split(/\r\n|\r|\n/)
    .filter((line) => /[^\s,;]/.test(line));
  const said = SAYS_DELIMITER.test(first) ? first.replace(SAYS_DELIMITER, '').charAt(0) : undefined;
  const count = (delimiter: string) => first.split(delimiter).length;
  return (
    DELIMITERS.find((delimiter) => delimiter === said) ??
    DELIMITERS.reduce((most, delimiter) => (count(delimiter) > count(most) ? delimiter : most))
  );
}

/** The bytes without a byte order mark. */
function withoutMark(bytes: Uint8Array): Uint8Array {
  const [first, second, third] = bytes;
  return first === 0xef && second === 0xbb && third === 0xbf ? bytes.subarray(3) : bytes;
}

/**
 * Counts lines as an editor does: a cell may contain several lines, and each kind of line end ends one line.
 * @returns the line on which a record begins, given its end; asked in the order of the records
 */
function lineCounter(bytes: Uint8Array): (end: number) => number {
  let at = 0;
  let line = 1;
  const isBreak = () => bytes[at] === LINE_FEED || bytes[at] === RETURN;
  function step(): void {
    if (isBreak()) line += 1;
    at += bytes[at] === RETURN && bytes[at + 1] === LINE_FEED ? 2 : 1;
  }
  return (end) => {
    while (at < bytes.length && isBreak()) step();
    const begin = line;
    while (at < end) step();
    return begin;
  };
}

function columnsOf(kind: ImportKind, header: readonly string[]): string[] {
  const { columns } = IMPORTS[kind];
  const { passedOver, ended } = IMPORTS[kind];
  const all = [
    ...columns.map(({ name }) => name),
    ...passedOver,
    ...(ended === undefined ? [] : [ended.column]),
  ];
  const known = new Map(all.map((name) => [plain(name), name]));
  const cells = header.map((cell) => cell.trim());
  // Spreadsheets leave empty cells at the end.
  while (cells.at(-1) === '') cells.pop();
  const names = cells.map((cell) => {
    const name = known.get(plain(cell));
    if (name === undefined && cells.length === 1 && OTHER_DELIMITER.test(cell))
      throw refusal(importMessages.delimiterExpected);
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
