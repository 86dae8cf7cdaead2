import { CircleAlert } from 'lucide-react';
import type { ReactNode } from 'react';

type Props = { label: string; error: string | undefined; children: ReactNode };

/** Label and error around a picker, which has its own accessible name. */
export function PickerField({ label, error, children }: Props) {
  return (
    <div className="grid gap-1.5">
      <span aria-hidden className="font-medium text-ink text-sm pointer-coarse:text-base">
        {label}
      </span>
      {children}
      {error !== undefined && (
        <p role="alert" className="flex items-start gap-1.5 text-bad text-sm">
          <CircleAlert size={14} className="mt-0.5" aria-hidden />
          {error}
        </p>
      )}
    </div>
  );
}
