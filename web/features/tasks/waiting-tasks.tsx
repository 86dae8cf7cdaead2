import { useEffect, useRef } from 'react';
import { type Task, taskSchema } from '#shared/features/tasks.ts';
import { fullName } from '#shared/names.ts';
import { useLive } from '../../live/live-context.tsx';
import type { QueuedCommand, QueuedState } from '../../offline/types.ts';
import { useSendQueue } from '../../offline/use-send-queue.ts';
import { useMe } from '../session/session-context.ts';
import { completionFieldsIn } from './completion-draft.ts';
import { completionOverlay } from './task-overlay.ts';

/** Shows queued completions on their tasks until the server has them, as every other own write is shown. */
export function WaitingTasks() {
  const me = useMe();
  const { items } = useSendQueue();
  const { overlays, cache } = useLive();
  const shown = useRef(new Map<string, QueuedState>());

  useEffect(() => {
    const name = fullName(me);
    const left = new Set(shown.current.keys());
    for (const item of items) {
      left.delete(item.id);
      const before = shown.current.get(item.id);
      const waits = item.state === 'saved' || item.state === 'sending';
      if (waits && before === undefined) {
        const change = changeOf(item, name);
        if (change === undefined) continue;
        const { task, patch } = change;
        overlays.add({ entity: 'task', id: task.id, base: task, patch }, item.id);
        shown.current.set(item.id, item.state);
      } else if (before !== undefined && !waits) {
        shown.current.delete(item.id);
        const version: unknown = Reflect.get(Object(item.receipt), 'version');
        if (typeof version === 'number') overlays.answered(item.id, version, cache.tick());
        else overlays.remove(item.id);
      }
    }
    for (const id of left) {
      shown.current.delete(id);
      overlays.remove(id);
    }
  }, [items, me, overlays, cache]);
  return null;
}

/** The task that a queued command changes as the person saw it, and the fields as it will leave them. */
function changeOf(item: QueuedCommand, name: string): { task: Task; patch: Partial<Task> } | undefined {
  if (item.command !== 'tasks.complete') return undefined;
  const task = taskSchema.safeParse(Reflect.get(Object(item.form?.value), 'task')).data;
  return task && { task, patch: completionOverlay(task, completionFieldsIn(item.input), name) };
}
