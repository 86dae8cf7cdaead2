import type { z } from 'zod';
import { type AssetEdit, createAssetInput } from '#shared/features/assets/assets.ts';
import {
  ASSET_DEFAULTS,
  ASSET_FREQUENCY_LABELS,
  ASSET_TYPE_LABELS,
  OUTLET_KIND_LABELS,
} from '#shared/features/assets/assets.vocabulary.ts';
import type { ImportFault, ImportKind } from '#shared/features/imports/imports.vocabulary.ts';
import { importMessages } from '#shared/features/imports/imports-messages.ts';
import type { BuildingFields } from '#shared/features/locations/building-fields.ts';
import { BUILDING_DETAILS } from '#shared/features/locations/building-fields.vocabulary.ts';
import { floorLabel, LEVEL_RANGE } from '#shared/features/locations/floors.ts';
import {
  createBuildingInput,
  createClientInput,
  FLOOR_NAME_MAX,
} from '#shared/features/locations/locations.inputs.ts';
import { placeMessages } from '#shared/features/locations/place-messages.ts';
import { createTaskInput, reasonedTaskInput } from '#shared/features/tasks/tasks.ts';
import { taskMessages } from '#shared/features/tasks/tasks-messages.ts';
import { inviteInput } from '#shared/features/users/users.ts';
import { messages } from '#shared/messages.ts';
import { ROLE_LABELS, type Role } from '#shared/permissions.ts';
import { parseCellList } from '#shared/text/cell-list.ts';
import { nameText } from '#shared/text/text.ts';
import { frequencyFromWords } from './frequency-words.ts';

// Uses no database, because it runs in the thread that parses files.

/** A parsed row of each kind of file. */
export type ImportRows = {
  clients: { name: string };
  buildings: {
    client: string;
    floors: number | undefined;
    basement: boolean;
  } & BuildingFields;
  floors: { client: string; building: string; level: number; name: string };
  assets: Omit<AssetEdit, 'floorId'> & { client: string; building: string; floor: string };
  tasks: {
    client: string;
    building: string;
    complianceSystem: string;
    taskDescription: string;
    frequency: string;
    responsiblePerson: string;
    lastDone: string | null;
    stated: string | null;
    /** Null unless the task is marked as non-compliant. */
    markReason: string | null;
    /** The due day in an exported list. */
    due: string | null;
  };
  people: { email: string; firstName: string; lastName: string; role: Role | null; buildings: string[] };
};

/** The cells of a row by the template's column names. */
export type Cells = Readonly<{ [column: string]: string }>;
/** Reports a fault; null as column if it concerns the whole row. */
export type TellFault = (column: string | null, text: string) => void;

/** Names of buildings per person, which are looked up one by one on the main thread. */
const BUILDINGS_MAX = 3_000;
const BECAUSE = 'Non-compliant Because';
const YES_NO = { yes: 'Yes', no: 'No', true: 'True', false: 'False', y: 'Y', n: 'N' } as const;

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];

const client = createClientInput.shape;
const building = createBuildingInput.shape;
const floorName = nameText().max(FLOOR_NAME_MAX, messages.common.tooLong(FLOOR_NAME_MAX));
const asset = createAssetInput.shape;
const task = createTaskInput.shape;
const reasonedTask = reasonedTaskInput.shape;
const person = inviteInput.shape;

