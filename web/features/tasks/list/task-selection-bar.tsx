import { Archive, CalendarClock, UserRound, X } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import type { Task } from '#shared/features/tasks/tasks.ts';
import { Button } from '../../../ui/buttons/button.tsx';
import { IconButton } from '../../../ui/buttons/icon-button.tsx';
import { preloadDialog } from '../../../ui/dialogs/dialog.tsx';
import { footBar } from '../../../ui/screen-foot.ts';
import type { SelectionChange } from './selection-dialog.tsx';

const SelectionDialog = lazy(() => import('./selection-dialog.tsx'));

const CHANGES: readonly { what: SelectionChange; label: string; icon: typeof Archive }[] = [
  { what: 'reassign', label: 'Reassign…', icon: UserRound },
  { what: 'reschedule', label: 'Reschedule…', icon: CalendarClock },
  { what: 'retire', label: 'Retire…', icon: Archive },
];

type Props = {
  buildingId: string;
  /** At least one. */
  selected: readonly Task[];
  today: string;
  onClear: () => void;
};

/** The actions on all selected tasks at once, as a bar that stays at the bottom of the screen. */
export function TaskSelectionBar({ buildingId, selected, today, onClear }: Props) {
  const [change, setChange] = useState<SelectionChange>();
  return (
    <>
      <section
        ref={footBar}
        aria-label="Selected tasks"
        className="sticky bottom-3 z-10 short:static mx-auto flex w-fit max-w-full items-center gap-2 max-sm:grid max-sm:w-full max-sm:grid-cols-3 max-sm:gap-1.5 max-sm:px-2 rounded-panel border border-line-2 bg-surface px-3 py-2 shadow-overlay print:hidden"
      >
        <p aria-live="polite" className="px-1 font-medium text-ink tabular-nums max-sm:col-span-2">
          {selected.length} selected
        </p>
        {CHANGES.map(({ what, label, icon: Icon }) => (
          <Button
            key={what}
            onClick={() => setChange(what)}
            onPointerEnter={preloadDialog}
            className="max-sm:order-last max-sm:min-w-0 max-sm:px-1 max-sm:text-base max-[24rem]:text-sm"
          >
            <Icon size={16} aria-hidden className="max-sm:hidden" />
            {label}
          </Button>
        ))}
        <IconButton label="Clear selection" onClick={onClear} className="max-sm:justify-self-end">
          <X size={18} aria-hidden />
        </IconButton>
      </section>
      <Suspense fallback={null}>
        {change !== undefined && (
          <SelectionDialog
            what={change}
            buildingId={buildingId}
            selected={selected}
            today={today}
            onChanged={onClear}
            onClose={() => setChange(undefined)}
          />
        )}
      </Suspense>
    </>
  );
}
