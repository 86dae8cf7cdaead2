import { type ReactNode, useCallback, useMemo, useRef, useState } from 'react';
import { formMessages } from '#shared/features/checks/form-messages.ts';
import { isIncident, type LogKind } from '#shared/features/checks/incidents.vocabulary.ts';
import { checks, definitionOf } from '#shared/features/checks/index.ts';
import { photoMessages } from '#shared/features/photos/photos-messages.ts';
import type { ServerOrCopy } from '../../../lib/server-or-copy.ts';
import { editKeyOf } from '../../../offline/draft-keys.ts';
import type { QueuedCommand } from '../../../offline/types.ts';
import { ErrorState } from '../../../ui/feedback/error-state.tsx';
import { toast } from '../../../ui/feedback/toast.ts';
import { PhotosInProgressContext, usePhotosInProgress } from '../../photos/photos-in-progress.ts';
import type { DueSites } from '../due/due-sites.ts';
import { type OfflineBuildingIndex, useRegisterBuilding } from '../due/use-register.ts';
import { TEST_LOCATION_FIELD, TEST_LOCATION_KEY } from '../form-fields.ts';
import { isOldDraft } from '../kinds/check-draft.ts';
import type { EntryDraft } from '../kinds/entry-draft.ts';
import { formPartsOf } from '../kinds/form-parts.ts';
import { FormRows } from '../kinds/form-rows.tsx';
import { formSpecOf, isFilled } from '../kinds/form-specs.ts';
import { nextNumber } from '../kinds/next-number.ts';
import { DraftKeyContext } from '../kinds/rows/row-photos.tsx';
import type { CheckRow } from '../kinds/rows/row-props.ts';
import { missingRows, rowsOf } from '../kinds/rows/rows-of.ts';
import { TestLocationEntry } from '../kinds/test-location-entry.tsx';
import { testPointsOf } from '../kinds/test-points.ts';
import { type FilledForm, type VisitInput, validateVisit } from '../kinds/validate-visit.ts';
import { DraftNotice } from './draft-notice.tsx';
import { EditNotice } from './edit-notice.tsx';
import { FormFoot } from './form-foot.tsx';
import { FormFrame } from './form-frame.tsx';
import { FormHead } from './form-head.tsx';
import { FormSkeleton } from './form-skeleton.tsx';
import { loadFailureOf } from './load-failure.ts';
import { MissingDialog } from './missing-dialog.tsx';
import { OfflineStrip } from './offline-strip.tsx';
import { useOwnRecords } from './own-records.ts';
import { recordLabel } from './receipt/record-label.ts';
import { SiteNote } from './site/site-note.tsx';
import { SitePresence } from './site/site-presence.tsx';
import { useOpeningPoint } from './site/use-opening-point.ts';
import { useScanned } from './site/use-scanned.ts';
import { useSiteStanding } from './site/use-site-standing.ts';
import { draftKeyOf, useCheckDraft } from './use-check-draft.ts';
import { useFormErrors } from './use-form-errors.ts';
import { useRecord } from './use-record.ts';
import { useTestedSubjects } from './use-tested-subjects.ts';

type Props = {
  kind: LogKind;
  title: string;
  subtitle: string;
  sites: ServerOrCopy<OfflineBuildingIndex>;
  siteId: string | undefined;
  today: string;
  operativeName: string;
  /** Null restores the person's own name. */
  onName: (name: string | null) => void;
  onSite: (siteId: string) => void;
  onRecorded: (operationId: string, visit: VisitInput) => void;
  /** Sites where the check is due; undefined when not known. */
  due?: DueSites | undefined;
  /** Sites visited today, most recent first. */
  round?: readonly string[];
  action?: ReactNode;
  /** The refused record being corrected. Its site and the time of its readings stay. */
  edits?: QueuedCommand;
};

const NO_ROWS: readonly never[] = [];
const NOTHING: EntryDraft = {};

/**
 * The form of any kind of check or incident at one site, built from its definition. The draft is stored at every
 * keystroke; submitting adds it to the send queue.
 */
