import { healthcareMessages } from '#shared/features/locations-messages.ts';

type Props = { checked: boolean; onChange: (checked: boolean) => void; disabled?: boolean };

/** Checkbox for healthcare premises, where hot water has a different limit. */
export function HealthcareField({ checked, onChange, disabled }: Props) {
  return (
    <label className="flex items-start gap-2.5 py-1.5 pointer-coarse:min-h-12">
      <input
        type="checkbox"
        checked={checked}
        onChange={(event) => onChange(event.target.checked)}
        disabled={disabled}
        className="mt-0.5 size-4 shrink-0 accent-brand pointer-coarse:size-6"
      />
      <span>
        {healthcareMessages.label}
        <span className="block text-ink-2 text-sm">{healthcareMessages.hint}</span>
      </span>
    </label>
  );
}
