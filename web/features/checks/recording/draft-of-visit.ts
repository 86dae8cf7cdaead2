import { z } from 'zod';
import { assertNever } from '#shared/assert-never.ts';
import { LOG_KINDS, type LogKind } from '#shared/features/checks/incidents.vocabulary.ts';
import { checks } from '#shared/features/checks/index.ts';
import { AT_ONCE, SAVE_AS_POINT, SUPPLY_RESTORED, TEST_LOCATION_KEY } from '../form-fields.ts';
import { type CheckDraft, EMPTY_DRAFT } from '../kinds/check-draft.ts';
import type { EntryDraft, Typed } from '../kinds/entry-draft.ts';
import type { FormSpec } from '../kinds/form-spec.ts';
import { fieldsOf, formSpecOf } from '../kinds/form-specs.ts';
import { subjectFieldOf } from '../kinds/to-visit.ts';

// Rebuilds the form draft from a stored record, for records stored without a draft or with a draft of another version.
// The result is undefined for a record with any value that the form cannot represent, because correcting part of a
// record would lose the rest.

/**
 * Fields of stored records that every version knows. Strict: unknown fields would be lost in the form, so a record with
 * unknown fields is rejected.
 */
const keptVisit = z.strictObject({
  kind: z.enum(LOG_KINDS),
  visitId: z.uuid(),
  buildingId: z.uuid(),
  visitDate: z.iso.date(),
  operativeName: z.string(),
  performedAt: z.iso.datetime(),
  clock: z.object({ offsetMs: z.number(), notBefore: z.string() }).optional(),
  durationSeconds: z.number().optional(),
  filledAtOnce: z.number().optional(),
  openSeconds: z.number().optional(),
  keepPlace: z.boolean().optional(),
  supplyRestored: z.boolean().optional(),
  entries: z.array(z.looseObject({ id: z.string(), photoIds: z.array(z.string()).optional() })),
});

/** Returns the kind, site and draft of a stored record, or undefined when it does not fit its form. */
export function draftOfVisit(
  input: unknown,
): { kind: LogKind; buildingId: string; draft: CheckDraft } | undefined {
  const parsed = keptVisit.safeParse(input);
  if (!parsed.success) return undefined;
  const { kind, buildingId, visitId, visitDate, performedAt, clock } = parsed.data;
  const entries: Record<string, EntryDraft> = {};
  const visit: Record<string, Typed> = {};
  for (const line of parsed.data.entries) {
    const filled = fillEntry(kind, line);
    if (filled === undefined || filled.key in entries) return undefined;
    entries[filled.key] = filled.entry;
    for (const [name, typed] of Object.entries(filled.visit)) {
      // A choice applies to the whole visit, so all entries must agree.
      if ((visit[name] ?? typed) !== typed) return undefined;
      visit[name] = typed;
    }
  }
  if (parsed.data.supplyRestored === true) visit[SUPPLY_RESTORED] = true;
  const place = entries[TEST_LOCATION_KEY];
  if (parsed.data.keepPlace === true && place !== undefined)
    entries[TEST_LOCATION_KEY] = { ...place, [SAVE_AS_POINT]: true };
  markFilled(entries, formSpecOf(kind), parsed.data.filledAtOnce ?? 0);
  const { openSeconds } = parsed.data;
  const known = {
    ...(clock === undefined ? {} : { clock }),
    ...(openSeconds === undefined ? {} : { openMs: openSeconds * 1_000 }),
  };
  const times = { startedAt: performedAt, touchedAt: performedAt, ...known };
  return { kind, buildingId, draft: { ...EMPTY_DRAFT, visitId, visitDate, entries, visit, ...times } };
}

/**
 * Marks rows as filled by the "fill all" button. A record contains only the number of such rows, so the first rows with
 * that outcome are marked.
 */
function markFilled(
  entries: Record<string, EntryDraft>,
  { fillAll, outcome }: FormSpec,
  count: number,
): void {
  const filled = Object.entries(entries).filter(([, entry]) => entry[outcome.field] === fillAll?.value);
  for (const [key, entry] of filled.slice(0, count)) entries[key] = { ...entry, [AT_ONCE]: true };
}

type Filled = { key: string; entry: EntryDraft; visit: EntryDraft };

function fillEntry(kind: LogKind, line: Readonly<Record<string, unknown>>): Filled | undefined {
  const { id, photoIds: _photos, ...values } = line;
  const subjectField = subjectFieldOf(kind);
  const subject = values[subjectField];
  const ofPlace = checks[kind].subject.of === 'place';
  if (typeof id !== 'string' || (!ofPlace && typeof subject !== 'string')) return undefined;
  const entry: Record<string, Typed> = { id };
  const visit: Record<string, Typed> = {};
  if (ofPlace && typeof subject === 'string') entry[subjectField] = subject;
  const fields = fieldsOf(checks[kind]);
  for (const [name, value] of Object.entries(values)) {
    const control = fields[name]?.control;
    if (name === subjectField) continue;
    if (control === 'pass-fail-untested' && value === null) entry[name] = 'not_tested';
    if (value === null || value === undefined) continue;
    if (control === undefined) return undefined;
    const typed = typedOf(control, value, values['notes']);
    if (typed === 'unknown') return undefined;
    if (typed === undefined) continue;
    if (control === 'choice' && !ofPlace) visit[name] = typed.value;
    else entry[name] = typed.value;
  }
  return { key: ofPlace ? TEST_LOCATION_KEY : String(subject), entry, visit };
}

/**
 * Returns the field value that gives this stored value: undefined for an untouched field, `'unknown'` for a value that
 * the control cannot give.
 */
function typedOf(
  control: ReturnType<typeof fieldsOf>[string]['control'],
  value: unknown,
  notes: unknown,
): { value: string } | undefined | 'unknown' {
  switch (control) {
    case 'text':
    case 'paragraph':
    case 'time':
    case 'notes':
    case 'choice':
      return typeof value === 'string' ? { value } : 'unknown';
    case 'number':
      return typeof value === 'number' ? { value: String(value) } : 'unknown';
    case 'pass-fail':
    case 'pass-fail-untested':
      return typeof value === 'boolean' ? { value: value ? 'pass' : 'fail' } : 'unknown';
    case 'tick':
      if (typeof value !== 'boolean') return 'unknown';
      // No tick and no notes: the row was left untouched.
      return value ? { value: 'pass' } : notes == null ? undefined : { value: 'fail' };
    default:
      return assertNever(control);
  }
}
