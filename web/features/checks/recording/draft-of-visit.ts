import { z } from 'zod';
import { assertNever } from '#shared/assert-never.ts';
import { LOG_KINDS, type LogKind } from '#shared/features/checks/incidents.vocabulary.ts';
import { checks } from '#shared/features/checks/index.ts';
import { AT_ONCE, SAVE_AS_POINT, SUPPLY_RESTORED, TEST_LOCATION_KEY } from '../form-fields.ts';
import { type CheckDraft, EMPTY_DRAFT, type EntryDraft, type Typed } from '../kinds/check-draft.ts';
import { fieldsOf, formWordsOf } from '../kinds/form-vocabulary.ts';
import type { FormWords } from '../kinds/form-words.ts';
import { subjectFieldOf } from '../kinds/to-visit.ts';

// The way back from a record to the form that made it, for records that were kept without their form, or with that of
// another version. Whatever would not be in the form makes it none: half a record is not put right.

/** What every version has kept of a record. Fields of its own would be lost in this form, so they are not let through. */
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

/** The kind and the site of a record whose form can be filled from it, and what that form holds. */
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
      // Said once for all lines in this form.
      if ((visit[name] ?? typed) !== typed) return undefined;
      visit[name] = typed;
    }
  }
  if (parsed.data.supplyRestored === true) visit[SUPPLY_RESTORED] = true;
  const place = entries[TEST_LOCATION_KEY];
  if (parsed.data.keepPlace === true && place !== undefined)
    entries[TEST_LOCATION_KEY] = { ...place, [SAVE_AS_POINT]: true };
  markFilled(entries, formWordsOf(kind), parsed.data.filledAtOnce ?? 0);
  const { openSeconds } = parsed.data;
  const known = {
    ...(clock === undefined ? {} : { clock }),
    ...(openSeconds === undefined ? {} : { openMs: openSeconds * 1_000 }),
  };
  const times = { startedAt: performedAt, touchedAt: performedAt, ...known };
  return { kind, buildingId, draft: { ...EMPTY_DRAFT, visitId, visitDate, entries, visit, ...times } };
}

/** A record tells how many of its rows one press had filled, not which: those that have its outcome, from the first on. */
function markFilled(
  entries: Record<string, EntryDraft>,
  { fillAll, outcome }: FormWords,
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

/** What was typed or pressed for a value to come of it; undefined for one that comes of nothing. */
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
      // Nobody came to a row without a tick and without a reason.
      return value ? { value: 'pass' } : notes == null ? undefined : { value: 'fail' };
    default:
      return assertNever(control);
  }
}
