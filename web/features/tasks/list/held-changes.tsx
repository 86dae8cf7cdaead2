import { RefreshCw } from 'lucide-react';
import { taskMessages } from '#shared/features/tasks/tasks-messages.ts';
import { StickyButton } from '../../../ui/buttons/sticky-button.tsx';

/** Button with the number of changes that a list holds back while its rows are held still; a click shows the changes. */
export function HeldChanges({ count, onTakeIn }: { count: number; onTakeIn: () => void }) {
  return (
    // `contents`, because the sticky button sticks within its nearest box, which must be the whole list.
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
