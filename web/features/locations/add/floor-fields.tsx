import type { FormPart } from '../../../forms/use-command-form.ts';
import { TextField } from '../../../ui/fields/text-field.tsx';

type Props = { form: FormPart<{ floors: string; basement: boolean }>; hint?: string };

/** Number of floors, and whether there is a basement. */
export function FloorFields({ form, hint }: Props) {
  return (
    <>
      <TextField
        label="Number of Floors"
        type="number"
        inputMode="numeric"
        min={1}
        max={100}
        step={1}
        hint={hint ?? 'Total floors, not counting the basement. Existing floors are skipped.'}
        {...form.text('floors')}
      />
      <label className="flex min-h-9 items-center gap-2.5 pointer-coarse:min-h-12">
        <input
          type="checkbox"
          checked={form.values.basement}
          onChange={(event) => form.set('basement', event.target.checked)}
          className="size-4 accent-brand pointer-coarse:size-6"
        />
        Include basement
      </label>
    </>
  );
}

/** The typed number; undefined if the field is empty. */
export function floorsIn(typed: string): number | undefined {
  return typed.trim() === '' ? undefined : Number(typed);
}
