import { type PointerEvent, useId, useRef, useState } from 'react';
import { formatWeekdayDate } from '#shared/dates.ts';
import { logMessages } from '#shared/features/checks/log-messages.ts';
import { trendOf } from '#shared/features/checks/readings.vocabulary.ts';
import { useMedia } from '../../../../ui/use-media.ts';
import { limitSteps, scaleOf, type TrendPoint } from './trend-scale.ts';

type Props = {
  /** Sorted by day, oldest first. */
  points: readonly TrendPoint[];
  from: string;
  to: string;
  onOpen: (entryId: string) => void;
};

/** On a phone the drawing is as wide as the screen, so that its text keeps its size. */
const NARROW = { width: 296, height: 200 };
const WIDE = { width: 720, height: 240 };
const MARGIN = { top: 12, right: 12, bottom: 26, left: 40 };
const MONTHS = ['J', 'F', 'M', 'A', 'M', 'J', 'J', 'A', 'S', 'O', 'N', 'D'];

/**
 * Line chart of an outlet's readings, with the limit that judged each and the temperature band of likely bacterial
 * growth.
 */
export default function TrendChart({ points, from, to, onOpen }: Props) {
  const box = useMedia('(min-width: 640px)') ? WIDE : NARROW;
  const scale = scaleOf(points, { from, to }, box);
  const { band } = trendOf();
  const [at, setAt] = useState<number>();
  const svg = useRef<SVGSVGElement>(null);
  const hatch = useId();
  const line = points
    .map(
      ({ day, value }, index) =>
        `${index === 0 ? 'M' : 'L'}${scale.x(day).toFixed(1)} ${scale.y(value).toFixed(1)}`,
    )
    .join('');
  const shown = at === undefined ? undefined : points[at];

  function nearest(event: PointerEvent): number | undefined {
    const drawn = svg.current?.getBoundingClientRect();
    if (drawn === undefined || points.length === 0) return undefined;
    const x =
      ((event.clientX - drawn.left) / drawn.width) * (box.width + MARGIN.left + MARGIN.right) - MARGIN.left;
    let best = 0;
    points.forEach(({ day }, index) => {
      if (Math.abs(scale.x(day) - x) < Math.abs(scale.x(points[best]?.day ?? day) - x)) best = index;
    });
    return best;
  }

  return (
    <figure className="m-0">
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: by keyboard, each reading is reached in the table below */}
      <svg
        ref={svg}
        viewBox={`0 0 ${box.width + MARGIN.left + MARGIN.right} ${box.height + MARGIN.top + MARGIN.bottom}`}
        className="block w-full touch-pan-y select-none text-xs"
        role="img"
        aria-label={`Temperatures, ${points.length} readings. The table below holds each of them.`}
        onPointerMove={(event) => setAt(nearest(event))}
        onPointerLeave={() => setAt(undefined)}
        onClick={() => shown !== undefined && onOpen(shown.entryId)}
      >
        <defs>
          <pattern
            id={hatch}
            width="6"
            height="6"
            patternUnits="userSpaceOnUse"
            patternTransform="rotate(45)"
          >
            <line x1="0" y1="0" x2="0" y2="6" className="stroke-due" strokeWidth="1" strokeOpacity="0.35" />
          </pattern>
        </defs>
        <g transform={`translate(${MARGIN.left} ${MARGIN.top})`}>
          <rect
            x={0}
            width={box.width}
            y={scale.y(band.to)}
            height={scale.y(band.from) - scale.y(band.to)}
            className="fill-due-soft"
            fillOpacity="0.75"
          />
          <rect
            x={0}
            width={box.width}
            y={scale.y(band.to)}
            height={scale.y(band.from) - scale.y(band.to)}
            fill={`url(#${hatch})`}
          />
          <text x={6} y={scale.y(band.to) + 14} className="fill-due font-medium">
            {band.from}–{band.to} °C
          </text>
          {scale.ticks.map((tick) => (
            <g key={tick}>
              <line x1={0} x2={box.width} y1={scale.y(tick)} y2={scale.y(tick)} className="stroke-line" />
              <text x={-8} y={scale.y(tick) + 4} textAnchor="end" className="fill-ink-3 tabular-nums">
                {tick}°
              </text>
            </g>
          ))}
          {monthStarts(from, to).map((day) => (
            <text key={day} x={scale.x(day)} y={box.height + 18} className="fill-ink-3">
              {MONTHS[Number(day.slice(5, 7)) - 1]}
            </text>
          ))}
          {(['min', 'max'] as const).map((side) => (
            <Limits key={side} side={side} width={box.width} {...{ points, scale }} />
          ))}
          <path
            d={line}
            fill="none"
            className="stroke-brand"
            strokeWidth="2"
            strokeLinejoin="round"
            strokeLinecap="round"
          />
          {points.map((point, index) => (
            <Dot
              key={point.entryId}
              x={scale.x(point.day)}
              y={scale.y(point.value)}
              good={point.satisfactory}
              large={index === at}
            />
          ))}
          {shown !== undefined && (
            <line
              x1={scale.x(shown.day)}
              x2={scale.x(shown.day)}
              y1={0}
              y2={box.height}
              className="stroke-ink-3"
              strokeDasharray="2 3"
            />
          )}
        </g>
      </svg>
      <figcaption className="min-h-5 text-ink-2 text-sm tabular-nums" aria-hidden>
        {shown === undefined ? (
          <span className="text-ink-3">{logMessages.chart}</span>
        ) : (
          <>
            {formatWeekdayDate(shown.day)}:{' '}
            <b className="font-semibold text-ink">{shown.value.toFixed(1)} °C</b>
            {shown.satisfactory ? '' : ', outside its limit'}
          </>
        )}
      </figcaption>
    </figure>
  );
}

