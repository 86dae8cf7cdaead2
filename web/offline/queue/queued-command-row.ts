import type { QueuedCommand, QueuedError, QueuedState } from '../types.ts';

/**
 * The work that remains for a command. `record`: it has to be sent. `attachments`: the server has the command, but not
 * all attachments. `stuck`: a person must look at it. `done`: nothing.
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
  /** The number of failed tries that the attachment itself may have caused. */
  faults: number;
};

/** A command as stored in the database. */
export type QueuedCommandRow = Omit<QueuedCommand, 'attachments'> & {
  seq: number;
  phase: Phase;
  /** The number of failed tries that the command itself may have caused. */
  faults: number;
  attachments: QueuedAttachmentRow[];
};

/** The phase that follows from the states of a command and its attachments. */
export function phaseOf({ state, attachments }: Pick<QueuedCommandRow, 'state' | 'attachments'>): Phase {
  if (state === 'attention') return 'stuck';
  if (state !== 'received') return 'record';
  if (attachments.some((one) => one.state === 'saved' || one.state === 'sending')) return 'attachments';
  return attachments.some((one) => one.state === 'attention') ? 'stuck' : 'done';
}

/** @param sent the bytes sent so far of each attachment that is being sent */
export function toQueuedCommand(record: QueuedCommandRow, sent: ReadonlyMap<string, number>): QueuedCommand {
  const { seq: _, phase: __, faults: ___, attachments, ...item } = record;
  return {
    ...item,
    // Absent in rows that an older version of this page saved.
    form: item.form ?? null,
    attachments: attachments.map(({ faults: ____, ...one }) => ({
      ...one,
      sentBytes: one.state === 'received' ? one.bytes : (sent.get(one.id) ?? 0),
    })),
  };
}
