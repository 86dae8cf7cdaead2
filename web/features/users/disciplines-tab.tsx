import { Pencil, Plus, Tags, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { formatDate } from '#shared/dates.ts';
import type { Discipline } from '#shared/features/disciplines/disciplines.ts';
import { disciplineMessages } from '#shared/features/disciplines/disciplines-messages.ts';
import { messages } from '#shared/messages.ts';
import { usePermissions } from '../../lib/can.tsx';
import { messageFor } from '../../lib/trpc/message-for.ts';
import { useHighlight } from '../../live/hooks/use-highlight.ts';
import { useLiveQuery } from '../../live/hooks/use-live-query.ts';
import { usePending } from '../../live/hooks/use-pending.ts';
import { Button } from '../../ui/buttons/button.tsx';
import { IconButton } from '../../ui/buttons/icon-button.tsx';
import { Card } from '../../ui/card.tsx';
import { cx } from '../../ui/cx.ts';
import { ConfirmDialog } from '../../ui/dialogs/confirm-dialog.tsx';
import { EmptyState } from '../../ui/feedback/empty-state.tsx';
import { ErrorState } from '../../ui/feedback/error-state.tsx';
import { PendingDot } from '../../ui/feedback/pending-dot.tsx';
import { Skeleton } from '../../ui/feedback/skeleton.tsx';
import { AddDisciplineDialog, EditDisciplineDialog } from './discipline-dialog.tsx';
import { disciplines } from './disciplines.live.ts';
import { useDisciplineCommands } from './use-disciplines.ts';

/** Disciplines, by which documents are grouped. For people who may manage documents. */
export function DisciplinesTab() {
  const { can } = usePermissions();
  if (can('manage_building_documents')) return <DisciplineList />;
  return (
    <Card className="max-w-2xl bg-mute p-5">
      <p className="text-ink-2">{disciplineMessages.forbidden}</p>
    </Card>
  );
}

type Asked = { what: 'add' } | { what: 'edit' | 'delete'; discipline: Discipline };

function DisciplineList() {
  const { data, status, error, refetch } = useLiveQuery(disciplines, undefined);
  const { remove } = useDisciplineCommands();
  const [asked, setAsked] = useState<Asked | undefined>(undefined);
  const close = () => setAsked(undefined);
  const add = () => setAsked({ what: 'add' });

  return (
    <div className="grid max-w-3xl gap-4">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <h2 className="font-semibold text-md">Disciplines</h2>
        <Button variant="primary" className="max-sm:w-full" onClick={add}>
          <Plus size={16} aria-hidden />
          Add Discipline
        </Button>
      </div>
      {status === 'loading' && <Skeleton className="h-40 rounded-card" />}
      {status === 'error' && (
        <ErrorState
          title={disciplineMessages.fetchFailed}
          text={messageFor(error, messages.common.notReached)}
          error={error}
          onRetry={refetch}
        />
      )}
      {status === 'ready' && data?.length === 0 && (
        <EmptyState
          icon={<Tags size={20} />}
          title={disciplineMessages.none}
          text={disciplineMessages.noneText}
        />
      )}
      {data !== undefined && data.length > 0 && (
        <ul className="divide-y divide-line overflow-hidden rounded-card border border-line bg-surface">
          {data.map((discipline) => (
            <DisciplineRow key={discipline.id} discipline={discipline} onAsk={setAsked} />
          ))}
        </ul>
      )}
      {asked?.what === 'add' && <AddDisciplineDialog onClose={close} />}
      {asked?.what === 'edit' && <EditDisciplineDialog discipline={asked.discipline} onClose={close} />}
      {asked?.what === 'delete' && (
        <ConfirmDialog
          title={`Delete ${asked.discipline.name}?`}
          action="Delete"
          onClose={close}
          onConfirm={() => {
            close();
            void remove(asked.discipline);
          }}
        >
          <p className="text-ink-2">{disciplineMessages.deleteConfirm}</p>
        </ConfirmDialog>
      )}
    </div>
  );
}

function DisciplineRow({ discipline, onAsk }: { discipline: Discipline; onAsk: (asked: Asked) => void }) {
  const pending = usePending('discipline', discipline.id);
  const glow = useHighlight('discipline', discipline.id);
  return (
    <li className={cx('flex items-center gap-2 px-4 py-2', glow !== undefined && 'glow')}>
      <div className="min-w-0 flex-1 py-1">
        <p className="font-medium [overflow-wrap:anywhere]">{discipline.name}</p>
        <p className="text-ink-2 text-sm">Added {formatDate(discipline.createdAt)}</p>
      </div>
      {pending && <PendingDot />}
      <IconButton label={`Edit ${discipline.name}`} onClick={() => onAsk({ what: 'edit', discipline })}>
        <Pencil size={16} aria-hidden />
      </IconButton>
      <IconButton label={`Delete ${discipline.name}`} onClick={() => onAsk({ what: 'delete', discipline })}>
        <Trash2 size={16} aria-hidden />
      </IconButton>
    </li>
  );
}
