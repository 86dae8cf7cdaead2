import { Readable } from 'node:stream';
import { CsvError, type Info, parse } from 'csv-parse';
import { AppError } from '#shared/errors.ts';
import { IMPORT_MAX_ROWS, IMPORTS, type ImportKind } from '#shared/features/imports.words.ts';
import { importMessages } from '#shared/features/imports-messages.ts';
import { unprotectText } from '../../spreadsheet-text.ts';
import { eachInTurn } from './take-turns.ts';

/** A row of the file: its cells under the names that the template has for their columns. */
export type Record = { line: number; cells: { [column: string]: string }; tooMany: boolean };

/** Bytes that are taken apart in one step. */
const AT_ONCE = 8 * 1024;

function refusal(message: string): AppError {
  return new AppError('invalid', { data: { fields: {} }, message });
}

/** @throws AppError `invalid` with a sentence for a file that is not text in UTF-8 */
function decode(bytes: Uint8Array): string {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    if (!text.includes('\0')) return text;
  } catch {
    // Said below.
  }
  throw refusal(importMessages.notUtf8);
}

/**
 * Reads the rows of a file, letting others get their turn meanwhile.
 * @throws AppError `invalid` with a sentence for a file that is no text, is broken, or has other columns than the
 *   template
 */
export async function readRecords(kind: ImportKind, bytes: Uint8Array): Promise<Record[]> {
  const records: Record[] = [];
  const delimiter = delimiterOf(decode(bytes));
  const parser = parse({
    bom: true,
    relax_column_count: true,
    skip_empty_lines: true,
    info: true,
    delimiter,
  });
  let names: string[] | undefined;
  try {
    // What the parser gives with `info`.
    const rows = Readable.from(slicesOf(bytes)).pipe(parser) as AsyncIterable<{
      record: string[];
      info: Info;
    }>;
    await eachInTurn(rows, ({ record, info }) => {
      if (names === undefined) {
        names = columnsOf(kind, record);
        return;
      }
      if (records.length === IMPORT_MAX_ROWS) throw refusal(importMessages.tooMany(IMPORT_MAX_ROWS));
      if (record.every((cell) => cell.trim() === '')) return;
      const cells = Object.fromEntries(
        names.map((name, index) => [name, unprotectText(record[index] ?? '')]),
      );
      const tooMany = record.slice(names.length).some((cell) => cell.trim() !== '');
      records.push({ line: info.lines, cells, tooMany });
    });
  } catch (error) {
    if (error instanceof CsvError) {
      const lines: unknown = Reflect.get(error, 'lines');
      throw refusal(importMessages.broken(typeof lines === 'number' ? lines : 1));
    }
    throw error;
  }
  if (records.length === 0) throw refusal(importMessages.empty);
  return records;
}

// Given whole, the file would be taken apart in a single step.
function* slicesOf(bytes: Uint8Array): Generator<Uint8Array, void, undefined> {
  for (let at = 0; at < bytes.length; at += AT_ONCE) yield bytes.subarray(at, at + AT_ONCE);
}

// Spreadsheets write semicolons where the comma divides decimals.
function delimiterOf(text: string): string {
  const first = text.slice(0, 2_000).split('\n', 1)[0] ?? '';
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
