import { useEffect, useRef } from 'react';
import { LOG_KINDS, type LogKind } from '#shared/features/checks/incidents.words.ts';
import type { OutboxItem, OutboxState } from '../../offline/types.ts';
import { useOutbox } from '../../offline/use-outbox.ts';

type Seen = { state: OutboxState; kind: LogKind | undefined };

/** Says, wherever the person is by then, what became of a check that waited: received, or refused. */
export function ReceiptToasts() {
  const { items } = useOutbox();
  const seen = useRef(new Map<string, Seen>());

  useEffect(() => {
    for (const item of items) {
      if (item.command !== 'checks.record') continue;
      const before = seen.current.get(item.id);
      // Once it is received, what was sent is forgotten, and with it of which kind it was.
      const now = { state: item.state, kind: kindOf(item.input) ?? before?.kind };
      seen.current.set(item.id, now);
      // What was so when the page was opened is no news.
      if (before !== undefined && before.state !== now.state && now.kind !== undefined)
        void say(item, now.kind);
    }
  }, [items]);
  return null;
}

// Its sentences stand in the definitions, which no first screen should load.
async function say(item: OutboxItem, kind: LogKind): Promise<void> {
  if (item.state !== 'received' && item.state !== 'attention') return;
  const { speakOf } = await import('./speak-receipt.ts');
  speakOf(item, kind);
}

function kindOf(input: unknown): LogKind | undefined {
  if (typeof input !== 'object' || input === null || !('kind' in input)) return undefined;
  return LOG_KINDS.find((kind) => kind === input.kind);
}
