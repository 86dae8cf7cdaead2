import { SelectField } from '../../../ui/fields/select-field.tsx';
import { yearsOffered } from './log-url.ts';

/** Select of a log's year. */
export function YearSelect({
  year,
  today,
  onChange,
}: {
  year: number;
  today: string;
  onChange: (year: number) => void;
}) {
  return (
    <SelectField
      label="Year"
      hideLabel
      value={String(year)}
      onChange={({ target }) => onChange(Number(target.value))}
      className="font-medium tabular-nums"
    >
      {yearsOffered({ year }, today).map((each) => (
        <option key={each} value={each}>
          {each}
        </option>
      ))}
    </SelectField>
  );
}
