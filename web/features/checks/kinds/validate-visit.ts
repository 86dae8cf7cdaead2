import { checkMessages } from '#shared/features/checks/check-messages.ts';
import { DURATION_MAX_SECONDS } from '#shared/features/checks/define.ts';
import { formMessages } from '#shared/features/checks/form-messages.ts';
import { isIncident, type LogKind } from '#shared/features/checks/incidents.vocabulary.ts';
import { checks, definitionOf, recordVisitInput } from '#shared/features/checks/index.ts';
import { CHECK_VOCABULARY } from '#shared/features/checks/kinds.vocabulary.ts';
import { uuidv7 } from '#shared/ids.ts';
import type { OfflineInput } from '#shared/offline.ts';
import { SAVE_AS_POINT, SUPPLY_RESTORED, TEST_LOCATION_KEY } from '../form-fields.ts';
import { type CheckDraft, EMPTY_ENTRY, filledAtOnce, isEntered, openMsOf } from './check-draft.ts';
import type { EntryDraft } from './entry-draft.ts';
import type { FormSpec } from './form-spec.ts';
import { isAsked } from './form-specs.ts';
import type { CheckRow, RowErrors } from './rows/row-props.ts';
import { durationOf, type Line, toLine } from './to-visit.ts';

/** Error messages of a form, by field. */
export type FormErrors = {
  site?: string | undefined;
  visitDate?: string | undefined;
  operativeName?: string | undefined;
  /** Error of the rows as a group. */
  group?: string | undefined;
  rows: Readonly<Record<string, RowErrors>>;
  /** Errors of the visit's own fields. */
  visit: RowErrors;
};
export const NO_ERRORS: FormErrors = { rows: {}, visit: {} };

/** The input as stored in the send queue; the operation id and the device time are added when it is sent. */
export type VisitInput = OfflineInput<'checks.record'>;

export type FilledForm = {
  kind: LogKind;
  formSpec: FormSpec;
  siteId: string | undefined;
  visitDate: string;
  today: string;
  operativeName: string;
  rows: readonly CheckRow[];
  draft: CheckDraft;
  now: Date;
};

/** Validates a form with the server's schema plus the form's own requirements, and returns the visit to store. */
export function validateVisit(
  form: FilledForm,
): { ok: true; visit: VisitInput } | { ok: false; errors: FormErrors } {
  const { kind, draft, now } = form;
  const lines = linesOf(form);
  const openMs = openMsOf(draft);
  // Taken from the draft state that `performedAt` comes from.
  const clock = draft.first === undefined ? draft.clock : draft.first.clock;
  const whole = {
    kind,
    operationId: draft.operationId ?? uuidv7(now.getTime()),
    visitId: draft.visitId ?? uuidv7(now.getTime()),
    buildingId: form.siteId ?? '',
    visitDate: form.visitDate,
    operativeName: form.operativeName,
    performedAt: draft.first?.performedAt ?? draft.touchedAt ?? now.toISOString(),
    deviceNow: now.toISOString(),
    ...(clock === undefined ? {} : { clock }),
    ...(definitionOf(kind).visitFields?.supplyRestored !== undefined && lines.length > 0
      ? { [SUPPLY_RESTORED]: draft.visit[SUPPLY_RESTORED] === true }
      : {}),
    durationSeconds: draft.first === undefined ? durationOf(draft) : draft.first.durationSeconds,
    ...(form.formSpec.fillAll === undefined
      ? {}
      : {
          filledAtOnce: filledAtOnce(
            draft,
            lines.map(({ key }) => key),
          ),
        }),
    ...(openMs === undefined
      ? {}
      : { openSeconds: Math.min(Math.round(openMs / 1_000), DURATION_MAX_SECONDS) }),
    ...(draft.entries[TEST_LOCATION_KEY]?.[SAVE_AS_POINT] === true ? { keepPlace: true } : {}),
    entries: lines.map(({ value }) => value),
  };
  const parsed = recordVisitInput.safeParse(whole);
  const errors = errorsOf(form, lines, parsed.success ? [] : parsed.error.issues);
  if (!parsed.success || hasErrors(errors)) return { ok: false, errors };
  const { operationId: _id, deviceNow: _now, ageMs: _age, ...visit } = parsed.data;
  return { ok: true, visit };
}

