import { formMessages } from '#shared/features/checks/form-messages.ts';
import { LiveDot } from '../../../live/live-dot.tsx';
import { useUnsent } from '../../../offline/queue/use-unsent.ts';
import { useMedia } from '../../../ui/use-media.ts';

/** Connection status and number of unsent records, in the header of a form on narrow screens. */
export function FormStatus() {
  const { waiting, attachments, attention } = useUnsent();
  const narrow = useMedia('(max-width: 639px)');
  // Wider screens show the status in the header of the app.
  if (!narrow) return null;
  const left = waiting + attachments;
  return (
    <span className="flex min-w-0 shrink-0 items-center gap-1.5 text-xs">
      <LiveDot />
      {attention > 0 ? (
        <span className="font-semibold text-bad">{formMessages.needAttention(attention)}</span>
      ) : (
        left > 0 && <span className="font-semibold text-due tabular-nums">{formMessages.toSend(left)}</span>
      )}
    </span>
  );
}
