import type { Permission } from '../../permissions.ts';
import { BUILDING_DETAILS, type BuildingDetail } from '../locations/building-fields.vocabulary.ts';
import { PERSON_NAME_MAX } from '../users/users.vocabulary.ts';

// Without the validation library, because the screen loads this file first.

export const IMPORT_KINDS = ['clients', 'buildings', 'floors', 'assets', 'tasks', 'people'] as const;
export type ImportKind = (typeof IMPORT_KINDS)[number];

type Column = { name: string; required?: true; hint: string };
type Kind = {
  label: string;
  permission: Permission;
  columns: readonly Column[];
  /** Columns of the exported list that an import ignores. */
  passedOver: readonly string[];
  /** The column of the exported list that has a date if the row is no longer in use. */
  ended?: { column: string; as: ImportSkip };
  example: readonly string[];
};

const [address, ...details] = BUILDING_DETAILS;
const building: Column = { name: 'Building Name', required: true, hint: 'Its name or its code' };

/** The reason why a row without a fault is not stored: Lintel has it already, or it is no longer in use. */
export type ImportSkip = 'here' | 'retired' | 'deactivated';
export const IMPORT_SKIP_LABELS: Readonly<Record<ImportSkip, string>> = {
  here: 'Here already',
  retired: 'Retired, left out',
  deactivated: 'Deactivated, left out',
};

/** For each kind of file: label, permission to import it, columns, the further columns of exports, and an example. */
export const IMPORTS: Readonly<Record<ImportKind, Kind>> = {
  clients: {
    label: 'Clients',
    permission: 'create_locations',
    columns: [{ name: 'Client', required: true, hint: 'A name that no other client has' }],
    passedOver: ['Buildings'],
    example: ['Northgate Estates'],
  },
  buildings: {
    label: 'Buildings',
    permission: 'create_buildings',
    columns: [
      { name: 'Client', required: true, hint: 'Added where there is none of this name' },
      { name: 'Building Name', required: true, hint: 'A name that no other building of this client has' },
      columnOf(address),
      { name: 'Floors', hint: '1 to 100, or empty for none' },
      { name: 'Basement', hint: 'Yes or No, with floors or without' },
      ...details.map(columnOf),
    ],
    passedOver: ['Code', 'Floor Count'],
    example: [
      'Northgate Estates',
      'Harbour House',
      address.example,
      '6',
      'Yes',
      ...details.map(({ example }) => example),
    ],
  },
  floors: {
    label: 'Floors',
    permission: 'create_buildings',
    columns: [
      { name: 'Client', hint: 'Tells buildings of the same name apart' },
      building,
      { name: 'Level', required: true, hint: '0 is the ground floor, -1 the basement' },
      { name: 'Floor Name', hint: 'Empty: named by its level' },
    ],
    passedOver: [],
    example: ['Northgate Estates', 'Harbour House', '7', 'Roof plant room'],
  },
  assets: {
    label: 'Assets',
    permission: 'create_assets',
    columns: [
      { name: 'Client', hint: 'Tells buildings of the same name apart' },
      building,
      { name: 'Floor', hint: 'Its name or its level; may be empty' },
      { name: 'Room', hint: 'Empty: General' },
      { name: 'Name', required: true, hint: 'What people call it' },
      { name: 'Description', required: true, hint: 'What it is, and where to find it' },
      { name: 'Type', hint: 'Asset, Call Point, Emergency Light, Water Outlet, TMV …' },
      { name: 'Outlet Kind', hint: 'Cold, Hot, Mixed, Calorifier flow or return' },
      { name: 'Quantity', hint: 'Empty: 1' },
      { name: 'Frequency', hint: 'Weekly, Monthly, Quarterly, Every 6 months, Annual' },
      { name: 'Last Visit', hint: '2026-11-30 or 30/11/2026; empty: never' },
    ],
    passedOver: [],
    ended: { column: 'Retired', as: 'retired' },
    example: [
      'Northgate Estates',
      'Harbour House',
      'Ground Floor',
      'Kitchen',
      'Sink tap',
      'Cold tap at the left sink',
      'Water Outlet',
      'Cold',
      '1',
      'Monthly',
      '2026-11-02',
    ],
  },
  tasks: {
    label: 'Tasks',
    permission: 'create_tasks',
    columns: [
      { name: 'Client', hint: 'Tells buildings of the same name apart' },
      building,
      { name: 'System', required: true, hint: 'The compliance system that it belongs to' },
      { name: 'Description', required: true, hint: 'What is to be done' },
      {
        name: 'Frequency',
        required: true,
        hint: 'Weekly, Monthly, Quarterly, Annually, Biannually (every 6 months), Every 14 months, First Monday of the month, Every 6 months from completion, As the certificate states',
      },
      { name: 'Responsible', hint: 'A name, or empty' },
      { name: 'Last Done', hint: '2026-11-30 or 30/11/2026; empty: never, so it is due today' },
      { name: 'Certificate Until', hint: 'Only for “As the certificate states”: the date on it' },
      {
        name: 'Non-compliant Because',
        hint: 'Why it is not compliant since it was last done; empty: nothing',
      },
    ],
    passedOver: [
      ...['Task ID', 'Status', 'Overdue', 'Due Date', 'Covered Until', 'Completed By', 'Satisfied By'],
      'Created',
    ],
    example: [
      'Northgate Estates',
      'Harbour House',
      'Fire Alarm',
      'Service by a contractor',
      'Biannually',
      'Firewatch Ltd',
      '2026-11-02',
      '',
      '',
    ],
  },
  people: {
    label: 'People',
    permission: 'manage_users',
    columns: [
      { name: 'Email', required: true, hint: 'An address that no one else uses' },
      { name: 'First Name', required: true, hint: `Up to ${PERSON_NAME_MAX} characters` },
      { name: 'Last Name', required: true, hint: `Up to ${PERSON_NAME_MAX} characters` },
      { name: 'Role', required: true, hint: 'Admin, Manager, Operative or Viewer' },
      {
        name: 'Buildings',
        hint: 'Names or codes with ; between them; “Client / Building” where a name is not enough',
      },
    ],
    passedOver: ['Added'],
    ended: { column: 'Deactivated', as: 'deactivated' },
    example: ['sam.field@example.com', 'Sam', 'Field', 'Viewer', ''],
  },
};

