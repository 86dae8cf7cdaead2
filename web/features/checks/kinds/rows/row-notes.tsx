import { MessageSquarePlus } from 'lucide-react';
import { type Ref, useState } from 'react';
import { cx } from '../../../../ui/cx.ts';
import { InsetError } from '../../../../ui/fields/inset-field.tsx';

type Props = {
  id: string;
  /** Field label: "Notes", or the question asked for the outcome. */
  label: string;
  value: string;
  onChange: (text: string) => void;
  /** Shows the field at once instead of the "Add" button. */
  wanted?: boolean | undefined;
  error?: string | undefined;
  input?: Ref<HTMLTextAreaElement> | undefined;
};

const NOTES_MAX = 2_000;

/** Notes of one row, collapsed to an "Add" button while empty and not wanted. */
export function RowNotes({ id, label, value, onChange, wanted = false, error, input }: Props) {
  const [asked, setAsked] = useState(false);
  if (!asked && !wanted && value === '' && error === undefined) {
    return (
      <button
        type="button"
        onClick={() => setAsked(true)}
        className="-mb-2 -ml-2 inline-flex min-h-12 items-center gap-2 rounded-control px-2 font-medium text-ink-2 text-sm hover:text-ink"
      >
        <MessageSquarePlus size={17} aria-hidden />
        Add {label.toLowerCase()}
      </button>
    );
  }
  return (
    <div className="mt-2.5 w-full">
      <textarea
        ref={input}
        id={id}
        aria-label={label}
        aria-invalid={error !== undefined || undefined}
        aria-describedby={error === undefined ? undefined : `${id}-error`}
        placeholder={label}
        rows={2}
        maxLength={NOTES_MAX}
        // biome-ignore lint/a11y/noAutofocus: the person has just asked for it
        autoFocus={asked}
        value={value}
        onChange={(event) => onChange(event.target.value)}
        className={cx(
          'block w-full scroll-mb-40 resize-none rounded-panel border bg-surface px-3 py-2.5 text-ink text-md [field-sizing:content]',
          error === undefined ? 'border-edge' : 'border-bad',
        )}
      />
      <InsetError id={`${id}-error`} error={error} />
    </div>
  );
}
