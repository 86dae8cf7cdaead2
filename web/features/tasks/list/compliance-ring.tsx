import { cx } from '../../../ui/cx.ts';

type Props = {
  /** Whole per cent; null if there is nothing to comply with. */
  percent: number | null;
  size?: number;
  className?: string | undefined;
};

const STROKE = 4;

/** The compliant share as a ring; hidden from screen readers, because the figure is beside it. */
export function ComplianceRing({ percent, size = 32, className }: Props) {
  const radius = (size - STROKE) / 2;
  const round = 2 * Math.PI * radius;
  const centre = size / 2;
  return (
    <svg width={size} height={size} aria-hidden className={cx('shrink-0 -rotate-90', className)}>
      <circle
        cx={centre}
        cy={centre}
        r={radius}
        fill="none"
        strokeWidth={STROKE}
        className={percent === null || percent === 100 ? 'stroke-step-off' : 'stroke-mark-fail'}
      />
      {percent !== null && percent > 0 && (
        <circle
          cx={centre}
          cy={centre}
          r={radius}
          fill="none"
          strokeWidth={STROKE}
          strokeDasharray={`${(round * percent) / 100} ${round}`}
          className="stroke-mark-pass"
        />
      )}
    </svg>
  );
}
