import { useNavigate } from 'react-router-dom';
import { type SendNews, useSendNews } from '../../../offline/use-send-news.ts';

/** Says, wherever the person is by then, what became of checks that waited: received, or refused. */
export function ReceiptToasts() {
  const navigate = useNavigate();
  useSendNews('checks.record', (news) => say(news, () => void navigate('/sync')));
  return null;
}

// Its sentences stand in the definitions, which no first screen should load.
async function say(news: readonly SendNews[], toSync: () => void): Promise<void> {
  const { receiptText } = await import('./receipt-text.ts');
  receiptText(news, toSync);
}
