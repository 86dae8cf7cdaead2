import type { OutletKind } from '#shared/features/assets/assets.vocabulary.ts';
import type { Limits } from '#shared/features/checks/limits.vocabulary.ts';
import type { EntryDraft } from '../entry-draft.ts';

/** A subject that can be checked at a site, as a row of a form. */
export type CheckRow = {
  /** The asset is no longer registered at this site; the row remains only for its entry. */
  gone?: true;
  /** Tested already in the present period, while other subjects are not: the row comes last, and may stay empty. */
  done?: true;
  /** Asset id. */
  id: string;
  name: string;
  /** Floor and room. */
  place: string;
  /** Last result and its date. */
  last?: string | undefined;
  /** Water outlets only: the limits that judge a reading, the kind of outlet, and both in words. */
  limits?: Limits;
  outletKind?: OutletKind;
  kindWord?: string;
  mayBeHot?: boolean;
};

/** Error messages by field. */
export type RowErrors = Readonly<Record<string, string>>;

export type RowProps = {
  row: CheckRow;
  entry: EntryDraft;
  errors: RowErrors | undefined;
  /** Must be the same function at every render, so that a keystroke renders one memoised row rather than sixty. */
  onChange: (id: string, patch: EntryDraft) => void;
};