/** Returns whether any error message is set. */
export function hasErrors({ rows, visit, ...fields }: FormErrors): boolean {
  return (
    Object.values(fields).some((text) => text !== undefined) ||
    Object.keys(rows).length > 0 ||
    Object.keys(visit).length > 0
  );
}

/** Returns the entries of the record, in the order of the form. */
function linesOf({ kind, formSpec, rows, draft }: FilledForm): Line[] {
  const { visit } = draft;
  if (checks[kind].subject.of === 'place') {
    return [withId(toLine(kind, TEST_LOCATION_KEY, draft.entries[TEST_LOCATION_KEY] ?? EMPTY_ENTRY, visit))];
  }
  return rows.flatMap(({ id, gone, done }) => {
    const entry = draft.entries[id];
    if ((gone || done) && !isEntered(entry ?? EMPTY_ENTRY)) return [];
    // Every outlet of the site gets an entry, including untouched ones.
    if (formSpec.everyRow === true) return [withId(toLine(kind, id, entry ?? EMPTY_ENTRY, visit))];
    return entry === undefined ? [] : [withId(toLine(kind, id, entry, visit))];
  });
}

function withId(line: Line): Line {
  return line.value['id'] === undefined ? { ...line, value: { ...line.value, id: uuidv7() } } : line;
}

type Issue = { path: PropertyKey[]; message: string };

function errorsOf(form: FilledForm, lines: readonly Line[], issues: readonly Issue[]): FormErrors {
  const { kind, formSpec, draft, rows } = form;
  const wrong: Record<string, Record<string, string>> = {};
  const errors: FormErrors & { visit: Record<string, string> } = { rows: wrong, visit: {} };
  const put = (key: string, field: string, message: string) => {
    wrong[key] ??= {};
    wrong[key][field] ??= message;
  };

  for (const { path, message } of issues) {
    const [first, at, field] = path;
    const line = typeof at === 'number' ? lines[at] : undefined;
    if (first === 'buildingId') errors.site ??= message;
    else if (first === 'visitDate') errors.visitDate ??= message;
    else if (first === 'operativeName') errors.operativeName ??= message;
    else if (first === SUPPLY_RESTORED) errors.visit[SUPPLY_RESTORED] ??= message;
    else if (line !== undefined && typeof field === 'string') put(line.key, field, message);
    else errors.group ??= message;
  }
  if (form.visitDate > form.today) errors.visitDate ??= checkMessages.dateInFuture;

  if (formSpec.missing !== undefined && hasField(wrong, formSpec.missing.field, draft)) {
    errors.group ??= formSpec.missing.text;
  }
  for (const row of rows) askFor(row.id, draft.entries[row.id], form, put);
  const { subject } = checks[kind];
  if (
    !isIncident(kind) &&
    subject.of === 'assets' &&
    subject.type !== 'water_outlet' &&
    rows.length > 0 &&
    lines.length === 0
  ) {
    // The definition's own message is for a site without any such asset.
    errors.group = formMessages.noneRecorded(CHECK_VOCABULARY[kind].subject.one.toLowerCase());
  }
  if (formSpec.everyRow === true && subject.of === 'assets' && rows.length === 0)
    errors.group ??= subject.noneMessage;
  return errors;
}

/** Returns whether a row is invalid because this field is empty. */
function hasField(wrong: Record<string, Record<string, string>>, field: string, draft: CheckDraft): boolean {
  return Object.entries(wrong).some(
    ([key, errors]) => errors[field] !== undefined && draft.entries[key]?.[field] === undefined,
  );
}

/** Reports the form's own requirements: notes for certain outcomes, and numbers that belong to an outcome. */
function askFor(
  key: string,
  entry: EntryDraft | undefined,
  { formSpec, draft }: FilledForm,
  put: (key: string, field: string, message: string) => void,
): void {
  if (entry === undefined) return;
  const outcome = entry[formSpec.outcome.field];
  if (typeof outcome !== 'string') return;
  const required = formSpec.reasons[outcome];
  const notes = entry['notes'];
  if (required !== undefined && (typeof notes !== 'string' || notes.trim() === ''))
    put(key, 'notes', required);
  for (const number of formSpec.numbers) {
    if (
      number.required !== undefined &&
      isAsked(number, outcome, draft.visit) &&
      entry[number.field] === undefined
    ) {
      put(key, number.field, number.required);
    }
  }
}
