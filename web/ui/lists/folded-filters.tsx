import { type ReactNode, useId, useState } from 'react';
import { Button } from '../buttons/button.tsx';
import { cx } from '../cx.ts';
import { FiltersButton } from './filters-button.tsx';

type BarProps = {
  children: ReactNode;
  /** The number of shown rows, at the end of the line. */
  count?: ReactNode;
  className?: string;
};

/** The line of a list's filters, including a `FoldedFilters`. On a phone it is a grid of two columns. */
export function FilterBar({ children, count, className }: BarProps) {
  return (
    <div
      className={cx(
        'grid grid-cols-[minmax(0,1fr)_auto] items-center gap-2.5 sm:flex sm:flex-wrap',
        className,
      )}
    >
      {children}
      {count !== undefined && (
        <p className="text-ink-2 text-sm tabular-nums max-sm:col-span-2 sm:ml-auto" aria-live="polite">
          {count}
        </p>
      )}
    </div>
  );
}

type Props = {
  /** The number of folded filters that are set. */
  chosen: number;
  /** Clears all filters; undefined if none is set. */
  onClear: (() => void) | undefined;
  children: ReactNode;
};

/** Filters in a line; on a phone they are folded behind a button, in two columns. */
export function FoldedFilters({ chosen, onClear, children }: Props) {
  const [expandFilters, setUnfolded] = useState(false);
  const id = useId();
  return (
    <>
      <FiltersButton
        chosen={chosen}
        aria-expanded={expandFilters}
        aria-controls={id}
        className="sm:hidden"
        onClick={() => setUnfolded(!expandFilters)}
      />
      <div
        id={id}
        data-folded={!expandFilters || undefined}
        className="col-span-2 grid grid-cols-2 items-center gap-2.5 max-sm:data-folded:hidden sm:contents max-sm:[&>:last-child:nth-child(odd)]:col-span-2 [&>*]:min-w-0"
      >
        {children}
        {/* Always rendered on a phone, so that no width changes while a person types. */}
        <Button
          variant="quiet"
          disabled={onClear === undefined}
          className="sm:disabled:hidden"
          onClick={onClear}
        >
          Clear
        </Button>
      </div>
    </>
  );
}
