import type { QueuedCommand, QueuedError, QueuedState } from './types.ts';

/**
 * What an entry waits for. `record`: to be sent. `attachments`: the server has it, and not yet all of its
 * attachments. `stuck`: a person must look at it. `done`: nothing.
 */
export type Phase = 'record' | 'attachments' | 'stuck' | 'done';

export type QueuedAttachmentRow = {
  id: string;
  sha256: string;
  contentType: string;
  bytes: number;
  about: unknown;
  state: QueuedState;
  lastError: QueuedError | null;
  /** Tries that failed by a fault that may be its own. */
  faults: number;
};

/** An entry as it lies on the disk. */
export type QueuedCommandRow = Omit<QueuedCommand, 'attachments'> & {
  seq: number;
  phase: Phase;
  /** Tries that failed by a fault that may be its own. */
  faults: number;
  attachments: QueuedAttachmentRow[];
};

/** The phase that follows from the states: what is sent next, if anything. */
export function phaseOf({ state, attachments }: Pick<QueuedCommandRow, 'state' | 'attachments'>): Phase {
  if (state === 'attention') return 'stuck';
  if (state !== 'received') return 'record';
  if (attachments.some((one) => one.state === 'saved' || one.state === 'sending')) return 'attachments';
  return attachments.some((one) => one.state === 'attention') ? 'stuck' : 'done';
}

/** @param sent of each attachment that is on its way, how much has gone */
export function toQueuedCommand(record: QueuedCommandRow, sent: ReadonlyMap<string, number>): QueuedCommand {
  const { seq: _, phase: __, faults: ___, attachments, ...item } = record;
  return {
    ...item,
    // Absent in what an older version of this page has saved.
    form: item.form ?? null,
    attachments: attachments.map(({ faults: ____, ...one }) => ({
      ...one,
      sentBytes: one.state === 'received' ? one.bytes : (sent.get(one.id) ?? 0),
    })),
  };
}
