import { RefreshCw } from 'lucide-react';
import { taskMessages } from '#shared/features/tasks/tasks-messages.ts';
import { StickyButton } from '../../../ui/buttons/sticky-button.tsx';

/** Button with the number of changes that a list holds back while it is held still; a press shows them. */
export function HeldChanges({ count, onTakeIn }: { count: number; onTakeIn: () => void }) {
  return (
    // Without a box of its own: the button is stuck within the box around it, which must be the whole list.
    <div role="status" className="contents">
      {count > 0 && (
        <StickyButton onClick={onTakeIn}>
          <RefreshCw size={15} aria-hidden />
          {taskMessages.showChanges(count)}
        </StickyButton>
      )}
    </div>
  );
}
