import { checkMessages } from '#shared/features/checks/check-messages.ts';
import { formMessages } from '#shared/features/checks/form-messages.ts';
import { LOG_KINDS, type LogKind } from '#shared/features/checks/incidents.vocabulary.ts';
import { checks, type VisitReceipt } from '#shared/features/checks/index.ts';
import { offlineMessages } from '#shared/offline/offline-messages.ts';
import type { SendNews } from '../../../../offline/queue/use-send-news.ts';
import type { QueuedCommand } from '../../../../offline/types.ts';
import { toast, toastError, toastSuccess } from '../../../../ui/feedback/toast.ts';
import { aboutRecord, nextDueOf } from '../about-record.ts';
import { saveFailureOf } from '../save-failure.ts';

/** A check that was received or refused, with its kind. */
type ReceiptNews = { item: QueuedCommand; kind: LogKind };
/** Returns whether the receipt of this check is on the screen; the receipt already shows all details. */
type IsShown = (id: string) => boolean;

/**
 * Shows toasts about checks that were received or refused: one check in the wording of its kind, several as a summary.
 */
export function receiptText(sent: readonly SendNews[], toSync: () => void, isShown: IsShown): void {
  const news = sent.flatMap(({ item, input }) => {
    const told: unknown = Reflect.get(Object(input), 'kind');
    const kind = LOG_KINDS.find((one) => one === told);
    return kind === undefined ? [] : [{ item, kind }];
  });
  const [only, ...more] = news;
  if (only === undefined) return;
  if (more.length === 0) speakOfOne(only, isShown(only.item.id));
  else speakOfSeveral(news, toSync);
}

function speakOfOne({ item, kind }: ReceiptNews, isShown: boolean): void {
  if (item.state === 'attention') {
    const text = saveFailureOf(kind, item.lastError);
    toastError(text);
    return;
  }
  const { held, raised, pointAdded, nextDue } = receiptOf(item);
  const about = `${aboutRecord(kind, item)}.`;
  if (held === true) {
    // The record is stored but not yet in the log.
    const text = isShown ? undefined : `${about} ${formMessages.held}`;
    toast({ title: formMessages.heldTitle, text, tone: 'info' });
    return;
  }
  const { saved } = checks[kind].messages;
  if (pointAdded === true) toast({ title: checkMessages.pointAdded });
  if (isShown) {
    toast({ title: saved });
    return;
  }
  const next = nextDue == null ? undefined : nextDueOf(nextDue);
  const due = next === undefined ? [] : [`${next.words} ${next.day}.`];
  toastSuccess([saved, about, ...due].join(' '));
  for (const { referenceNumber, joined } of raised) {
    const { joined: added, raised: anew } = formMessages;
    toast({ title: joined ? added(referenceNumber) : anew(referenceNumber) });
  }
}

function speakOfSeveral(news: readonly ReceiptNews[], toSync: () => void): void {
  const refused = news.filter(({ item }) => item.state === 'attention').length;
  const receipts = news.flatMap(({ item }) => (item.state === 'received' ? [receiptOf(item)] : []));
  const held = receipts.filter((receipt) => receipt.held === true).length;
  const sent = receipts.length - held;
  const issues = receipts.flatMap(({ raised }) => raised.map(({ referenceNumber }) => referenceNumber));
  const said = [
    ...(sent > 0 ? [offlineMessages.sent(sent)] : []),
    ...(held > 0 ? [offlineMessages.held(held)] : []),
    ...(refused > 0 ? [offlineMessages.needAttention(refused)] : []),
  ];
  const [title = '', ...others] = said;
  const raised = issues.length === 0 ? [] : [formMessages.raisedTogether([...new Set(issues)])];
  toast({
    title,
    text: [...others, ...raised].map((text) => `${text}.`).join(' ') || undefined,
    tone: refused > 0 ? 'destructive' : held > 0 ? 'info' : 'default',
    action: { label: offlineMessages.open, onSelect: toSync },
  });
}

function receiptOf({ receipt }: QueuedCommand): Partial<VisitReceipt> & Pick<VisitReceipt, 'raised'> {
  // The cast is safe: the receipt is the server's answer to this command.
  return { raised: [], ...((receipt ?? {}) as Partial<VisitReceipt>) };
}
