/** A checkbox with its label. */
export function CheckField({
  label,
  checked,
  onChange,
}: {
  label: string;
  checked: boolean;
  onChange: (checked: boolean) => void;
}) {
  return (
    <label className="flex items-center gap-2.5 pointer-coarse:min-h-12">
      <input
        type="checkbox"
        className="size-4 shrink-0 accent-(--color-brand) pointer-coarse:size-5"
        checked={checked}
        onChange={({ target }) => onChange(target.checked)}
      />
      {label}
    </label>
  );
}
