import { useRef, useState } from 'react';
import type { ImportCheck, ImportKind } from '#shared/features/imports.words.ts';
import { importMessages } from '#shared/features/imports-messages.ts';
import { uuidv7 } from '#shared/ids.ts';
import { messages } from '#shared/messages.ts';
import { makeLinkToken } from '../../lib/link-token.ts';
import { toast } from '../../ui/toast.ts';
import { useMe } from '../session/session-context.ts';
import { checkFile, ImportRefusal, readFile, runFile } from './import-api.ts';
import { type KeptLinks, keepLinks, linksAtStake, linksKeptFor, warnBeforeClosing } from './kept-links.ts';
import { linksOf } from './person-links.ts';

type Chosen = {
  file: File;
  bytes: Uint8Array<ArrayBuffer>;
  operationId: string;
  /** The same for every try, as the operation is. */
  tokens: readonly string[] | undefined;
};
export type ImportState =
  | { step: 'choose'; error?: string }
  | { step: 'checking'; name: string }
  | { step: 'checked'; name: string; check: ImportCheck; error?: string }
  | { step: 'running'; name: string; check: ImportCheck; done: number; total: number }
  | ({ step: 'done' } & Omit<KeptLinks, 'userId'>);

/** The way of one file: chosen, checked, imported. */
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
      const tokens = kind === 'people' ? check.rows.map(makeLinkToken) : undefined;
      chosen.current = { file, bytes, operationId: uuidv7(), tokens };
      setState({ step: 'checked', name: file.name, check });
    } catch (error) {
      setState({ step: 'choose', error: sentenceOf(error, importMessages.checkFailed) });
    }
  }

  async function run(name: string, check: ImportCheck): Promise<void> {
    const held = chosen.current;
    if (held === undefined) return;
    const total = check.rows.length;
    setState({ step: 'running', name, check, done: 0, total });
    warnBeforeClosing(kind === 'people');
    try {
      const { count, mailed = 0 } = await runFile(kind, held.bytes, held.operationId, held.tokens, (done) =>
        setState({ step: 'running', name, check, done, total }),
      );
      toast({ title: messages.common.success, text: importMessages.done(count) });
      const links = linksOf(check, held.tokens ?? []);
      const result = { name, count, mailed, links, saved: false };
      if (kind === 'people') keepLinks({ userId, ...result });
      warnBeforeClosing(linksAtStake(userId));
      setState({ step: 'done', ...result });
    } catch (error) {
      warnBeforeClosing(false);
      const text = sentenceOf(error, importMessages.failed);
      toast({ title: messages.common.error, text, tone: 'destructive' });
      setState({ step: 'checked', name, check, error: text });
    }
  }

  return {
    state,
    choose,
    run,
    again: () => {
      if (chosen.current !== undefined) void choose(chosen.current.file);
    },
    /** The links are in a file: nothing is lost with this page any more. */
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
