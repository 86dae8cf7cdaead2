/** One reading of the chart. */
export type TrendPoint = {
  entryId: string;
  /** The day of the visit. */
  day: string;
  value: number;
  satisfactory: boolean;
  /** The limits that judged the reading when it was taken. */
  min: number | null;
  max: number | null;
};

export type Scale = {
  x: (day: string) => number;
  y: (value: number) => number;
  ticks: number[];
  top: number;
  bottom: number;
};

/**
 * Returns the scales of a chart of this size. Temperatures always range from zero to at least sixty, so that charts of
 * different outlets compare.
 */
export function scaleOf(
  points: readonly TrendPoint[],
  days: { from: string; to: string },
  box: { width: number; height: number },
): Scale {
  const highest = Math.max(
    60,
    ...points.map(({ value }) => value),
    ...points.map(({ min, max }) => Math.max(min ?? 0, max ?? 0)),
  );
  const top = Math.ceil((highest + 2) / 10) * 10;
  const from = Date.parse(days.from);
  const span = Math.max(1, Date.parse(days.to) - from);
  return {
    x: (day) => ((Date.parse(day) - from) / span) * box.width,
    y: (value) => box.height - (value / top) * box.height,
    ticks: Array.from({ length: Math.floor(top / 20) + 1 }, (_, index) => index * 20),
    top,
    bottom: 0,
  };
}

/** Returns a limit over time: one step for each run of readings judged by the same value. */
export function limitSteps(
  points: readonly TrendPoint[],
  side: 'min' | 'max',
): { value: number; from: string; to: string }[] {
  const steps: { value: number; from: string; to: string }[] = [];
  for (const point of points) {
    const value = point[side];
    const last = steps.at(-1);
    if (value === null) continue;
    if (last !== undefined && last.value === value) last.to = point.day;
    else {
      if (last !== undefined) last.to = point.day;
      steps.push({ value, from: point.day, to: point.day });
    }
  }
  return steps;
}
