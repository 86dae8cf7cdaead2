import { formMessages } from '#shared/features/checks/form-messages.ts';
import { LiveDot } from '../../../live/live-dot.tsx';
import { useUnsent } from '../../../offline/use-unsent.ts';
import { useMedia } from '../../../ui/use-media.ts';

/** In the heading of a form, where a phone has no other one: how fresh it is, and what waits to be sent. */
export function FormStatus() {
  const { waiting, attachments, attention } = useUnsent();
  const narrow = useMedia('(max-width: 639px)');
  // Elsewhere the page's own heading says it.
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
