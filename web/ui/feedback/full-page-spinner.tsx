import { Spinner } from './spinner.tsx';

/** A spinner for the whole page. */
export function FullPageSpinner() {
  return (
    <div className="grid min-h-[60dvh] place-items-center">
      <Spinner />
    </div>
  );
}
