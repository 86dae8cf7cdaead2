import { Check } from 'lucide-react';
import { cx } from '../cx.ts';

type Props = {
  /** Not visible, because the checkbox is beside the name of its row or card. */
  label: string;
  checked: boolean;
  onChange: (checked: boolean) => void;
  /** For margins, so that the touch target can extend into the space around the checkbox. */
  className?: string;
};

/** The checkbox of a row or a card: drawn small, with a 48 px touch target. */
export function TouchCheckbox({ label, checked, onChange, className }: Props) {
  return (
    <label className={cx('grid size-12 shrink-0 cursor-pointer place-items-center', className)}>
      <input
        type="checkbox"
        aria-label={label}
        checked={checked}
        onChange={({ target }) => onChange(target.checked)}
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
