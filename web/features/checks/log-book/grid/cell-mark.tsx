import { cx } from '../../../../ui/cx.ts';
import { CELL_LABELS, type CellDisplayState } from './grid-labels.ts';

const looks: Record<CellDisplayState, string> = {
  pass: 'bg-mark-pass',
  fail: 'bg-mark-fail text-mark-fail-ink',
  not_tested: 'bg-mark-missed text-mark-missed-ink',
  begun: 'bg-mark-ahead text-mark-pass',
  partial: 'bg-mark-missed text-mark-pass',
  explained: 'bg-mark-missed/45 text-mark-missed-ink',
  ahead: 'bg-mark-ahead',
  off: 'bg-mark-ahead/45',
};
/** States that fill half of the square. */
const HALF: ReadonlySet<CellDisplayState> = new Set(['begun', 'partial']);
/**
 * Shapes beside the colour, so that a state is never shown by colour alone: a cross for failed, a dash for not tested.
 */
const shapes: Partial<Record<CellDisplayState, string>> = {
  fail: 'M3.5 3.5l5 5M8.5 3.5l-5 5',
  not_tested: 'M3.2 6h5.6',
  explained: 'M3.2 6h5.6',
};

/** One square of a year's grid. */
export function CellMark({ state, className }: { state: CellDisplayState; className?: string | undefined }) {
  const shape = shapes[state];
  return (
    <i
      className={cx(
        'grid h-4 place-items-center rounded-[3px] print:border print:border-line-2',
        looks[state],
        className,
      )}
    >
      {HALF.has(state) && (
        // Drawn at every size, also where the squares are too small for the other shapes.
        <span
          aria-hidden
          className="size-full rounded-[inherit] bg-current [clip-path:polygon(0_0,0_100%,100%_100%)]"
        />
      )}
      {shape !== undefined && (
        <svg
          viewBox="0 0 12 12"
          className="size-3 max-w-full"
          aria-hidden
          fill="none"
          stroke="currentColor"
          strokeWidth="1.6"
          strokeLinecap="round"
        >
          <path d={shape} />
        </svg>
      )}
    </i>
  );
}

/** Legend of the squares' colours. */
export function Legend({ states }: { states: readonly CellDisplayState[] }) {
  return (
    <ul className="flex flex-wrap items-center gap-x-3.5 gap-y-1 text-ink-2 text-sm" aria-label="Legend">
      {states.map((state) => (
        <li key={state} className="flex items-center gap-1.5">
          <CellMark state={state} className="!size-[13px]" />
          {CELL_LABELS[state]}
        </li>
      ))}
    </ul>
  );
}
