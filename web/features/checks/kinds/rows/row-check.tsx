import { Check } from 'lucide-react';

type Props = { label: string; checked: boolean; onChange: (checked: boolean) => void };

/** Checkbox in front of a row's name: drawn small, with a 48 px touch target. */
export function RowCheck({ label, checked, onChange }: Props) {
  return (
    <label className="-my-2 -mr-1.5 -ml-3 grid size-12 shrink-0 cursor-pointer place-items-center">
      <input
        type="checkbox"
        aria-label={label}
        checked={checked}
        onChange={(event) => onChange(event.target.checked)}
        className="peer col-start-1 row-start-1 size-6 cursor-pointer appearance-none rounded-[7px] border-[1.5px] border-edge bg-surface checked:border-brand checked:bg-brand"
      />
      <Check
        size={16}
        aria-hidden
        strokeWidth={3}
        className="pointer-events-none invisible col-start-1 row-start-1 text-on-brand peer-checked:visible"
      />
    </label>
  );
}
