import type { ReactNode } from 'react';
import type { Tone } from '../feedback/badge.tsx';

export type PickerOption = {
  id: string;
  label: string;
  /** A second, less prominent text on the line; also searched. */
  detail?: string | undefined;
  /** Options of one group are shown under its name; the list must already be sorted by group. */
  group?: string | undefined;
  /** A state in a word, at the end of the row. */
  mark?: { text: string; tone: Tone } | undefined;
};

export type PickerProps = {
  /** The control's accessible name. */
  label: string;
  options: readonly PickerOption[];
  /** The chosen option's id. */
  value: string | undefined;
  onChange: (id: string) => void;
  /** The text of the button while nothing is chosen. */
  placeholder: string;
  searchLabel: string;
  nothingFound: string;
  status?: 'loading' | 'error' | 'ready' | undefined;
  errorText?: string | undefined;
  onRetry?: (() => void) | undefined;
  icon?: ReactNode | undefined;
  align?: 'start' | 'end' | undefined;
  /** As wide as its container, like a field. */
  block?: boolean | undefined;
  disabled?: boolean | undefined;
  /** Looks like a field with its label inside the box: for phones. */
  inset?: boolean | undefined;
  /** For an inset field: shows the choice larger, if it is the subject of the page. */
  large?: boolean | undefined;
  /** For an inset field: the state of the choice, beside the label. */
  note?: ReactNode | undefined;
  /** Marks the control as invalid; `describedBy` is the id of the error text under it. */
  invalid?: boolean | undefined;
  describedBy?: string | undefined;
};
