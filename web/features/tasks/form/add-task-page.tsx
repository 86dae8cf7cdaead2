import { Building2 } from 'lucide-react';
import { useState } from 'react';
import { useNavigate, useSearchParams } from 'react-router-dom';
import type { BuildingOption } from '#shared/features/locations/locations.ts';
import { taskMessages } from '#shared/features/tasks/tasks-messages.ts';
import { messages } from '#shared/messages.ts';
import { usePermissions } from '../../../lib/can.tsx';
import { messageFor } from '../../../lib/trpc/message-for.ts';
import { useOffline } from '../../../offline/offline-context.tsx';
import { useDraft } from '../../../offline/use-draft.ts';
import { ButtonLink } from '../../../ui/buttons/button-link.tsx';
import { Card } from '../../../ui/card.tsx';
import { CopyAge } from '../../../ui/feedback/copy-age.tsx';
import { EmptyState } from '../../../ui/feedback/empty-state.tsx';
import { ErrorState } from '../../../ui/feedback/error-state.tsx';
import { Skeleton } from '../../../ui/feedback/skeleton.tsx';
import { Page } from '../../../ui/page.tsx';
import { useMyBuildings } from '../../locations/pickers/use-my-buildings.ts';
import { Correction } from '../correction.tsx';
import { NEW_TASK_DRAFT } from '../task-draft.ts';
import { AddTaskForm } from './add-task-form.tsx';

/** "Add Task": `?building=` preselects the location, `?edit=` opens a refused task again. */
export default function AddTaskPage() {
  const { status, value: buildings, keptAt, error, refetch } = useMyBuildings();
  return (
    <Page subtitle="A compliance task at one of your locations">
      {status === 'error' ? (
        <ErrorState
          title={messageFor(error, messages.locations.loadFailed)}
          error={error}
          onRetry={refetch}
        />
      ) : buildings === undefined ? (
        <Skeleton className="h-96 max-w-2xl lg:max-w-5xl" />
      ) : buildings.length === 0 ? (
        <NoLocations />
      ) : (
        <div className="grid max-w-2xl gap-3 lg:max-w-5xl">
          <CopyAge keptAt={keptAt} />
          <Card className="p-4 sm:p-5">
            <TaskForm buildings={buildings} />
          </Card>
        </div>
      )}
    </Page>
  );
}

function NoLocations() {
  const mayAdd = usePermissions().can('create_buildings');
  return (
    <EmptyState
      icon={<Building2 size={20} />}
      title={taskMessages.noBuildings}
      text={mayAdd ? undefined : taskMessages.askAdministrator}
      action={mayAdd ? <ButtonLink to="/add-building">Add Building</ButtonLink> : undefined}
    />
  );
}

function TaskForm({ buildings }: { buildings: readonly BuildingOption[] }) {
  const navigate = useNavigate();
  const [params, setParams] = useSearchParams();
  const { drafts } = useOffline();
  const [, , { state }] = useDraft<unknown>(NEW_TASK_DRAFT, undefined);
  /** Incremented to start the form again. */
  const [nth, setNth] = useState(0);
  const [building, edited] = [params.get('building'), params.get('edit')];
  const onDone = () => void navigate('/dashboard');

  async function startAgain() {
    await drafts.clear(NEW_TASK_DRAFT).catch(() => undefined);
    setParams({}, { replace: true });
    setNth((before) => before + 1);
  }

  if (edited !== null) {
    return (
      <Correction key={edited} id={edited}>
        {(item) => <AddTaskForm buildings={buildings} buildingId={null} edits={item} onDone={onDone} />}
      </Correction>
    );
  }
  // No fields before the draft has been read, because the draft would replace typed values.
  if (state === 'loading') return <Skeleton className="h-96" />;
  return (
    <AddTaskForm
      key={nth}
      buildings={buildings}
      buildingId={building}
      onDone={onDone}
      onStartAgain={() => void startAgain()}
    />
  );
}
