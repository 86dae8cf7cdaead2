/** Marks a change that the server does not have yet. */
export function PendingDot() {
  return (
    <span
      role="img"
      aria-label="Saving"
      title="Saving"
      className="mt-1 inline-block size-2.5 shrink-0 rounded-full border-2 border-ink-3"
    />
  );
}
