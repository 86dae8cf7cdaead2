import { LoaderCircle, Printer } from 'lucide-react';
import { Button } from '../buttons/button.tsx';
import { cx } from '../cx.ts';
import { usePrintRequest } from './print-request.ts';

type Props = {
  /** Whether to hide the word; if undefined, it is hidden on a phone. */
  iconOnly?: boolean;
  /** Hides the button on a phone, to leave room for other actions. */
  notOnPhone?: boolean;
};

/** Prints the page with all rows of its lists. A second press while the rows load cancels the print. */
export function PrintButton({ iconOnly, notOnPhone = false }: Props) {
  const { isLoading, print, cancel } = usePrintRequest();
  const hidden = iconOnly === undefined ? 'max-sm:sr-only' : iconOnly && 'sr-only';
  return (
    <Button
      onClick={isLoading ? cancel : print}
      aria-busy={isLoading}
      title={isLoading ? 'Cancel' : 'Print'}
      className={cx(notOnPhone && 'max-sm:hidden')}
    >
      {isLoading ? (
        <LoaderCircle size={16} className="animate-spin" aria-hidden />
      ) : (
        <Printer size={16} aria-hidden />
      )}
      <span className={cx(!isLoading && hidden)}>{isLoading ? 'Loading all rows…' : 'Print'}</span>
    </Button>
  );
}
