import { TextField } from '../../ui/text-field.tsx';

type Props = {
  floors: string;
  onFloors: (floors: string) => void;
  basement: boolean;
  onBasement: (basement: boolean) => void;
  error: string | undefined;
  hint?: string;
};

/** Number of floors, and whether there is a basement. */
export function FloorFields({ floors, onFloors, basement, onBasement, error, hint }: Props) {
  return (
    <>
      <TextField
        label="Number of Floors"
        type="number"
        inputMode="numeric"
        min={1}
        max={100}
        step={1}
        value={floors}
        onChange={(event) => onFloors(event.target.value)}
        error={error}
        hint={hint ?? 'Total floors, not counting the basement. Existing floors are skipped.'}
      />
      <label className="flex min-h-9 items-center gap-2.5 pointer-coarse:min-h-12">
        <input
          type="checkbox"
          checked={basement}
          onChange={(event) => onBasement(event.target.checked)}
          className="size-4 accent-brand pointer-coarse:size-6"
        />
        Include basement
      </label>
    </>
  );
}
