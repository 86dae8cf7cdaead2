import { type ReactNode, useRef } from 'react';
import { Button } from '../../../ui/buttons/button.tsx';
import type { ButtonSize, ButtonVariant } from '../../../ui/buttons/button-style.ts';
import { type Chosen, chosenFiles } from './chosen-files.ts';

type Props = {
  /** For screen readers; also the text of the button if it has no children. */
  label: string;
  children?: ReactNode;
  /** Whether the button chooses a folder with its contents. */
  isFolder?: boolean;
  variant?: ButtonVariant;
  size?: ButtonSize;
  describedBy?: string;
  onFiles: (chosen: Chosen) => void;
};

/** A button that opens the browser's file chooser. */
export function FileButton({ label, children, isFolder = false, describedBy, onFiles, ...style }: Props) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <Button
        {...style}
        aria-label={children === undefined ? undefined : label}
        aria-describedby={describedBy}
        onClick={() => input.current?.click()}
      >
        {children ?? label}
      </Button>
      <input
        ref={input}
        type="file"
        multiple
        hidden
        aria-label={label}
        {...(isFolder && { webkitdirectory: '' })}
        onChange={({ target }) => {
          const chosen = chosenFiles(target.files ?? []);
          // Otherwise choosing the same files again would fire no event.
          target.value = '';
          if (chosen.files.length > 0) onFiles(chosen);
        }}
      />
    </>
  );
}
