import { Clock, RotateCcw } from 'lucide-react';
import { useState } from 'react';
import { formatTime, formatWeekdayDate } from '#shared/dates.ts';
import { formMessages } from '#shared/features/checks/form-messages.ts';
import { Button } from '../../../ui/buttons/button.tsx';
import { toast } from '../../../ui/feedback/toast.ts';
import { begunOn, type CheckDraft, isOldDraft, isTouched } from '../kinds/check-draft.ts';

type Props = {
  draft: CheckDraft;
  today: string;
  /** Sets the day on which the readings were taken. */
  onTaken: (day: string) => void;
  /** Discards the draft; resolves with a function that restores it. */
  onDiscard: () => Promise<() => void>;
};

/**
 * Notice about a draft restored from an earlier visit of the page. For a draft of another day it asks when the readings
 * were taken.
 */
export function DraftNotice({ draft, today, onTaken, onDiscard }: Props) {
  const [foundAt, setFoundAt] = useState(draft.touchedAt);
  const began = begunOn(draft);
  if (!isTouched(draft) || began === undefined) return null;

  async function discard() {
    const undo = await onDiscard();
    // A draft begun from now on is not a restored one.
    setFoundAt(null);
    toast({
      title: formMessages.draftDiscarded,
      tone: 'info',
      action: {
        label: 'Undo',
        onSelect: () => {
          undo();
          setFoundAt(foundAt);
        },
      },
    });
  }

  if (isOldDraft(draft, today)) {
    return (
      <section data-draft-age className="mt-2.5 rounded-panel bg-due-soft p-3.5">
        <p className="flex items-start gap-2 font-medium text-due">
          <Clock size={17} className="mt-0.5" aria-hidden />
          {formMessages.draftOld(formatWeekdayDate(began))}
        </p>
        <div className="mt-3 grid grid-cols-2 gap-2">
          <Button size="lg" onClick={() => onTaken(began)}>
            On {formatWeekdayDate(began).replace(/ \d{4}$/, '')}
          </Button>
          <Button size="lg" onClick={() => onTaken(today)}>
            Today
          </Button>
        </div>
        <Button variant="quiet" size="lg" className="mt-1 w-full" onClick={() => void discard()}>
          Discard the draft
        </Button>
      </section>
    );
  }
  if (foundAt === null) return null;
  return (
    <p className="mt-1.5 flex items-center gap-2 px-1 text-ink-2 text-sm">
      <span className="min-w-0 flex-1">{formMessages.draftBack(formatTime(foundAt))}</span>
      <Button variant="quiet" size="sm" onClick={() => void discard()}>
        <RotateCcw size={15} aria-hidden />
        Start again
      </Button>
    </p>
  );
}
