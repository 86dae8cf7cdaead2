import { useCallback, useMemo, useRef, useState } from 'react';
import type { Task } from '#shared/features/tasks/tasks.ts';
import { TASK_SELECTION_MAX } from '#shared/features/tasks/tasks.vocabulary.ts';
import { taskMessages } from '#shared/features/tasks/tasks-messages.ts';
import { toast } from '../../../ui/feedback/toast.ts';

/** The selection among the listed tasks. A task that leaves the list or is filtered out is no longer selected. */
export function useSelection(tasks: readonly Task[]) {
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const latest = useRef(chosen);
  latest.current = chosen;

  const onSelectAll = useCallback((ids: readonly string[], on: boolean) => {
    const next = new Set(latest.current);
    for (const id of ids) {
      if (on) next.add(id);
      else next.delete(id);
    }
    if (next.size > TASK_SELECTION_MAX) {
      toast({ title: taskMessages.selectionBounded(TASK_SELECTION_MAX), tone: 'info' });
      return;
    }
    latest.current = next;
    setChosen(next);
  }, []);
  const onSelect = useCallback((id: string, on: boolean) => onSelectAll([id], on), [onSelectAll]);
  const clear = useCallback(() => setChosen(new Set()), []);
  const selected = useMemo(() => tasks.filter((task) => chosen.has(task.id)), [tasks, chosen]);
  return { selected, onSelect, onSelectAll, clear };
}
