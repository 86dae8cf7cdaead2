import { useRef, useState } from 'react';
import {
  countRows,
  type ImportCheck,
  type ImportDone,
  type ImportKind,
} from '#shared/features/imports/imports.vocabulary.ts';
import { importMessages } from '#shared/features/imports/imports-messages.ts';
import { uuidv7 } from '#shared/ids.ts';
import { messages } from '#shared/messages.ts';
import { toastError, toastSuccess } from '../../ui/feedback/toast.ts';
import { useMe } from '../session/session-context.ts';
import { checkFile, ImportRefusal, readFile, renewLinks, runFile } from './import-api.ts';
import { hasUnsavedLinks, type KeptLinks, keepLinks, linksKeptFor, warnBeforeClosing } from './kept-links.ts';
import { linksOf } from './person-links.ts';

type Stored = Pick<KeptLinks, 'count' | 'skipped'>;
type Chosen = {
  file: File;
  bytes: Uint8Array<ArrayBuffer>;
  operationId: string;
};
export type ImportState =
  | { step: 'choose'; error?: string }
  | { step: 'checking'; name: string }
  | { step: 'checked'; name: string; check: ImportCheck; error?: string }
  | { step: 'running'; name: string; check: ImportCheck; done: number; total: number }
  | ({ step: 'done' } & Omit<KeptLinks, 'userId'>);

/** State machine of one import: file selected, validated, imported. */
export function useImport(kind: ImportKind) {
  const { id: userId } = useMe();
  const [state, setState] = useState<ImportState>(() => {
    const kept = kind === 'people' ? linksKeptFor(userId) : undefined;
    return kept === undefined ? { step: 'choose' } : { step: 'done', ...kept };
  });
  const chosen = useRef<Chosen>(undefined);

  async function choose(file: File): Promise<void> {
    setState({ step: 'checking', name: file.name });
    try {
      const bytes = await readFile(file);
      const check = await checkFile(kind, bytes);
      chosen.current = { file, bytes, operationId: uuidv7() };
      setState({ step: 'checked', name: file.name, check });
    } catch (error) {
      setState({ step: 'choose', error: sentenceOf(error, importMessages.checkFailed) });
    }
  }

  async function run(name: string, check: ImportCheck): Promise<void> {
    const held = chosen.current;
    if (held === undefined) return;
    const total = countRows(check.rows).added;
    setState({ step: 'running', name, check, done: 0, total });
    warnBeforeClosing(kind === 'people');
    try {
      const done = await runFile(kind, held.bytes, held.operationId, (rows) =>
        setState({ step: 'running', name, check, done: rows, total }),
      );
      toastSuccess(importMessages.outcome(done));
      finish(name, done, done);
    } catch (error) {
      warnBeforeClosing(false);
      const text = sentenceOf(error, importMessages.failed);
      toastError(text);
      setState({ step: 'checked', name, check, error: text });
    }
  }

  function finish(name: string, stored: Stored, { count: linked, links: made }: ImportDone): void {
    // A file without new people produces no links.
    const people = kind === 'people' && stored.count > 0;
    const links = linksOf(made?.tokens ?? []);
    const mailed = made?.mailed ?? 0;
    const unmailed = made === undefined || links.length > 0 ? 0 : linked - mailed;
    const result = {
      name,
      count: stored.count,
      skipped: stored.skipped,
      mailed,
      unmailed,
      links,
      lost: people && made === undefined,
      saved: false,
    };
    if (people) keepLinks({ userId, ...result });
    warnBeforeClosing(hasUnsavedLinks(userId));
    setState({ step: 'done', ...result });
  }

  /** Creates new links to replace links that were lost in transit or could not be mailed. */
  async function remake(name: string, stored: Stored): Promise<void> {
    const held = chosen.current;
    if (held === undefined) return;
    try {
      const done = await renewLinks(held.bytes, uuidv7());
      toastSuccess(importMessages.linksRemade);
      finish(name, stored, done);
    } catch (error) {
      const text = sentenceOf(error, importMessages.linksFailed);
      toastError(text);
    }
  }

  return {
    state,
    choose,
    run,
    /** Undefined when the file is no longer in memory. */
    remake: chosen.current === undefined ? undefined : remake,
    again: () => {
      if (chosen.current !== undefined) void choose(chosen.current.file);
    },
    /** Records that the links were saved to a file, so that closing the page loses nothing. */
    saved: () => {
      const links = linksKeptFor(userId);
      if (links === undefined) return;
      const safe = { ...links, saved: true };
      keepLinks(safe);
      warnBeforeClosing(false);
      setState({ step: 'done', ...safe });
    },
    reset: () => {
      if (kind === 'people') keepLinks(undefined);
      setState({ step: 'choose' });
    },
  };
}

function sentenceOf(error: unknown, fallback: string): string {
  return error instanceof ImportRefusal ? error.message : `${fallback}. ${messages.common.notReached}`;
}
