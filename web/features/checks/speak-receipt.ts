import { checkMessages } from '#shared/features/checks/check-messages.ts';
import { formMessages } from '#shared/features/checks/form-messages.ts';
import type { LogKind } from '#shared/features/checks/incidents.words.ts';
import { checks, type VisitReceipt } from '#shared/features/checks/index.ts';
import { messages } from '#shared/messages.ts';
import type { OutboxItem } from '../../offline/types.ts';
import { toast } from '../../ui/toast.ts';
import { saveFailureOf } from './save-failure.ts';

/** Says what became of a check: in the words of its kind, with the reference of what it raised. */
export function speakOf(item: OutboxItem, kind: LogKind): void {
  if (item.state === 'attention') {
    const text = saveFailureOf(kind, item.lastError);
    toast({ title: messages.common.error, text, tone: 'destructive' });
  } else if (item.state === 'received') {
    // The cast: what the server answers to this command.
    const { held, raised = [], pointAdded } = (item.receipt ?? {}) as Partial<VisitReceipt>;
    if (held === true) {
      // It is safe, and not yet in the log.
      toast({ title: formMessages.heldTitle, text: formMessages.held, tone: 'info' });
      return;
    }
    toast({ title: messages.common.success, text: checks[kind].messages.saved });
    if (pointAdded === true) toast({ title: checkMessages.pointAdded });
    for (const { referenceNumber, joined } of raised) {
      const { joined: added, raised: anew } = formMessages;
      toast({ title: joined ? added(referenceNumber) : anew(referenceNumber) });
    }
  }
}
