import { assertNever } from '#shared/assert-never.ts';
import { checkMessages } from '#shared/features/checks/check-messages.ts';
import type { FieldSpec } from '#shared/features/checks/definition.ts';
import { type AmendEntryInput, checks, definitionOf } from '#shared/features/checks/index.ts';
import { logWordsOf } from '#shared/features/checks/readings.vocabulary.ts';
import { SUPPLY_RESTORED } from '../../form-fields.ts';
import { typedNumber } from '../../typed-number.ts';
import type { LogEntry } from '../records/log-entry.ts';

/** The form values of an amendment by field name: typed text, or the key of an option. */
export type Draft = Readonly<Record<string, string>>;
export type AmendField = FieldSpec & {
  name: string;
  /** The field belongs to the visit rather than to the entry. */
  ofVisit?: true;
};

/** Returns the fields of an entry's kind, in the order of its form. */
export function fieldsOf(entry: LogEntry): AmendField[] {
  const fields: Readonly<Record<string, FieldSpec | undefined>> = checks[entry.kind].fields;
  const ofLine = Object.entries(fields).flatMap(([name, spec]) =>
    spec === undefined ? [] : [{ name, ...spec }],
  );
  const supply = definitionOf(entry.kind).visitFields?.supplyRestored;
  if (supply === undefined) return ofLine;
  // A value that was not recorded may stay unrecorded.
  const { notRecorded = '' } = logWordsOf(entry.kind).supply ?? {};
  const unsaid = entry.supplyRestored === null ? { '': notRecorded } : {};
  const options = { ...unsaid, yes: 'Yes', no: 'No' };
  return [...ofLine, { ...supply, name: SUPPLY_RESTORED, ofVisit: true, options }];
}

/** Returns the form values of the entry before the amendment. */
export function draftOf(entry: LogEntry): Draft {
  return Object.fromEntries(
    fieldsOf(entry).map(({ name, control, ofVisit }) => {
      const value = ofVisit
        ? entry.supplyRestored
        : control === 'notes'
          ? entry.notes
          : (entry.values[name] ?? null);
      if (typeof value === 'boolean') return [name, value ? 'yes' : 'no'];
      return [name, value === null ? '' : String(value)];
    }),
  );
}

export type Amendment = DistributiveOmit<AmendEntryInput, 'operationId'>;
type DistributiveOmit<T, K extends PropertyKey> = T extends unknown ? Omit<T, K> : never;
export type Checked = { input: Amendment | undefined; errors: Record<string, string> };

/**
 * Validates an amendment with the schema of its kind, and returns the input to send or the errors by field.
 * @param id the id of the new entry
 */
export function amendmentOf(entry: LogEntry, draft: Draft, reason: string, id: string): Checked {
  const errors: Record<string, string> = {};
  if (reason.trim() === '') errors['reason'] = checkMessages.reasonRequired;
  const { kind } = entry;
  const parsed = definitionOf(kind).entry.safeParse({
    id,
    photoIds: [],
    ...subjectOf(entry, draft),
    ...valuesOf(entry, draft),
  });
  for (const issue of parsed.error?.issues ?? []) errors[`entry.${issue.path.join('.')}`] ??= issue.message;
  if (!parsed.success) return { errors, input: undefined };
  // The cast: the entry was parsed by the schema of this kind, which the union cannot express.
  const input = {
    kind,
    entryId: entry.id,
    reason: reason.trim(),
    entry: parsed.data,
    ...ofVisit(entry, draft),
  } as unknown as Amendment;
  return { errors, input };
}

/** Returns the asset that the entry is about. A renamed test location no longer refers to its asset. */
function subjectOf(entry: LogEntry, draft: Draft): Record<string, string | null> {
  const { subject, entry: schema } = checks[entry.kind];
  if (subject.of === 'assets')
    return { ['outletId' in schema.shape ? 'outletId' : 'assetId']: entry.assetId };
  const before = draftOf(entry);
  const renamed = fieldsOf(entry).some(
    ({ name, control }) => control === 'text' && draft[name] !== before[name],
  );
  return { assetId: renamed ? null : entry.assetId };
}

/** Returns the amended fields of the visit; empty when they are unchanged. */
function ofVisit(entry: LogEntry, draft: Draft): { supplyRestored?: boolean } {
  const said = draft[SUPPLY_RESTORED] ?? '';
  return said === '' || said === draftOf(entry)[SUPPLY_RESTORED] ? {} : { supplyRestored: said === 'yes' };
}

function valuesOf(entry: LogEntry, draft: Draft): Record<string, unknown> {
  return Object.fromEntries(
    fieldsOf(entry)
      .filter(({ ofVisit }) => ofVisit !== true)
      .map(({ name, control }) => [name, read(control, draft[name] ?? '')]),
  );
}

function read(control: FieldSpec['control'], typed: string): unknown {
  switch (control) {
    case 'text':
    case 'paragraph':
    case 'time':
    case 'choice':
      return typed;
    case 'notes':
      return typed.trim() === '' ? null : typed;
    case 'number':
      return typedNumber(typed) ?? null;
    case 'pass-fail':
    case 'tick':
      return typed === 'yes';
    case 'pass-fail-untested':
      return typed === '' ? null : typed === 'yes';
    default:
      return assertNever(control);
  }
}