export function CheckForm(props: Props) {
  const { kind, siteId, sites, today, edits } = props;
  const site = useRegisterBuilding(siteId);
  const draftKey = edits === undefined ? draftKeyOf(kind, siteId ?? '') : editKeyOf(edits.id);
  const form = useCheckDraft(draftKey);
  const { draft, setEntry, setVisit } = form;
  const formSpec = useMemo(() => formSpecOf(kind), [kind]);
  const own = useOwnRecords();
  const scheduled = isIncident(kind) || edits !== undefined ? undefined : kind;
  const standing = useSiteStanding({
    kind: scheduled,
    site: site.value,
    isSettled: site.isSettled,
    own,
    today,
  });
  const done = useTestedSubjects({ siteId, kind: scheduled, today }, standing, site.isSettled);
  const registered = useMemo(
    () => (site.value === undefined || isIncident(kind) ? NO_ROWS : rowsOf(site.value, kind, done)),
    [site.value, kind, done],
  );
  const rows = useMemo(() => {
    // Until the register has loaded, no asset counts as gone.
    if (site.value === undefined || isIncident(kind)) return NO_ROWS;
    return [...registered, ...missingRows(registered, kind, draft)];
  }, [registered, site.value, kind, draft]);
  const [busy, setBusy] = useState(false);
  const [asking, setAsking] = useState(false);
  const [preparing, prepare] = usePhotosInProgress();
  const [active, setActive] = useState<string>();
  const root = useRef<HTMLDivElement>(null);
  const { errors, refuse, right, rightRow, rightAll } = useFormErrors(root);
  const record = useRecord();
  const visitDate = draft.visitDate ?? today;
  // A name cleared here is not remembered for other forms.
  const [name, setName] = useState<string>();
  const operativeName = draft.first?.operativeName ?? name ?? props.operativeName;
  const old = edits === undefined && isOldDraft(draft, today);
  const ofPlace = checks[kind].subject.of === 'place';
  const points = useMemo(
    () =>
      ofPlace && !isIncident(kind) && site.value !== undefined
        ? testPointsOf(site.value, kind, own)
        : NO_ROWS,
    [ofPlace, kind, site.value, own],
  );
  const { opening, setDeclined, beginAnew } = useOpeningPoint({
    isOpen: ofPlace && edits === undefined && form.state !== 'loading',
    points: site.isSettled ? points : undefined,
    entry: draft.entries[TEST_LOCATION_KEY],
  });
  const placeEntry = { ...opening, ...draft.entries[TEST_LOCATION_KEY] };
  const isRowFilled = ({ id }: CheckRow) => isFilled(draft.entries[id], formSpec);
  const filled = ofPlace ? 0 : rows.filter(isRowFilled).length;
  const wanted = rows.filter((row) => row.done !== true || isRowFilled(row)).length;

  const onChange = useCallback(
    (key: string, patch: Parameters<typeof setEntry>[1]) => {
      if (TEST_LOCATION_FIELD in patch) setDeclined(true);
      setEntry(
        key,
        // The preselected test point is stored with the first result.
        key === TEST_LOCATION_KEY && opening !== undefined ? { ...opening, ...patch } : patch,
        registered.find(({ id }) => id === key),
      );
      rightRow(key, patch);
    },
    [setEntry, rightRow, registered, opening, setDeclined],
  );
  const onVisit = useCallback(
    (patch: Parameters<typeof setVisit>[0]) => {
      setVisit(patch);
      right({ visit: {} });
    },
    [setVisit, right],
  );

  const { fillAll } = form;
  const onFillAll = useCallback(
    (all: readonly CheckRow[], filling: EntryDraft) => {
      fillAll(all, filling);
      for (const { id } of all) rightRow(id, filling);
    },
    [fillAll, rightRow],
  );

  useScanned({ root, kind, site: site.value, ofPlace, place: draft.entries[TEST_LOCATION_KEY], onChange });

  const empty = ofPlace ? 0 : rows.filter((row) => !row.gone && !row.done && !isRowFilled(row)).length;

  /** @param asked the person has confirmed that rows without a result are left out */
  async function submit(asked: boolean) {
    if (old) {
      toast({ title: formMessages.draftOldFirst, tone: 'destructive' });
      root.current?.querySelector<HTMLElement>('[data-draft-age] button')?.focus();
      return;
    }
    const now = new Date();
    const draft = form.atHandIn();
    const filledForm: FilledForm = {
      kind,
      formSpec,
      siteId,
      visitDate,
      today,
      operativeName,
      rows,
      draft:
        opening === undefined
          ? draft
          : { ...draft, entries: { ...draft.entries, [TEST_LOCATION_KEY]: placeEntry } },
      now,
    };
    const result = validateVisit(filledForm);
    if (!result.ok) {
      refuse(result.errors);
      const { incomplete } = definitionOf(kind).messages;
      if (incomplete !== undefined) toast({ ...incomplete, tone: 'destructive' });
      return;
    }
    rightAll();
    setAsking(!asked && empty > 0);
    if (!asked && empty > 0) return;
    setBusy(true);
    try {
      const { visit } = result;
      const siteName = site.value?.name ?? '';
      const replaces = edits?.id;
      props.onRecorded(await record({ kind, draftKey, draft, visit, siteName, replaces }), visit);
    } catch {
      setBusy(false);
    }
  }

  const loading = siteId !== undefined && (site.status === 'loading' || form.state === 'loading');
  const { Entry } = formPartsOf(kind);
  const action = preparing > 0 ? photoMessages.preparing : recordLabel(kind, filled, wanted);
  return (
    <div
      ref={root}
      onFocusCapture={(event) => {
        // The timer belongs to the last focused row, also when the focus moves on to the timer itself.
        const row = event.target.closest<HTMLElement>('[data-row]');
        if (row !== null) setActive(row.dataset['row']);
      }}
      onKeyDownCapture={nextNumber}
    >
      <DraftKeyContext value={draftKey}>
        <PhotosInProgressContext value={prepare}>
          <FormFrame
            title={props.title}
            subtitle={props.subtitle}
            action={props.action}
            presence={siteId !== undefined && <SitePresence siteId={siteId} kind={kind} />}
            strip={<OfflineStrip />}
            foot={
              <FormFoot
                kind={kind}
                form={form}
                keptAt={site.keptAt}
                rows={rows}
                active={active}
                action={busy ? 'Saving...' : action}
                siteName={site.value?.name ?? ''}
                disabled={busy || loading || preparing > 0}
                onSubmit={() => void submit(false)}
              />
            }
          >
            <FormHead
              sites={sites.value?.sites ?? NO_ROWS}
              status={sites.status}
              failure={loadFailureOf(kind, sites.error)}
              onRetry={sites.refetch}
              due={props.due}
              round={props.round ?? NO_ROWS}
              siteId={siteId}
              siteNote={<SiteNote kind={kind} standing={standing} />}
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
                    beginAnew();
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
                Entry !== undefined && (
                  <div className="mt-2.5">
                    <Entry
                      site={site.value}
                      entry={draft.entries[TEST_LOCATION_KEY] ?? NOTHING}
                      errors={errors.rows[TEST_LOCATION_KEY]}
                      onChange={onChange}
                    />
                  </div>
                )
              ) : ofPlace ? (
                <div className="mt-2.5">
                  <TestLocationEntry
                    kind={kind}
                    points={points}
                    day={visitDate}
                    entry={placeEntry}
                    errors={errors.rows[TEST_LOCATION_KEY]}
                    formSpec={formSpec}
                    onChange={onChange}
                  />
                </div>
              ) : (
                <FormRows
                  kind={kind}
                  formSpec={formSpec}
                  rows={rows}
                  filled={filled}
                  wanted={wanted}
                  draft={draft}
                  errors={errors}
                  onChange={onChange}
                  onVisit={onVisit}
                  onFillAll={onFillAll}
                  onUndoFill={form.undoFill}
                />
              )
            ) : siteId !== undefined ? (
              <div className="mt-4">
                <ErrorState
                  title={loadFailureOf(kind, site.error)}
                  error={site.error}
                  onRetry={site.refetch}
                />
              </div>
            ) : sites.status === 'error' ? (
              <div className="mt-4">
                <ErrorState
                  title={loadFailureOf(kind, sites.error)}
                  error={sites.error}
                  onRetry={sites.refetch}
                />
              </div>
            ) : null}
          </FormFrame>
          {asking && !isIncident(kind) && (
            <MissingDialog
              kind={kind}
              missing={empty}
              onBack={() => setAsking(false)}
              onSave={() => {
                setAsking(false);
                void submit(true);
              }}
            />
          )}
        </PhotosInProgressContext>
      </DraftKeyContext>
    </div>
  );
}
