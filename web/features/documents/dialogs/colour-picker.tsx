import { Check } from 'lucide-react';
import { useId } from 'react';
import {
  FOLDER_COLOR_LABELS,
  FOLDER_COLORS,
  type FolderColor,
} from '#shared/features/documents/documents.vocabulary.ts';
import { documentMessages } from '#shared/features/documents/documents-messages.ts';
import { cx } from '../../../ui/cx.ts';
import { FOLDER_TEXT } from '../folder-colours.ts';

type Props = { value: FolderColor; onChange: (color: FolderColor) => void; disabled?: boolean };

/** The nine colours of folders as radio buttons: one tab stop, arrow keys select. */
export function ColourPicker({ value, onChange, disabled = false }: Props) {
  const name = useId();
  return (
    <fieldset disabled={disabled}>
      <legend className="mb-1.5 font-medium text-ink text-sm pointer-coarse:text-base">
        {documentMessages.folderColorLabel}
        <span className="ml-2 font-normal text-ink-2">{FOLDER_COLOR_LABELS[value]}</span>
      </legend>
      <div className="flex flex-wrap gap-1">
        {FOLDER_COLORS.map((color) => (
          <label
            key={color}
            title={FOLDER_COLOR_LABELS[color]}
            className={cx(
              'relative grid size-9 cursor-pointer place-items-center rounded-control pointer-coarse:size-12',
              'has-focus-visible:outline-2 has-focus-visible:outline-brand',
            )}
          >
            <input
              type="radio"
              name={name}
              value={color}
              aria-label={FOLDER_COLOR_LABELS[color]}
              checked={color === value}
              onChange={() => onChange(color)}
              className="sr-only"
            />
            <span
              className={cx('grid size-7 place-items-center rounded-full bg-current', FOLDER_TEXT[color])}
              aria-hidden
            >
              {color === value && <Check size={16} className="text-surface" strokeWidth={3} />}
            </span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}
