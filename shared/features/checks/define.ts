import type { z } from 'zod';
import type { Permission } from '../../permissions.ts';
import type { AssetType, OutletKind } from '../assets.vocabulary.ts';
import type { IssuePriority } from '../issues.vocabulary.ts';
import type { LogKind } from './incidents.vocabulary.ts';
import type { Limits } from './limits.vocabulary.ts';
import type { LogResult } from './log.vocabulary.ts';
import { amendInput, visitInput } from './visit-input.ts';

/** What one line of a record is about: a place that is named, or one of the site's assets. */
export type Subject =
  | {
      of: 'place';
      /** Assets that are such places, too. */
      type: AssetType;
      /** A name that an asset has need not mean the asset: which one is meant is chosen. */
      namesApart?: true;
      /** Offered at some sites, by the site's id. */
      presets?: Readonly<Record<string, readonly string[]>>;
    }
  | {
      of: 'assets';
      type: AssetType;
      /** Looked at in the same round. */
      alsoTypes?: readonly AssetType[];
      noneMessage: string;
    };

/** Every type of asset that a check is about. */
export function subjectTypes(subject: Subject): AssetType[] {
  const others = subject.of === 'assets' ? (subject.alsoTypes ?? []) : [];
  return [subject.type, ...others];
}

export type Control =
  | 'text'
  | 'paragraph'
  | 'notes'
  | 'time'
  | 'pass-fail'
  | 'pass-fail-untested'
  | 'tick'
  | 'number'
  | 'choice';
/** How a field is asked for. */
export type FieldSpec = {
  label: string;
  control: Control;
  step?: number;
  suffix?: string;
  options?: Readonly<Record<string, string>>;
};

/** What a line is judged by, as the site has it when the record arrives. */
export type SubjectFacts = { outletKind: OutletKind | null; healthcare: boolean };

/** What a line comes to. `derived` is stored beside it, so that later limits never rewrite it. */
export type Judgement<Derived> = { result: LogResult; derived: Derived };

/** What a failure tells those who have to see to it. */
export type Failure = { title: string; priority: IssuePriority };

export type CheckDefinition<
  Kind extends LogKind = LogKind,
  Entry extends z.ZodObject = z.ZodObject,
  Derived extends Record<string, unknown> = Record<string, unknown>,
> = {
  kind: Kind;
  subject: Subject;
  /** One line of the record, with `entryShape`. */
  entry: Entry;
  /** What is asked for, in the order of the form. */
  fields: { readonly [K in keyof z.infer<Entry>]?: FieldSpec };
  /** What a correction of a line may also put right of its visit. */
  visitFields?: { readonly supplyRestored?: FieldSpec };
  /** The asset that a line is about, and what a place is called where there is none. */
  about(entry: z.infer<Entry>): { assetId: string | null; place: string | null };
  /** By which limits a reading is judged; absent where nothing is measured. */
  limits?(facts: SubjectFacts): Limits;
  /** Pure: the phone shows it at once, the server stores its own. */
  judge(entry: z.infer<Entry>, facts: SubjectFacts): Judgement<Derived>;
  /** When on its day it happened, "14:35", where that was not the moment of recording: it cannot lie ahead. */
  happenedAt?(entry: z.infer<Entry>): string;
  /** Asked only of a line that failed; absent where nothing can fail. */
  failure?(entry: z.infer<Entry>, facts: SubjectFacts, subjectName: string): Failure;
  /** What no single line can tell. */
  visitRule?(entries: readonly z.infer<Entry>[]): string | undefined;
  permissions: { record: Permission; view: Permission };
  messages: {
    siteRequired: string;
    dateRequired: string;
    operativeRequired: string;
    saved: string;
    saveFailed: string;
    /** In the place of `saveFailed`, with the server's sentence: of a line, and of the visit where that reads otherwise. */
    rowsFailed?(message: string): string;
    visitFailed?(message: string): string;
    /** Where the sites, or what is at one, did not come; the second where no answer came. */
    loadFailed?: string;
    loadUnexpected?: string;
    /** Beside the sentences at the fields of a form that is not complete. */
    incomplete?: { title: string; text: string };
  };
};

/**
 * A definition with its exact kind and fields, and with its inputs of `checks.record` and `checks.amend`. A kind that asks
 * for more of a visit extends these two.
 */
export function defineCheck<
  const Kind extends LogKind,
  Entry extends z.ZodObject,
  Derived extends Record<string, unknown>,
>(definition: CheckDefinition<Kind, Entry, Derived>) {
  return { ...definition, record: visitInput(definition), amend: amendInput(definition) };
}

/** Every check is recorded and read with these. */
export const CHECK_PERMISSIONS = {
  record: 'create_operative_tasks',
  view: 'view_logbook',
} as const satisfies CheckDefinition['permissions'];
