import { ScanQrCode } from 'lucide-react';
import { Link } from 'react-router-dom';
import { scanMessages } from '#shared/features/assets/scan-messages.ts';

/** Link to the scanner, which finds the row of a scanned asset. */
export function ScanLink() {
  return (
    <Link
      to="/scan"
      aria-label={scanMessages.title}
      className="grid size-12 shrink-0 place-items-center rounded-[10px] border border-line-2 bg-surface text-ink-2 hover:text-ink"
    >
      <ScanQrCode size={20} aria-hidden />
    </Link>
  );
}
