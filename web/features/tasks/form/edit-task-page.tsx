import { CircleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { useNavigate, useParams, useSearchParams } from 'react-router-dom';
import type { Task } from '#shared/features/tasks/tasks.ts';
import { taskName } from '#shared/features/tasks/tasks.vocabulary.ts';
import { taskMessages } from '#shared/features/tasks/tasks-messages.ts';
import { messages } from '#shared/messages.ts';
import { useServerOrCopy } from '../../../lib/server-or-copy.ts';
import { uuidOrNull } from '../../../lib/uuid-or-null.ts';
import { useLiveQuery } from '../../../live/hooks/use-live-query.ts';
import { isRefusedRead } from '../../../live/stream/wire-error.ts';
import { editKeyOf } from '../../../offline/draft-keys.ts';
import { useDraft } from '../../../offline/use-draft.ts';
import { Button } from '../../../ui/buttons/button.tsx';
import { ButtonLink } from '../../../ui/buttons/button-link.tsx';
import { Card } from '../../../ui/card.tsx';
import { CopyAge } from '../../../ui/feedback/copy-age.tsx';
import { Skeleton } from '../../../ui/feedback/skeleton.tsx';
import { Page } from '../../../ui/page.tsx';
import { Correction } from '../correction.tsx';
import { useKeptTask } from '../kept-lists.ts';
import { changesDraftOf } from '../task-draft.ts';
import { oneTask } from '../tasks.live.ts';
import { EditTaskForm } from './edit-task-form.tsx';

/** "Edit Task": `?edit=` opens refused changes again. */
export default function EditTaskPage() {
  const { taskId: id = '' } = useParams();
  const known = uuidOrNull(id);
  if (id === '') return <Failed title={taskMessages.noId} />;
  if (known === null) return <Failed title={taskMessages.notFound(id)} />;
  return <OneTask key={known} id={known} />;
}

function OneTask({ id }: { id: string }) {
  const live = useLiveQuery(oneTask, { id });
  const kept = useKeptTask(id);
  const { status, value: task, keptAt, refetch } = useServerOrCopy<Task | null>(live, live.data, kept);
  // The same message for a task that does not exist and for a task of a building that the person may not see.
  if (task === null || isRefusedRead(live.error)) return <Failed title={taskMessages.notFound(id)} />;
  if (status === 'error') {
    return (
      <Failed title={taskMessages.fetchOneFailed}>
        <Button onClick={refetch}>{messages.common.tryAgain}</Button>
      </Failed>
    );
  }
  if (task === undefined) return <Loading />;
  return <Editor task={task} keptAt={keptAt} />;
}

function Editor({ task, keptAt }: { task: Task; keptAt: string | undefined }) {
  const navigate = useNavigate();
  const edited = useSearchParams()[0].get('edit');
  const draftKey = changesDraftOf(task.id);
  const [, , { state }] = useDraft<unknown>(draftKey, undefined);
  const onDone = () => void navigate('/dashboard');
  return (
    <Page title={`Edit ${task.taskNumber}`} subtitle={taskName(task)}>
      <div className="grid max-w-2xl gap-3 lg:max-w-5xl">
        <CopyAge keptAt={keptAt} />
        <Card className="p-4 sm:p-5">
          {edited !== null ? (
            <Correction key={edited} id={edited}>
              {(item) => (
                <EditTaskForm task={task} draftKey={editKeyOf(item.id)} edits={item} onDone={onDone} />
              )}
            </Correction>
          ) : state === 'loading' ? (
            <Skeleton className="h-96" />
          ) : (
            <EditTaskForm task={task} draftKey={draftKey} onDone={onDone} />
          )}
        </Card>
      </div>
    </Page>
  );
}

function Loading() {
  return (
    <Page>
      <div className="grid max-w-2xl gap-3 lg:max-w-5xl">
        <p role="status" className="text-ink-2">
          {taskMessages.loadingOne}
        </p>
        <Skeleton className="h-96" />
      </div>
    </Page>
  );
}

function Failed({ title, children }: { title: string; children?: ReactNode }) {
  return (
    <Page back={null}>
      <div
        role="alert"
        className="grid justify-items-center gap-1 rounded-card border border-line bg-surface px-6 py-12 text-center"
      >
        <div className="mb-2 grid size-11 place-items-center rounded-full bg-bad-soft text-bad" aria-hidden>
          <CircleAlert size={20} />
        </div>
        <h2 className="font-semibold text-ink text-md [overflow-wrap:anywhere]">{title}</h2>
        <div className="mt-4 flex flex-wrap justify-center gap-2.5">
          {children}
          <ButtonLink to="/dashboard">Back to Dashboard</ButtonLink>
        </div>
      </div>
    </Page>
  );
}
