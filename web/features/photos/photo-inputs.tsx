import { Camera, ImagePlus } from 'lucide-react';
import { type ChangeEvent, type ReactNode, useId } from 'react';
import { buttonStyle } from '../../ui/buttons/button-style.ts';
import { cx } from '../../ui/cx.ts';

type Props = {
  /** Subject of the photos, in the labels for screen readers. */
  of: string;
  disabled?: boolean | undefined;
  /** Borderless buttons, for use under many rows. */
  quiet?: boolean | undefined;
  onFiles: (files: File[]) => void;
};

/** Two file inputs: camera and existing photos. On a computer both open the file dialog. */
export function PhotoInputs({ of, disabled = false, quiet = false, onFiles }: Props) {
  return (
    <div className={cx('flex flex-wrap', quiet ? 'gap-x-1' : 'gap-2')}>
      <FileButton label={`Take a photo of ${of}`} camera disabled={disabled} quiet={quiet} onFiles={onFiles}>
        <Camera size={18} aria-hidden />
        Take photo
      </FileButton>
      <FileButton label={`Choose photos of ${of}`} disabled={disabled} quiet={quiet} onFiles={onFiles}>
        <ImagePlus size={18} aria-hidden />
        Choose
      </FileButton>
    </div>
  );
}

type FileButtonProps = Omit<Props, 'of'> & {
  label: string;
  camera?: boolean;
  className?: string | undefined;
  children: ReactNode;
};

/** A file input that looks like a button. */
export function FileButton({
  label,
  camera = false,
  disabled,
  quiet,
  className,
  onFiles,
  children,
}: FileButtonProps) {
  const id = useId();
  function onChange(event: ChangeEvent<HTMLInputElement>) {
    const files = [...(event.currentTarget.files ?? [])];
    // Reset, so that the same file can be selected again.
    event.currentTarget.value = '';
    if (files.length > 0) onFiles(files);
  }
  return (
    <label
      htmlFor={id}
      className={cx(
        quiet === true
          ? 'inline-flex min-h-12 items-center gap-2 rounded-control px-2 font-medium text-ink-2 text-sm hover:text-ink'
          : buttonStyle(),
        'cursor-pointer focus-within:outline-2 focus-within:outline-brand focus-within:outline-offset-2',
        disabled === true && 'cursor-default opacity-55',
        className,
      )}
    >
      {children}
      <input
        id={id}
        type="file"
        accept="image/*"
        aria-label={label}
        multiple={!camera}
        {...(camera ? { capture: 'environment' } : {})}
        disabled={disabled}
        onChange={onChange}
        className="sr-only"
      />
    </label>
  );
}
