import { useEffect, useRef } from 'react';
import { fullName } from '#shared/text/names.ts';
import { useLive } from '../../../live/live-context.tsx';
import { useSendQueue } from '../../../offline/queue/use-send-queue.ts';
import { useMe } from '../../session/session-context.ts';
import { isWaiting, patchOf, seenTaskOf } from '../waiting-changes.ts';

/** Shows queued completions and edits as overlays until the server has them, like every other own write. */
export function WaitingTasks() {
  const me = useMe();
  const { items } = useSendQueue();
  const { overlays, cache } = useLive();
  const shown = useRef(new Set<string>());

  useEffect(() => {
    const name = fullName(me);
    const left = new Set(shown.current);
    for (const item of items) {
      left.delete(item.id);
      const isShown = shown.current.has(item.id);
      const waits = isWaiting(item);
      if (waits && !isShown) {
        const task = seenTaskOf(item);
        const patch = task && patchOf(item, task, name);
        if (task === undefined || patch === undefined) continue;
        overlays.add({ entity: 'task', id: task.id, base: task, patch }, item.id);
        shown.current.add(item.id);
      } else if (isShown && !waits) {
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
