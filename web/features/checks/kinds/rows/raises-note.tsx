import { CircleAlert } from 'lucide-react';
import { formMessages } from '#shared/features/checks/form-messages.ts';

/** Note under a failed result: submitting it will raise an issue. */
export function RaisesNote() {
  return (
    <p className="mt-2.5 flex items-start gap-2.5 text-bad text-sm">
      <CircleAlert size={16} className="mt-px" aria-hidden />
      {formMessages.willRaise}
    </p>
  );
}
