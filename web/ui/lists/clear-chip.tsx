import { X } from 'lucide-react';

/** The cross at the end of a chip: a separate button beside the chip's button, because buttons cannot be nested. */
export function ClearChip({ label, onClick }: { label: string; onClick: () => void }) {
  return (
    <button
      type="button"
      aria-label={label}
      title={label}
      onClick={onClick}
      className="absolute inset-y-0 right-0 grid w-8 place-items-center rounded-full text-brand pointer-coarse:w-12"
    >
      <X size={13} aria-hidden />
    </button>
  );
}
