import { type ReactNode, useCallback, useMemo, useRef, useState } from 'react';
import { formMessages } from '#shared/features/checks/form-messages.ts';
import { isIncident, type LogKind } from '#shared/features/checks/incidents.words.ts';
import { checks } from '#shared/features/checks/index.ts';
import { fireAlarmMessages } from '#shared/features/checks/kind-messages.ts';
import { photoMessages } from '#shared/features/photos-messages.ts';
import { editKeyOf } from '../../offline/draft-keys.ts';
import type { OutboxItem } from '../../offline/types.ts';
import { ErrorState } from '../../ui/error-state.tsx';
import { toast } from '../../ui/toast.ts';
import { PreparingContext, usePreparing } from '../photos/preparing.ts';
import type { EntryDraft } from './check-draft.ts';
import { DraftNotice, isOld } from './draft-notice.tsx';
import { EditNotice } from './edit-notice.tsx';
import { FalseAlarmEntry } from './false-alarm-entry.tsx';
import { PLACE } from './form-fields.ts';
import { FormFoot } from './form-foot.tsx';
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
import { rowsGone, rowsOf } from './rows-of.ts';
import { typedNumber } from './typed-number.ts';
import { draftKeyOf, useCheckDraft } from './use-check-draft.ts';
import { useFormErrors } from './use-form-errors.ts';
import { useRecord } from './use-record.ts';
import { type SiteIndex, useSite } from './use-register.ts';
import { useScanned } from './use-scanned.ts';
import { type FilledForm, validateVisit } from './validate-visit.ts';

type Props = {
  kind: LogKind;
  title: string;
  subtitle: string;
  sites: FromPhone<SiteIndex>;
  siteId: string | undefined;
  today: string;
  operativeName: string;
  /** Null: no longer another name than the person's own. */
  onName: (name: string | null) => void;
  onSite: (siteId: string) => void;
  onRecorded: (operationId: string) => void;
  action?: ReactNode;
  /** The refused record that is put right here. Its site stays, and so does the time of its readings. */
  edits?: OutboxItem;
};

const NO_ROWS: readonly never[] = [];
const NOTHING: EntryDraft = {};

/** The form of any kind of check at one site: drawn from its definition, kept at every key press, sent by the outbox. */
export function CheckForm(props: Props) {
  const { kind, siteId, sites, today, edits } = props;
  const site = useSite(siteId);
  const draftKey = edits === undefined ? draftKeyOf(kind, siteId ?? '') : editKeyOf(edits.id);
  const form = useCheckDraft(draftKey);
  const { draft, setEntry, setVisit } = form;
  const words = useMemo(() => formWordsOf(kind), [kind]);
  const registered = useMemo(
    () => (site.value === undefined || isIncident(kind) ? NO_ROWS : rowsOf(site.value, kind)),
    [site.value, kind],
  );
  const rows = useMemo(() => {
    // Until the site is here, nothing is known to be gone.
    if (site.value === undefined || isIncident(kind)) return NO_ROWS;
    return [...registered, ...rowsGone(registered, kind, draft)];
  }, [registered, site.value, kind, draft]);
  const [busy, setBusy] = useState(false);
  const [preparing, prepare] = usePreparing();
  const [active, setActive] = useState<string>();
  const root = useRef<HTMLDivElement>(null);
  const { errors, refuse, right, rightRow, rightAll } = useFormErrors(root);
  const record = useRecord();
  const visitDate = draft.visitDate ?? today;
  // A name that is taken out stays out of this form alone.
  const [name, setName] = useState<string>();
  const operativeName = draft.first?.operativeName ?? name ?? props.operativeName;
  const old = edits === undefined && isOld(draft, today);
  const ofPlace = checks[kind].subject.of === 'place';
  const filled = ofPlace ? 0 : rows.filter(({ id }) => isFilled(draft.entries[id], words)).length;

  const onChange = useCallback(
    (key: string, patch: Parameters<typeof setEntry>[1]) => {
      setEntry(
        key,
        patch,
        registered.find(({ id }) => id === key),
      );
      rightRow(key, patch);
    },
    [setEntry, rightRow, registered],
  );
  const onVisit = useCallback(
    (patch: Parameters<typeof setVisit>[0]) => {
      setVisit(patch);
      right({ visit: {} });
    },
    [setVisit, right],
  );

  useScanned({ root, kind, site: site.value, ofPlace, place: draft.entries[PLACE], onChange });

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
      operativeName,
      rows,
      draft,
      now,
    };
    const result = validateVisit(filledForm);
    if (!result.ok) {
      refuse(result.errors);
      if (kind === 'fire_alarm_test') {
        const { missingTitle, missing } = fireAlarmMessages;
        toast({ title: missingTitle, text: missing, tone: 'destructive' });
      }
      return;
    }
    rightAll();
    setBusy(true);
    try {
      const { visit } = result;
      const siteName = site.value?.name ?? '';
      const replaces = edits?.id;
      props.onRecorded(await record({ kind, draftKey, draft, visit, siteName, replaces }));
    } catch {
      setBusy(false);
    }
  }

  const loading = siteId !== undefined && (site.status === 'loading' || form.state === 'loading');
  const action = preparing > 0 ? photoMessages.preparing : recordLabel(kind, filled, rows.length);
  return (
    <div
      ref={root}
      onFocusCapture={(event) => {
        // Whoever goes from a row to the timer means that row.
        const row = event.target.closest<HTMLElement>('[data-row]');
        if (row !== null) setActive(row.dataset['row']);
      }}
    >
      <DraftKeyContext value={draftKey}>
        <PreparingContext value={prepare}>
          <FormFrame
            title={props.title}
            subtitle={props.subtitle}
            action={props.action}
            strip={<OfflineStrip />}
            foot={
              <FormFoot
                kind={kind}
                form={form}
                keptAt={site.keptAt}
                rows={rows}
                active={active}
                action={busy ? 'Saving...' : action}
                disabled={busy || loading || preparing > 0}
                onSubmit={() => void submit()}
              />
            }
          >
            <FormHead
              sites={sites.value?.sites ?? NO_ROWS}
              status={sites.status}
              failure={loadFailureOf(kind, sites.error)}
              onRetry={sites.refetch}
              siteId={siteId}
              onSite={props.onSite}
              visitDate={visitDate}
              today={today}
              onDate={(day) => {
                form.setDate(day === today ? null : day);
                right({ visitDate: undefined });
              }}
              operativeName={operativeName}
              onName={(name) => {
                if (edits === undefined) {
                  setName(name);
                  props.onName(name.trim() === '' ? null : name);
                } else form.setFirstName(name);
                right({ operativeName: undefined });
              }}
              errors={errors}
            />
            {edits !== undefined ? (
              <EditNotice kind={kind} item={edits} />
            ) : (
              form.state !== 'loading' && (
                <DraftNotice
                  draft={draft}
                  today={today}
                  onTaken={(day) => form.setDate(day === today ? null : day, today)}
                  onDiscard={() => {
                    rightAll();
                    return form.discard();
                  }}
                />
              )
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
            ) : sites.status === 'error' ? (
              <div className="mt-4">
                <ErrorState title={loadFailureOf(kind, sites.error)} onRetry={sites.refetch} />
              </div>
            ) : null}
          </FormFrame>
        </PreparingContext>
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
