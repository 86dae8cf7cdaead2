import type { OutletKind } from '#shared/features/assets.vocabulary.ts';
import type { Limits } from '#shared/features/checks/limits.vocabulary.ts';
import type { EntryDraft } from './check-draft.ts';

/** One thing that can be checked at a site. */
export type CheckRow = {
  /** It is no longer registered at this site: only what was entered for it counts. */
  gone?: true;
  /** The asset's. */
  id: string;
  name: string;
  /** Floor and room. */
  place: string;
  /** What was found the last time, and when. */
  last?: string | undefined;
  /** Of an outlet: what its reading is held against, and what it is and its limits in words. */
  limits?: Limits;
  outletKind?: OutletKind;
  kindWord?: string;
  mayBeHot?: boolean;
};

/** Sentences by field. */
export type RowErrors = Readonly<Record<string, string>>;

export type RowProps = {
  row: CheckRow;
  entry: EntryDraft;
  errors: RowErrors | undefined;
  /** The same function at every render: a key press draws one row again, not sixty. */
  onChange: (id: string, patch: EntryDraft) => void;
};
