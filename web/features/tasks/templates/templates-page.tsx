import { Building2, SearchX } from 'lucide-react';
import { lazy, Suspense, useCallback, useDeferredValue, useMemo, useState } from 'react';
import { TASK_TEMPLATES, type TaskTemplate } from '#shared/features/tasks/task-templates.ts';
import { groupTemplates } from '#shared/features/tasks/task-templates.vocabulary.ts';
import { templateMessages } from '#shared/features/tasks/task-templates-messages.ts';
import { messages } from '#shared/messages.ts';
import { messageFor } from '../../../lib/trpc/message-for.ts';
import { useLiveQuery } from '../../../live/hooks/use-live-query.ts';
import { Button } from '../../../ui/buttons/button.tsx';
import { EmptyState } from '../../../ui/feedback/empty-state.tsx';
import { ErrorState } from '../../../ui/feedback/error-state.tsx';
import { Skeleton } from '../../../ui/feedback/skeleton.tsx';
import { Page } from '../../../ui/page.tsx';
import { useUrlState } from '../../../ui/use-url-state.ts';
import { myBuildings } from '../../locations/pickers/my-buildings.live.ts';
import { NoBuildings } from '../../locations/pickers/no-buildings.tsx';
import { templateOffer } from '../tasks.live.ts';
import { Duties } from './duties.tsx';
import { TemplateFilters } from './template-filters.tsx';
import { type Standing, TemplateList } from './template-list.tsx';
import { NO_FILTERS, templatesUrl } from './templates-url.ts';
import { useChosenTemplates } from './use-chosen-templates.ts';

const PreviewDialog = lazy(() => import('./preview-dialog.tsx'));

/** The library of templates: the duties that a building lacks, the templates in use there, and those that can be added. */
export default function TemplatesPage() {
  const { state, change } = useUrlState(templatesUrl);
  const mine = useLiveQuery(myBuildings, undefined);
  const [only, ...others] = mine.data ?? [];
  const id = state.building ?? (others.length === 0 ? (only?.id ?? null) : null);
  const building = mine.data?.find((one) => one.id === id);
  const offer = useLiveQuery(templateOffer, { buildingId: id ?? '' }, { enabled: building !== undefined });
  const { chosen, choose, clear } = useChosenTemplates(id, offer.data);
  const [previewing, setPreviewing] = useState(false);

  const filter = useDeferredValue(state);
  const groups = useMemo(() => groupTemplates(filter), [filter]);
  const shown = groups.reduce((sum, { templates }) => sum + templates.length, 0);
  const inUse = building === undefined ? undefined : offer.data?.inUse;
  const standingOf = useCallback(
    ({ id: templateId, isInForce }: TaskTemplate): Standing => {
      if (!isInForce) return 'notInForce';
      if (inUse === undefined) return 'noBuilding';
      return inUse.includes(templateId) ? 'inUse' : 'offered';
    },
    [inUse],
  );

  if (mine.data?.length === 0) {
    return (
      <Page subtitle={templateMessages.subtitle}>
        <NoBuildings />
      </Page>
    );
  }
  return (
    <Page
      subtitle={templateMessages.subtitle}
      back={{ to: `/compliance-details${id === null ? '' : `?building=${id}`}` }}
    >
      <div className="grid grid-cols-[minmax(0,1fr)] gap-5">
        <TemplateFilters
          state={state}
          building={building?.id ?? null}
          onChange={change}
          count={templateMessages.count(shown, TASK_TEMPLATES.length)}
        />
        {building === undefined ? (
          mine.status !== 'loading' && (
            <p className="flex items-center gap-2 rounded-card bg-mute px-4 py-3 text-ink-2">
              <Building2 size={16} className="shrink-0" aria-hidden />
              {templateMessages.chooseBuilding}
            </p>
          )
        ) : offer.status === 'error' ? (
          <ErrorState
            title={templateMessages.loadFailed}
            text={messageFor(offer.error, messages.common.notReached)}
            error={offer.error}
            onRetry={offer.refetch}
          />
        ) : offer.data === undefined ? (
          <Skeleton className="h-40 rounded-card" />
        ) : (
          <Duties buildingId={building.id} offer={offer.data} chosen={chosen} onChoose={choose} />
        )}
        <section aria-label={templateMessages.library} className="min-w-0">
          <h2 className="sr-only">{templateMessages.library}</h2>
          {groups.length === 0 ? (
            <EmptyState
              icon={<SearchX size={20} />}
              title={templateMessages.noneMatch}
              text={templateMessages.noneMatchText}
              action={<Button onClick={() => change(NO_FILTERS)}>Clear Filters</Button>}
            />
          ) : (
            <TemplateList groups={groups} standingOf={standingOf} chosen={chosen} onChoose={choose} />
          )}
        </section>
      </div>
      {building !== undefined && chosen.size > 0 && (
        <div className="sticky bottom-0 z-10 short:static -mx-4 mt-5 flex flex-wrap items-center gap-2.5 border-line border-t bg-surface px-4 pt-3 pb-[max(0.75rem,env(safe-area-inset-bottom))] sm:mx-0 sm:rounded-t-panel sm:border-x">
          <p className="mr-auto font-medium text-ink tabular-nums" aria-live="polite">
            {templateMessages.selected(chosen.size)}
          </p>
          <Button variant="quiet" onClick={clear}>
            Clear
          </Button>
          <Button variant="primary" onClick={() => setPreviewing(true)}>
            {templateMessages.preview(chosen.size)}
          </Button>
        </div>
      )}
      <Suspense fallback={null}>
        {previewing && building !== undefined && (
          <PreviewDialog
            building={building}
            templateIds={[...chosen]}
            onClose={() => setPreviewing(false)}
            onAdded={() => {
              setPreviewing(false);
              clear();
            }}
          />
        )}
      </Suspense>
    </Page>
  );
}