function Limits({
  points,
  side,
  width,
  scale,
}: {
  points: readonly TrendPoint[];
  side: 'min' | 'max';
  width: number;
  scale: ReturnType<typeof scaleOf>;
}) {
  const steps = limitSteps(points, side);
  return steps.map((step, index) => {
    // The first and last steps extend to the edges: the limit also applies before the first reading and after the
    // last.
    const x1 = index === 0 ? 0 : scale.x(step.from);
    const x2 = index === steps.length - 1 ? width : scale.x(step.to);
    return (
      <g key={`${step.from} ${step.value}`}>
        <line
          x1={x1}
          x2={x2}
          y1={scale.y(step.value)}
          y2={scale.y(step.value)}
          className="stroke-bad"
          strokeWidth="1.5"
          strokeDasharray="5 4"
        />
        {index === steps.length - 1 && (
          <text
            x={width - 6}
            y={scale.y(step.value) + (side === 'min' ? 15 : -6)}
            textAnchor="end"
            className="fill-bad font-medium tabular-nums"
          >
            {side === 'min' ? 'at least' : 'at most'} {step.value} °C
          </text>
        )}
      </g>
    );
  });
}

/** Point of a reading: a disc when satisfactory, otherwise a cross in a ring. */
function Dot({ x, y, good, large }: { x: number; y: number; good: boolean; large: boolean }) {
  const r = large ? 5.5 : 4;
  if (good) return <circle cx={x} cy={y} r={r} className="fill-surface stroke-brand" strokeWidth="2" />;
  const d = r * 0.55;
  return (
    <g className="stroke-surface" strokeWidth="1.6" strokeLinecap="round">
      <circle cx={x} cy={y} r={r + 2} className="fill-bad" />
      <path d={`M${x - d} ${y - d}l${2 * d} ${2 * d}M${x + d} ${y - d}l${-2 * d} ${2 * d}`} />
    </g>
  );
}

function monthStarts(from: string, to: string): string[] {
  const days: string[] = [];
  let [year = 0, month = 1] = from.split('-').map(Number);
  for (;;) {
    const day = `${year}-${String(month).padStart(2, '0')}-01`;
    if (day > to) return days;
    if (day >= from) days.push(day);
    month += 1;
    if (month > 12) [year, month] = [year + 1, 1];
  }
}