/** The limits of an import file: bytes and rows. */
export const IMPORT_MAX_BYTES = 10 * 1024 * 1024;
export const IMPORT_MAX_ROWS = 20_000;

/** A fault of a row: the column and a sentence. A fault of the whole row has no column. */
export type ImportFault = { column: string | null; text: string };
/** A row of the file, with its faults. */
export type ImportRow = {
  /** The line number in the file; the line with the column names is 1. */
  line: number;
  cells: string[];
  faults: ImportFault[];
  /** The reason why a row without a fault is not stored; null if it is stored. */
  skip: ImportSkip | null;
  /** The difference between the stored row and the file, as a sentence; null if there is none. */
  note: string | null;
};
/** Rows without a fault that are not stored. */
export type ImportSkipped = { here: number; ended: number };
/** The result of checking a file before the import. */
export type ImportCheck = {
  kind: ImportKind;
  columns: string[];
  /** Columns of an exported list that are not imported. */
  passedOver: string[];
  rows: ImportRow[];
  /** The number of rows with a fault; if there are any, nothing is imported. */
  faulty: number;
};
/** The token of the link by which an imported person chooses a password. */
export type PersonToken = { email: string; name: string; token: string };
/** The one-time links of imported people. */
export type LinksMade = {
  /** The number of people whose link was sent by mail. */
  mailed: number;
  /** Without mail settings: everyone's link, which is shown only this once. */
  tokens: PersonToken[];
};
/** The result of an import. */
export type ImportDone = {
  /** Rows stored. */
  count: number;
  /** Absent if every row was stored. */
  skipped?: ImportSkipped;
  /** For people. Absent from the answer to a repeated call, because the links are given only once (rule S5). */
  links?: LinksMade;
};

/** One line of the streamed answer to an import. */
export type ImportProgress =
  | { done: number; total: number }
  | { result: ImportDone }
  | { error: { code: string; message?: string } };

/** Counts the rows that are stored (or would be, before the import), and those that are skipped. */
export function countRows(rows: readonly Pick<ImportRow, 'skip'>[]): { added: number } & ImportSkipped {
  const here = rows.filter(({ skip }) => skip === 'here').length;
  const added = rows.filter(({ skip }) => skip === null).length;
  return { added, here, ended: rows.length - added - here };
}

/** A template file: the columns and an example row, as CSV with a byte order mark. */
export function templateOf(kind: ImportKind): string {
  const { columns, example } = IMPORTS[kind];
  const line = (cells: readonly string[]) =>
    cells.map((cell) => (/[",\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)).join(',');
  return `\uFEFF${line(columns.map(({ name }) => name))}\r\n${line(example)}\r\n`;
}

function columnOf({ column, hint }: BuildingDetail): Column {
  return { name: column, hint };
}
