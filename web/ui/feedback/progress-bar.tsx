/** A progress bar; decorative, because the words beside it say the same. */
export function ProgressBar({ done, of }: { done: number; of: number }) {
  return (
    <div className="h-1.5 min-w-8 flex-1 overflow-hidden rounded-full bg-step-off" aria-hidden>
      <div
        className="h-full origin-left bg-brand transition-transform"
        style={{ transform: `scaleX(${of === 0 ? 0 : Math.min(1, done / of)})` }}
      />
    </div>
  );
}
