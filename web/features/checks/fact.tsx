import type { ReactNode } from 'react';

/** A label and its value, for use in a `dl`. */
export function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="min-w-0">
      <dt className="text-ink-3 text-xs">{name}</dt>
      <dd className="mt-0.5 text-ink tabular-nums [overflow-wrap:anywhere]">{children}</dd>
    </div>
  );
}
