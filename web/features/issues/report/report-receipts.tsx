import { messages } from '#shared/messages.ts';
import { announceSent } from '../../../forms/announce-sent.ts';
import { useSendNews } from '../../../offline/queue/use-send-news.ts';
import { toastSuccess } from '../../../ui/feedback/toast.ts';

/** Announces queued reports as sent or refused: a single one with its reference number, several as a count. */
export function ReportReceipts() {
  useSendNews('issues.create', (news) =>
    announceSent(news, ({ item: { receipt } }) => {
      const reference: unknown = Reflect.get(Object(receipt), 'referenceNumber');
      toastSuccess(
        typeof reference === 'string' ? messages.issues.created(reference) : messages.issues.reported,
      );
    }),
  );
  return null;
}
