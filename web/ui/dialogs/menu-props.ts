import type { ReactNode } from 'react';

export type MenuItem = {
  key: string;
  label: ReactNode;
  icon?: ReactNode | undefined;
  /** The address, for a link; other items have `onSelect` or `download`. */
  to?: string | undefined;
  /** The address of a file to download. */
  download?: string | undefined;
  onSelect?: (() => void) | undefined;
  disabled?: boolean | undefined;
  /** Marks the present choice with a tick. */
  checked?: boolean | undefined;
  tone?: 'bad' | undefined;
};

export type MenuProps = {
  /** The button's accessible name and tooltip. */
  label: string;
  /** The contents of the button. */
  button: ReactNode;
  buttonClassName?: string | undefined;
  /** Text above the items, such as the signed-in person. */
  header?: ReactNode | undefined;
  groups: readonly (readonly MenuItem[])[];
  align?: 'start' | 'end' | undefined;
};
