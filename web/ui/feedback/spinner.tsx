import { LoaderCircle } from 'lucide-react';

/** A spinner. It stays invisible for the first 150 ms, so that a quick answer does not flash. */
export function Spinner({ label = 'Loading' }: { label?: string }) {
  return (
    <span role="status" className="appear-late inline-flex text-ink-2">
      <LoaderCircle size={20} className="animate-spin" aria-hidden />
      <span className="sr-only">{label}</span>
    </span>
  );
}
