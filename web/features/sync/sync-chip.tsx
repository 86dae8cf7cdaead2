import { AlertTriangle, CloudUpload, RefreshCw } from 'lucide-react';
import { Link } from 'react-router-dom';
import { offlineMessages } from '#shared/offline/offline-messages.ts';
import { formatUnsent } from '../../offline/labels.ts';
import { useUnsent } from '../../offline/queue/use-unsent.ts';
import { cx } from '../../ui/cx.ts';

/** Number of unsent records, in the header, linked to the sync page. Renders nothing when all are sent. */
export function SyncChip({ to }: { to: string }) {
  const counts = useUnsent();
  const left = counts.waiting + counts.attachments;
  if (left === 0 && counts.attention === 0) return null;
  const stuck = counts.attention > 0;
  const text = stuck ? offlineMessages.needAttention(counts.attention) : formatUnsent(counts);
  const Icon = stuck ? AlertTriangle : counts.sending > 0 ? RefreshCw : CloudUpload;
  return (
    <Link
      to={to}
      data-unsent
      title={text}
      className="inline-flex items-center justify-center rounded-full pointer-coarse:h-12 pointer-coarse:min-w-12"
    >
      <span
        className={cx(
          'inline-flex h-7 items-center gap-1.5 rounded-full px-2.5 font-semibold text-xs whitespace-nowrap tabular-nums pointer-coarse:h-8 pointer-coarse:px-3 pointer-coarse:text-sm',
          stuck ? 'bg-bad-soft text-bad' : 'bg-due-soft text-due',
        )}
      >
        <Icon size={14} aria-hidden />
        <span aria-hidden className="sm:hidden">
          {stuck ? counts.attention : left}
        </span>
        <span className="max-sm:sr-only">{text}</span>
      </span>
    </Link>
  );
}
