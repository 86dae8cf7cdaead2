import { CircleAlert } from 'lucide-react';
import { isRetryable } from '#shared/errors.ts';
import { wireErrorOf } from '../../lib/trpc/wire-error.ts';
import { Button } from '../buttons/button.tsx';

type Props = {
  title: string;
  text?: string | undefined;
  /** The error of a call to the server: for a final refusal there is no Try again. */
  error?: unknown;
  onRetry?: (() => void) | undefined;
};

/** A failure: what happened, and Try again. */
export function ErrorState({ title, text, error, onRetry }: Props) {
  return (
    <div
      role="alert"
      className="grid justify-items-center gap-1 rounded-card border border-line bg-surface px-6 py-12 text-center"
    >
      <div className="mb-2 grid size-11 place-items-center rounded-full bg-bad-soft text-bad" aria-hidden>
        <CircleAlert size={20} />
      </div>
      <h2 className="font-semibold text-ink text-md">{title}</h2>
      {text !== undefined && <p className="max-w-prose text-ink-2">{text}</p>}
      {onRetry !== undefined && isRetryable(wireErrorOf(error)?.code) && (
        <Button className="mt-4" onClick={onRetry}>
          Try again
        </Button>
      )}
    </div>
  );
}
