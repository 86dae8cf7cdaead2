import { RefreshCw } from 'lucide-react';
import { taskMessages } from '#shared/features/tasks-messages.ts';
import { StickyButton } from '../../ui/sticky-button.tsx';

/** Says how many changes a list that is held still has not taken in, and takes them in. */
export function HeldChanges({ count, onTakeIn }: { count: number; onTakeIn: () => void }) {
  return (
    <div role="status">
      {count > 0 && (
        <StickyButton onClick={onTakeIn}>
          <RefreshCw size={15} aria-hidden />
          {taskMessages.showChanges(count)}
        </StickyButton>
      )}
    </div>
  );
}
