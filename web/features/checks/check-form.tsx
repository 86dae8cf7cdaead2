import { Check } from 'lucide-react';
import { type ReactNode, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { formMessages } from '#shared/features/checks/form-messages.ts';
import { isIncident, type LogKind } from '#shared/features/checks/incidents.words.ts';
import { checks } from '#shared/features/checks/index.ts';
import { fireAlarmMessages } from '#shared/features/checks/kind-messages.ts';
import { ErrorState } from '../../ui/error-state.tsx';
import { toast } from '../../ui/toast.ts';
import { type CheckDraft, type EntryDraft, isTouched } from './check-draft.ts';
import { DraftNotice, isOld } from './draft-notice.tsx';
import { FalseAlarmEntry } from './false-alarm-entry.tsx';
import { PLACE } from './form-fields.ts';
import { FormFrame } from './form-frame.tsx';
import { FormHead } from './form-head.tsx';
import { FormRows } from './form-rows.tsx';
import { FormSkeleton } from './form-skeleton.tsx';
import { type FormWords, formWordsOf } from './form-words.ts';
import type { FromPhone } from './from-phone.ts';
import { loadFailureOf } from './load-failure.ts';
import { OfflineStrip } from './offline-strip.tsx';
import { PlaceEntry } from './place-entry.tsx';
import { recordLabel } from './record-label.ts';
import { DraftKeyContext } from './row-photos.tsx';
import type { CheckRow } from './row-props.ts';
import { rowsOf } from './rows-of.ts';
import { SaveState } from './save-state.tsx';
import { TimerButton } from './timer-button.tsx';
import { typedNumber } from './typed-number.ts';
import { draftKeyOf, useCheckDraft } from './use-check-draft.ts';
import { useRecord } from './use-record.ts';
import { type SiteIndex, useSite } from './use-register.ts';
import { useScanned } from './use-scanned.ts';
import { type FilledForm, type FormErrors, NO_ERRORS, validateVisit } from './validate-visit.ts';

type Props = {
  kind: LogKind;
  title: string;
  subtitle: string;
  sites: FromPhone<SiteIndex>;
  siteId: string | undefined;
  today: string;
  operativeName: string;
  onName: (name: string) => void;
  /** `touched`: something was entered that another site's form will not show. */
  onSite: (siteId: string, touched: boolean) => void;
  onRecorded: (operationId: string) => void;
  action?: ReactNode;
};

const NO_ROWS: readonly never[] = [];
const NOTHING: EntryDraft = {};
/** What little-used outlets run at least. */
const FLUSH_MINUTES = 2;

/** The form of any kind of check at one site: drawn from its definition, kept at every key press, sent by the outbox. */
export function CheckForm(props: Props) {
  const { kind, siteId, sites, today } = props;
  const site = useSite(siteId);
  const form = useCheckDraft(kind, siteId ?? '');
  const { draft, setEntry, setVisit } = form;
  const words = useMemo(() => formWordsOf(kind), [kind]);
  const rows = useMemo(
    () => (site.value === undefined || isIncident(kind) ? NO_ROWS : rowsOf(site.value, kind)),
    [site.value, kind],
  );
  const [errors, setErrors] = useState(NO_ERRORS);
  const [refusals, setRefusals] = useState(0);
  const [busy, setBusy] = useState(false);
  const [active, setActive] = useState<string>();
  const root = useRef<HTMLDivElement>(null);
  const record = useRecord();
  const visitDate = draft.visitDate ?? today;
  const old = isOld(draft, today);
  const ofPlace = checks[kind].subject.of === 'place';
  const filled = ofPlace ? 0 : rows.filter(({ id }) => isFilled(draft.entries[id], words)).length;

  // What is being put right no longer needs to be told.
  const onChange = useCallback(
    (key: string, patch: Parameters<typeof setEntry>[1]) => {
      setEntry(key, patch);
      setErrors((now) => (now === NO_ERRORS ? now : without(now, key, patch)));
    },
    [setEntry],
  );
  const onVisit = useCallback(
    (patch: Parameters<typeof setVisit>[0]) => {
      setVisit(patch);
      setErrors((now) => (now === NO_ERRORS ? now : { ...now, visit: {} }));
    },
    [setVisit],
  );

  useScanned({ root, kind, site: site.value, ofPlace, place: draft.entries[PLACE], onChange });

  // Once for each refusal: what is put right afterwards must not take the focus away.
  useEffect(() => {
    if (refusals === 0) return;
    const first = root.current?.querySelector<HTMLElement>('[aria-invalid], [data-invalid]');
    const control = first?.matches('[role=group]') === true ? first.querySelector('button') : first;
    control?.focus();
    first?.scrollIntoView({ block: 'center' });
  }, [refusals]);

  async function submit() {
    if (old) {
      toast({ title: formMessages.draftOldFirst, tone: 'destructive' });
      root.current?.querySelector<HTMLElement>('[data-draft-age] button')?.focus();
      return;
    }
    const now = new Date();
    const filledForm: FilledForm = {
      kind,
      words,
      siteId,
      visitDate,
      today,
      operativeName: props.operativeName,
      rows,
      draft,
      now,
    };
    const result = validateVisit(filledForm);
    if (!result.ok) {
      setErrors(result.errors);
      setRefusals((count) => count + 1);
      if (kind === 'fire_alarm_test') {
        const { missingTitle, missing } = fireAlarmMessages;
        toast({ title: missingTitle, text: missing, tone: 'destructive' });
      }
      return;
    }
    setErrors(NO_ERRORS);
    setBusy(true);
    try {
      const id = await record({ kind, draft, visit: result.visit, siteName: site.value?.name ?? '' });
      props.onRecorded(id);
    } catch {
      setBusy(false);
    }
  }

  const loading = siteId !== undefined && (site.status === 'loading' || form.state === 'loading');
  return (
    <div
      ref={root}
      onFocusCapture={(event) => setActive(event.target.closest<HTMLElement>('[data-row]')?.dataset['row'])}
    >
      <DraftKeyContext value={draftKeyOf(kind, siteId ?? '')}>
        <FormFrame
          title={props.title}
          subtitle={props.subtitle}
          action={props.action}
          strip={<OfflineStrip />}
          foot={
            <>
              <SaveState draft={form} keptAt={site.keptAt} />
              <div className="flex gap-2.5">
                {kind === 'water_temperature_check' && (
                  <TimerButton minutes={minutesOf(rows, active, draft)} />
                )}
                {kind === 'outlet_flushing' && <TimerButton minutes={FLUSH_MINUTES} />}
                <button
                  type="button"
                  disabled={busy || loading}
                  onClick={() => void submit()}
                  className="flex h-[54px] min-w-0 flex-1 touch-manipulation items-center justify-center gap-2.5 rounded-[13px] bg-brand px-4 font-semibold text-[17px] text-on-brand transition-colors enabled:hover:bg-brand-strong disabled:opacity-55"
                >
                  <Check size={20} aria-hidden />
                  <span className="truncate">
                    {busy ? 'Saving...' : recordLabel(kind, filled, rows.length)}
                  </span>
                </button>
              </div>
            </>
          }
        >
          <FormHead
            sites={sites.value?.sites ?? NO_ROWS}
            status={sites.status}
            onRetry={sites.refetch}
            siteId={siteId}
            onSite={(id) => props.onSite(id, isTouched(draft))}
            visitDate={visitDate}
            today={today}
            onDate={(day) => {
              form.setDate(day === today ? null : day);
              setErrors((now) => (now === NO_ERRORS ? now : { ...now, visitDate: undefined }));
            }}
            operativeName={props.operativeName}
            onName={(name) => {
              props.onName(name);
              setErrors((now) => (now === NO_ERRORS ? now : { ...now, operativeName: undefined }));
            }}
            errors={errors}
          />
          {form.state !== 'loading' && (
            <DraftNotice
              draft={draft}
              today={today}
              onTaken={(day) => form.setDate(day === today ? null : day, today)}
              onDiscard={() => void form.clear()}
            />
          )}
          {loading ? (
            <div className="mt-4">
              <FormSkeleton />
            </div>
          ) : site.value !== undefined ? (
            isIncident(kind) ? (
              <div className="mt-2.5">
                <FalseAlarmEntry
                  site={site.value}
                  entry={draft.entries[PLACE] ?? NOTHING}
                  errors={errors.rows[PLACE]}
                  onChange={onChange}
                />
              </div>
            ) : ofPlace ? (
              <div className="mt-2.5">
                <PlaceEntry
                  kind={kind}
                  site={site.value}
                  day={visitDate}
                  entry={draft.entries[PLACE] ?? NOTHING}
                  errors={errors.rows[PLACE]}
                  words={words}
                  onChange={onChange}
                />
              </div>
            ) : (
              <FormRows
                kind={kind}
                words={words}
                rows={rows}
                filled={filled}
                draft={draft}
                errors={errors}
                onChange={onChange}
                onVisit={onVisit}
              />
            )
          ) : siteId !== undefined ? (
            <div className="mt-4">
              <ErrorState title={loadFailureOf(kind, site.error)} onRetry={site.refetch} />
            </div>
          ) : null}
        </FormFrame>
      </DraftKeyContext>
    </div>
  );
}

/** Whether a row counts as done in the tally. */
function isFilled(entry: EntryDraft | undefined, { outcome, numbers }: FormWords): boolean {
  if (entry === undefined) return false;
  if (outcome.field === '') {
    return numbers.some(({ field }) => Number.isFinite(typedNumber(entry[field])));
  }
  return entry[outcome.field] !== undefined || entry['notes'] !== undefined;
}

/** How long the outlet that is being measured runs first; before any is touched, the next one. */
function minutesOf(rows: readonly CheckRow[], active: string | undefined, draft: CheckDraft): number {
  const row =
    rows.find(({ id }) => id === active) ??
    rows.find(({ id }) => draft.entries[id]?.['temperatureCelsius'] === undefined);
  return row?.runMinutes ?? rows[0]?.runMinutes ?? 2;
}

/** The errors without those of the fields that have just changed. */
function without(errors: FormErrors, key: string, patch: EntryDraft): FormErrors {
  const { [key]: row, ...others } = errors.rows;
  const left = Object.entries(row ?? {}).filter(([field]) => !(field in patch));
  return {
    ...errors,
    group: undefined,
    rows: left.length === 0 ? others : { ...others, [key]: Object.fromEntries(left) },
  };
}
