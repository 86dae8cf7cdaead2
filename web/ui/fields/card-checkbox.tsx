type Props = { label: string; checked: boolean; onChange: (checked: boolean) => void };

/** The checkbox that selects a card, with an area that a thumb hits. */
export function CardCheckbox({ label, checked, onChange }: Props) {
  return (
    <label className="relative z-[1] -m-2 grid size-12 shrink-0 place-items-center">
      <input
        type="checkbox"
        aria-label={label}
        checked={checked}
        onChange={({ target }) => onChange(target.checked)}
        className="size-5 accent-brand"
      />
    </label>
  );
}