/** Parses a row without looking anything up; undefined if a fault prevents the lookup. */
export const ROW_READERS: {
  readonly [kind in ImportKind]: (cells: Cells, fault: TellFault) => ImportRows[kind] | undefined;
} = {
  clients(cells, fault) {
    const name = parseCell(client.name, cells['Client'] ?? '', 'Client', fault);
    return name === undefined ? undefined : { name };
  },

  buildings(cells, fault) {
    const clientName = parseCell(building.clientName, cells['Client'] ?? '', 'Client', fault);
    const name = parseCell(building.name, cells['Building Name'] ?? '', 'Building Name', fault);
    const wanted = (cells['Floors'] ?? '').trim();
    const floors = wanted === '' ? undefined : (wholeNumber(wanted) ?? Number.NaN);
    if (Number.isNaN(floors)) fault('Floors', importMessages.notNumber);
    else if (floors !== undefined) parseCell(building.floors, floors, 'Floors', fault);
    const basement = saysYes('Basement');
    const details = Object.fromEntries(
      BUILDING_DETAILS.map(({ field, column, control }) => [
        field,
        control === 'yes-no'
          ? saysYes(column)
          : (parseCell(building[field], cells[column] ?? '', column, fault) ?? null),
      ]),
      // The cast: each field was parsed by its own schema.
    ) as Omit<BuildingFields, 'name'>;
    if (clientName === undefined || name === undefined) return undefined;
    return { client: clientName, name, ...details, floors, basement };

    /** A missing column or empty cell means No. */
    function saysYes(column: string): boolean {
      const said = (cells[column] ?? '').trim();
      const answer = said === '' ? 'no' : parseLabel(YES_NO, said);
      if (answer === undefined) fault(column, importMessages.notOneOf('Yes, No'));
      return answer === 'yes' || answer === 'true' || answer === 'y';
    }
  },

  floors(cells, fault) {
    const clientName = (cells['Client'] ?? '').trim();
    const buildingName = (cells['Building Name'] ?? '').trim();
    if (buildingName === '') fault('Building Name', placeMessages.buildingNameRequired);
    const level = wholeNumber(cells['Level'] ?? '');
    const valid = level !== undefined && level >= LEVEL_RANGE.lowest && level <= LEVEL_RANGE.highest;
    if (!valid) fault('Level', importMessages.levelInvalid);
    const name = parseCell(floorName, cells['Floor Name'] ?? '', 'Floor Name', fault);
    if (buildingName === '' || !valid || name === undefined) return undefined;
    return {
      client: clientName,
      building: buildingName,
      level,
      name: name === '' ? floorLabel(level) : name,
    };
  },

  assets(cells, fault) {
    const cell = (name: string) => (cells[name] ?? '').trim();
    const buildingName = cell('Building Name');
    if (buildingName === '') fault('Building Name', messages.locations.buildingRequired);
    const name = parseCell(asset.name, cell('Name'), 'Name', fault);
    const description = parseCell(asset.description, cell('Description'), 'Description', fault);
    const roomName = parseCell(asset.roomName, cell('Room'), 'Room', fault);
    const count =
      cell('Quantity') === '' ? ASSET_DEFAULTS.quantity : (wholeNumber(cell('Quantity')) ?? Number.NaN);
    const quantity = parseCell(asset.quantity, count, 'Quantity', fault);
    const lastVisitDate = parseCell(asset.lastVisitDate, dayFrom(cell('Last Visit')), 'Last Visit', fault);
    const word = <Value extends string, Empty>(
      labels: Readonly<{ [key in Value]: string }>,
      column: string,
      empty: Empty,
    ): Value | Empty | undefined => {
      if (cell(column) === '') return empty;
      const value = parseLabel(labels, cell(column));
      if (value === undefined) {
        fault(column, importMessages.notOneOf(Object.values(labels).join(', ')));
      }
      return value;
    };
    const type = word(ASSET_TYPE_LABELS, 'Type', ASSET_DEFAULTS.type);
    const outletKind = word(OUTLET_KIND_LABELS, 'Outlet Kind', null);
    const frequency = word(ASSET_FREQUENCY_LABELS, 'Frequency', ASSET_DEFAULTS.frequency);
    if (buildingName === '' || name === undefined || description === undefined || roomName === undefined) {
      return undefined;
    }
    if (quantity === undefined || type === undefined || outletKind === undefined || frequency === undefined) {
      return undefined;
    }
    if (lastVisitDate === undefined) return undefined;
    return {
      client: cell('Client'),
      building: buildingName,
      floor: cell('Floor'),
      name,
      description,
      roomName,
      quantity,
      type,
      outletKind,
      frequency,
      lastVisitDate,
    };
  },

  tasks(cells, fault) {
    const cell = (name: string) => (cells[name] ?? '').trim();
    const building = cell('Building Name');
    if (building === '') fault('Building Name', taskMessages.locationRequired);
    const complianceSystem = parseCell(task.complianceSystem, cell('System'), 'System', fault);
    const taskDescription = parseCell(task.taskDescription, cell('Description'), 'Description', fault);
    const frequency = frequencyFromWords(cell('Frequency'));
    if (cell('Frequency') === '') fault('Frequency', taskMessages.frequencyRequired);
    else if (frequency === undefined) fault('Frequency', importMessages.frequencyUnknown);
    const responsiblePerson = parseCell(task.responsiblePerson, cell('Responsible'), 'Responsible', fault);
    const lastDone = parseCell(task.lastDone, dayFrom(cell('Last Done')), 'Last Done', fault);
    const until = dayFrom(cell('Certificate Until'));
    const stated = parseCell(task.stated, until, 'Certificate Until', fault);
    const said = cell(BECAUSE);
    const markReason = said === '' ? null : parseCell(reasonedTask.reason, said, BECAUSE, fault);
    if (building === '' || complianceSystem === undefined || taskDescription === undefined) return undefined;
    if (markReason === undefined) return undefined;
    if (frequency === undefined || responsiblePerson === undefined) return undefined;
    if (lastDone === undefined || stated === undefined) return undefined;
    const values = { complianceSystem, taskDescription, frequency, responsiblePerson, lastDone, stated };
    return { client: cell('Client'), building, ...values, markReason, due: dayFrom(cell('Due Date')) };
  },

  people(cells, fault) {
    const email = parseCell(person.email, cells['Email'] ?? '', 'Email', fault);
    const firstName = parseCell(person.firstName, cells['First Name'] ?? '', 'First Name', fault);
    const lastName = parseCell(person.lastName, cells['Last Name'] ?? '', 'Last Name', fault);
    // A new person needs a role; exports leave the cell empty for a person who has none.
    const said = (cells['Role'] ?? '').trim();
    const role = said === '' ? null : parseLabel(ROLE_LABELS, said);
    if (role === undefined) fault('Role', importMessages.notOneOf(Object.values(ROLE_LABELS).join(', ')));
    // Without an e-mail address nothing can be looked up; other faults do not prevent it.
    if (email === undefined) return undefined;
    const buildings = parseCellList(cells['Buildings'] ?? '');
    if (buildings.length > BUILDINGS_MAX) fault('Buildings', importMessages.buildingsMany(BUILDINGS_MAX));
    return {
      email,
      firstName: firstName ?? '',
      lastName: lastName ?? '',
      role: role === undefined ? 'viewer' : role,
      buildings: buildings.slice(0, BUILDINGS_MAX),
    };
  },
};

