import { useNavigate } from 'react-router-dom';
import { type SendNews, useSendNews } from '../../../../offline/queue/use-send-news.ts';

/** Announces queued checks as received or refused, on any screen. */
export function ReceiptToasts() {
  const navigate = useNavigate();
  useSendNews('checks.record', (news) => say(news, () => void navigate('/sync')));
  return null;
}

// Loaded on demand: the messages are in the check definitions, which are too large for a first screen.
async function say(news: readonly SendNews[], toSync: () => void): Promise<void> {
  const { receiptText } = await import('./receipt-text.ts');
  receiptText(news, toSync, isShown);
}

/** Returns whether this check's receipt is on the screen. The URL of a form contains the id of the check shown. */
function isShown(id: string): boolean {
  return new URLSearchParams(window.location.search).get('done') === id;
}
