import { assertNever } from '#shared/assert-never.ts';
import type { LogKind } from '#shared/features/checks/incidents.vocabulary.ts';
import { checks } from '#shared/features/checks/index.ts';
import { typedNumber } from '../typed-number.ts';
import type { CheckDraft } from './check-draft.ts';
import type { EntryDraft } from './entry-draft.ts';
import { fieldsOf } from './form-specs.ts';

/** One entry of the record as sent, before validation. */
export type Line = { key: string; value: Record<string, unknown> };

/** Converts a draft entry to the wire format of its kind; empty notes and untested outcomes become null. */
export function toLine(kind: LogKind, key: string, entry: EntryDraft, visit: EntryDraft): Line {
  const value: Record<string, unknown> = { id: entry['id'] };
  for (const [name, { control }] of Object.entries(fieldsOf(checks[kind]))) {
    // A choice is usually made once for the visit; a kind with one entry has it on the entry.
    const typed = control === 'choice' ? (entry[name] ?? visit[name]) : entry[name];
    switch (control) {
      case 'text':
      case 'paragraph':
      case 'time':
        value[name] = typed ?? '';
        break;
      case 'notes':
        value[name] = typed ?? null;
        break;
      case 'number':
        // An optional empty number is null; a required one stays undefined, so that the schema reports it.
        value[name] = typedNumber(typed) ?? (isOptional(kind, name) ? null : undefined);
        break;
      case 'pass-fail':
        value[name] = typed === 'pass' ? true : typed === 'fail' ? false : undefined;
        break;
      case 'pass-fail-untested':
        value[name] = typed === 'pass' ? true : typed === 'fail' ? false : null;
        break;
      case 'tick':
        value[name] = typed === 'pass';
        break;
      case 'choice':
        if (typed !== undefined) value[name] = typed;
        break;
      default:
        assertNever(control);
    }
  }
  if (checks[kind].subject.of === 'assets') value[subjectFieldOf(kind)] = key;
  else if (typeof entry['assetId'] === 'string') value['assetId'] = entry['assetId'];
  return { key, value };
}

/** Returns the field of an entry that contains the asset id. */
export function subjectFieldOf(kind: LogKind): string {
  return 'outletId' in checks[kind].entry.shape ? 'outletId' : 'assetId';
}

function isOptional(kind: LogKind, name: string): boolean {
  const shape: Record<string, { isOptional?: () => boolean } | undefined> = checks[kind].entry.shape;
  return shape[name]?.isOptional?.() === true;
}

/** Returns the seconds from the first result to the last; undefined unless they are more than zero. */
export function durationOf({ startedAt, touchedAt }: CheckDraft): number | undefined {
  if (startedAt === null || touchedAt === null) return undefined;
  const seconds = Math.round((Date.parse(touchedAt) - Date.parse(startedAt)) / 1000);
  return seconds > 0 ? seconds : undefined;
}