/** Collects faults, one per cell. */
export function faultsInto(faults: ImportFault[]): TellFault {
  return (column, text) => {
    if (!faults.some((fault) => fault.column === column)) faults.push({ column, text });
  };
}

/** Parses a cell with a schema; reports the first problem at the column. */
function parseCell<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
  column: string,
  fault: TellFault,
): z.output<Schema> | undefined {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  fault(column, result.error.issues[0]?.message ?? '');
  return undefined;
}

/** Finds a value by itself or its label, ignoring case. */
function parseLabel<Value extends string>(
  labels: Readonly<{ [key in Value]: string }>,
  text: string,
): Value | undefined {
  const wanted = plain(text);
  // The cast is needed because Object.entries returns the names as plain strings.
  const entries = Object.entries(labels) as [Value, string][];
  return entries.find(([value, label]) => plain(value) === wanted || plain(label) === wanted)?.[0];
}

function plain(text: string): string {
  return text.toLowerCase().replaceAll(/[\s_-]/g, '');
}

/** Parses a whole number; undefined if it is none. */
function wholeNumber(text: string): number | undefined {
  return /^[+-]?\d{1,9}$/.test(text.trim()) ? Number(text) : undefined;
}

/**
 * Parses a date: 30/11/2026 becomes 2026-11-30, as does "Nov 30, 2026", which earlier exports wrote; an empty cell and
 * "Never" become null.
 */
function dayFrom(text: string): string | null {
  if (text === '' || text.toLowerCase() === 'never') return null;
  const [, word = '', dayOfMonth, inYear] = /^([a-z]{3}) (\d{2}), (\d{4})$/i.exec(text) ?? [];
  const at = MONTHS.indexOf(word.toLowerCase());
  if (at >= 0) return `${inYear}-${String(at + 1).padStart(2, '0')}-${dayOfMonth}`;
  const [, day, month, year] = /^(\d{1,2})\/(\d{1,2})\/(\d{4})$/.exec(text) ?? [];
  if (day === undefined || month === undefined || year === undefined) return text;
  return `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
}
