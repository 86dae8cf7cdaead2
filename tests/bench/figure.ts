/** A line of the table. */
export type Figure = {
  name: string;
  /** The measured value, and the reference measured in the same run. */
  measured: string;
  reference: string;
  /** The value, and its limit; a value without a goal is only reported. */
  value: number;
  unit: string;
  goal?: { atMost: number } | { atLeast: number };
  note?: string | undefined;
};

/** Whether the value is within its limit, if it has one. A value that could not be measured is not. */
export function isReached({ value, goal }: Figure): boolean {
  if (goal === undefined) return true;
  return 'atMost' in goal ? value <= goal.atMost : value >= goal.atLeast;
}

function boundOf(figure: Figure): { bound: string; reached: string } {
  const { unit, goal } = figure;
  if (goal === undefined) return { bound: '–', reached: '–' };
  const [sign, limit] = 'atMost' in goal ? ['≤', goal.atMost] : ['≥', goal.atLeast];
  return { bound: `${sign} ${limit} ${unit}`.trim(), reached: isReached(figure) ? 'yes' : 'NO' };
}

/** The median; for an even number of values, the mean of the two in the middle. */
export function median(values: readonly number[]): number {
  return percentile(values, 0.5);
}

/** A percentile by linear interpolation; NaN for an empty list. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  const at = (sorted.length - 1) * share;
  const low = sorted[Math.floor(at)];
  const high = sorted[Math.ceil(at)];
  if (low === undefined || high === undefined) return Number.NaN;
  return low + (high - low) * (at - Math.floor(at));
}

export function round(value: number, digits = 2): string {
  return Number.isNaN(value) ? '–' : value.toFixed(value >= 100 ? 0 : value >= 10 ? 1 : digits);
}

/** Measures several things in turn, round by round, so that noise of a shared machine affects all alike. */
export async function interleaved<Name extends string>(
  rounds: number,
  things: Readonly<Record<Name, () => Promise<number>>>,
): Promise<Record<Name, number[]>> {
  const names = Object.keys(things) as Name[]; // Object.keys loses the names.
  const results = Object.fromEntries(names.map((name) => [name, [] as number[]])) as Record<Name, number[]>;
  for (let round = 0; round < rounds; round += 1) {
    // Every other round runs in reverse order, so that none always comes first.
    for (const name of round % 2 === 0 ? names : [...names].reverse()) {
      results[name].push(await things[name]());
    }
  }
  return results;
}

/** Formats the table as text, a line per figure. */
export function formatTable(figures: readonly Figure[]): string {
  const rows = figures.map((figure) => {
    const { bound, reached } = boundOf(figure);
    return [
      figure.name,
      figure.measured,
      figure.reference,
      `${round(figure.value)} ${figure.unit}`.trim(),
      bound,
      reached,
    ];
  });
  const head = ['figure', 'measured', 'reference', 'value', 'goal', 'reached'];
  const widths = head.map((title, column) =>
    Math.max(title.length, ...rows.map((row) => (row[column] ?? '').length)),
  );
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`;
  const notes = figures.flatMap(({ name, note }) => (note === undefined ? [] : [`  ${name}: ${note}`]));
  return [
    line(head),
    line(widths.map((width) => '-'.repeat(width))),
    ...rows.map(line),
    ...(notes.length > 0 ? ['', ...notes] : []),
  ].join('\n');
}
