import { CloudOff } from 'lucide-react';
import { useCallback, useSyncExternalStore } from 'react';
import { Link } from 'react-router-dom';
import { formMessages } from '#shared/features/checks/form-messages.ts';
import { useSendQueue } from '../../../offline/queue/use-send-queue.ts';
import { useSession } from '../../session/session-context.ts';

const STRIP =
  'flex min-h-10 items-center gap-2 bg-due-soft px-4 py-2 font-medium text-[13.5px] text-due max-sm:pt-[max(0.5rem,env(safe-area-inset-top))] sm:mt-3 sm:rounded-control';

/** Notice above a form while nothing can be sent: says that saved records are safe, and how many wait to be sent. */
export function OfflineStrip() {
  const online = useOnline();
  const { counts } = useSendQueue();
  const { recordsOnly } = useSession();
  if (recordsOnly) {
    return (
      <p role="status" className={STRIP}>
        <CloudOff size={17} aria-hidden className="shrink-0" />
        <span className="min-w-0 flex-1">{formMessages.expired}</span>
      </p>
    );
  }
  if (online) return null;
  return (
    <Link to="/sync" role="status" className={STRIP}>
      <CloudOff size={17} aria-hidden />
      <span className="min-w-0 flex-1">
        {counts.waiting > 0 ? formMessages.noSignal : formMessages.noSignalNothing}
      </span>
      {counts.waiting > 0 && (
        <span className="shrink-0 tabular-nums">{formMessages.waiting(counts.waiting)}</span>
      )}
    </Link>
  );
}

function useOnline(): boolean {
  const subscribe = useCallback((listener: () => void) => {
    window.addEventListener('online', listener);
    window.addEventListener('offline', listener);
    return () => {
      window.removeEventListener('online', listener);
      window.removeEventListener('offline', listener);
    };
  }, []);
  return useSyncExternalStore(subscribe, () => navigator.onLine);
}
