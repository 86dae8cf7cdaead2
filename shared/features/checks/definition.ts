import type { z } from 'zod';
import type { Permission } from '../../permissions.ts';
import type { AssetType, OutletKind } from '../assets/assets.vocabulary.ts';
import type { IssuePriority } from '../issues/issues.vocabulary.ts';
import type { LogKind } from './incidents.vocabulary.ts';
import type { Limits } from './limits.vocabulary.ts';
import type { LogResult } from './log.vocabulary.ts';

/** The subject of an entry: a named place, or one of the site's assets. */
export type Subject =
  | {
      of: 'place';
      /** Assets of this type count as places, too. */
      type: AssetType;
      /** A typed name that equals an asset's name does not select that asset; the person chooses it. */
      namesApart?: true;
      /** Suggested names, by the site's id. */
      presets?: Readonly<Record<string, readonly string[]>>;
    }
  | {
      of: 'assets';
      type: AssetType;
      /** Further types that are checked in the same round. */
      alsoTypes?: readonly AssetType[];
      noneMessage: string;
    };

/** All types of assets that a check is about. */
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
/** How the form asks for a field. */
export type FieldSpec = {
  label: string;
  control: Control;
  step?: number;
  suffix?: string;
  options?: Readonly<Record<string, string>>;
};

/** The facts about the subject by which the server judges an entry, as they are when the record arrives. */
export type SubjectFacts = { outletKind: OutletKind | null; healthcare: boolean };

/** The result of an entry. `derived` is stored with it, so that later changes of limits do not change old results. */
export type Judgement<Derived> = { result: LogResult; derived: Derived };

/** The title and priority of the issue that a failure raises. */
export type Failure = { title: string; priority: IssuePriority };

export type CheckDefinition<
  Kind extends LogKind = LogKind,
  Entry extends z.ZodObject = z.ZodObject,
  Derived extends Record<string, unknown> = Record<string, unknown>,
> = {
  kind: Kind;
  subject: Subject;
  /** The schema of one entry, including `entryShape`. */
  entry: Entry;
  /** The fields of the form, in their order. */
  fields: { readonly [K in keyof z.infer<Entry>]?: FieldSpec };
  /** The fields of the visit that an amendment of an entry may also correct. */
  visitFields?: { readonly supplyRestored?: FieldSpec };
  /** The asset of an entry, and the name of the place if there is no asset. */
  about(entry: z.infer<Entry>): { assetId: string | null; place: string | null };
  /** The limits of a reading; absent if nothing is measured. */
  limits?(facts: SubjectFacts): Limits;
  /** A pure function: the device shows its result at once, the server computes and stores its own. */
  judge(entry: z.infer<Entry>, facts: SubjectFacts): Judgement<Derived>;
  /** The time of day ("14:35") if it is not the time of recording. It must not be in the future. */
  happenedAt?(entry: z.infer<Entry>): string;
  /** Called only for a failed entry; absent if the kind cannot fail. */
  failure?(entry: z.infer<Entry>, facts: SubjectFacts, subjectName: string): Failure;
  /** Validates all entries of a visit together; returns a sentence if they are refused. */
  visitRule?(entries: readonly z.infer<Entry>[]): string | undefined;
  permissions: { record: Permission; view: Permission };
  messages: {
    siteRequired: string;
    dateRequired: string;
    operativeRequired: string;
    saved: string;
    saveFailed: string;
    /** Used instead of `saveFailed`, with the server's sentence, for an entry and, if that differs, for the visit. */
    rowsFailed?(message: string): string;
    visitFailed?(message: string): string;
    /** Shown if the sites or subjects could not be loaded; `loadUnexpected` if no answer came. */
    loadFailed?: string;
    loadUnexpected?: string;
    /** Shown in addition to the sentences at the fields if the form is incomplete. */
    incomplete?: { title: string; text: string };
  };
};

/** The permissions for recording and reading, the same for every check. */
export const CHECK_PERMISSIONS = {
  record: 'create_operative_tasks',
  view: 'view_logbook',
} as const satisfies CheckDefinition['permissions'];
