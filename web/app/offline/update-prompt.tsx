import { useState, useSyncExternalStore } from 'react';
import { messages } from '#shared/messages.ts';
import { useOfflineIfUsed } from '../../offline/offline-context.tsx';
import { Button } from '../../ui/buttons/button.tsx';
import { toastError } from '../../ui/feedback/toast.ts';
import { updateNow, updates } from './register-service-worker.ts';

/** Announces that a newer version is waiting, and updates on request. */
export function UpdatePrompt() {
  const drafts = useOfflineIfUsed()?.drafts;
  const ready = useSyncExternalStore(updates.subscribe, updates.isReady, updates.isReady);
  const [busy, setBusy] = useState(false);
  if (!ready) return null;

  async function update() {
    setBusy(true);
    if (drafts === undefined || (await drafts.settled())) {
      updateNow();
      return;
    }
    setBusy(false);
    toastError(messages.app.updateKeeps);
  }

  return (
    <div
      role="status"
      className="flex flex-wrap items-center justify-center gap-x-4 gap-y-1 border-line border-b bg-brand-soft px-4 py-1.5 text-brand print:hidden"
    >
      {messages.app.updateReady}
      <Button disabled={busy} onClick={() => void update()}>
        {messages.app.updateNow}
      </Button>
    </div>
  );
}
