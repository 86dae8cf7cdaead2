import { CalendarX2, FileX2, Hourglass, ShieldCheck } from 'lucide-react';
import { formatDay } from '#shared/dates.ts';
import { browserMessages } from '#shared/features/documents/document-browser-messages.ts';
import { matchesExpiry } from '#shared/features/documents/document-filter.ts';
import type { Document } from '#shared/features/documents/documents.ts';
import { Badge } from '../../../ui/feedback/badge.tsx';
import { useIsLost } from '../data/lost-files.ts';
import { disciplineName, type Item } from '../items.ts';
import { useBrowser } from './browser-context.ts';

/** Badge with a document's discipline where several disciplines are listed; for a discipline, a badge if it is inactive. */
export function DisciplineBadge({ item }: { item: Item }) {
  const { isAcross, disciplineOf } = useBrowser();
  if (item.kind === 'discipline') {
    return item.isActive ? null : <Badge>{browserMessages.inactive}</Badge>;
  }
  const discipline = isAcross ? disciplineOf(item.document.disciplineId) : undefined;
  if (discipline === undefined) return null;
  return (
    <span className="block min-w-0 max-w-full truncate rounded-tag bg-mute px-[7px] py-0.5 font-semibold text-ink-2 text-xs">
      {disciplineName(discipline)}
    </span>
  );
}

/** Returns whether any document of a discipline has expired or will expire within 30 days. */
export function expires({ expired, expiresSoon }: { expired: number; expiresSoon: number }): boolean {
  return expired + expiresSoon > 0;
}

/**
 * Badge of a document that has expired or will expire within 30 days; for a discipline, the number of expired documents
 * or, if there are none, of those that will expire within 30 days.
 */
export function ExpiryBadge({ item }: { item: Item }) {
  const { today } = useBrowser();
  if (item.kind === 'discipline') {
    if (!expires(item)) return null;
    if (item.expired > 0) return <Expired>{`${item.expired} expired`}</Expired>;
    const { expiresSoon } = item;
    return <ExpiresSoon>{`${expiresSoon} ${expiresSoon === 1 ? 'expires' : 'expire'} soon`}</ExpiresSoon>;
  }
  return today === undefined ? null : <DocumentExpiry document={item.document} today={today} />;
}

type DocumentExpiryProps = {
  document: Pick<Document, 'expiresOn'>;
  /** Today's date for the organisation. */
  today: string;
  /** Also shows an expiry that is more than 30 days ahead. */
  always?: boolean;
};

/** Badge with the expiry of a document that has expired or will expire within 30 days. */
export function DocumentExpiry({ document, today, always = false }: DocumentExpiryProps) {
  if (document.expiresOn === null) return null;
  const day = formatDay(document.expiresOn);
  if (matchesExpiry('expired', document, today)) return <Expired>{`Expired ${day}`}</Expired>;
  if (matchesExpiry('expires_soon', document, today)) return <ExpiresSoon>{`Expires ${day}`}</ExpiresSoon>;
  return always ? <Badge>{`Expires ${day}`}</Badge> : null;
}

/** Marks a document whose preview found that the server no longer has the file. */
export function LostBadge({ item }: { item: Item }) {
  const isLost = useIsLost(item.kind === 'file' ? item.document : undefined);
  return isLost ? (
    <Badge tone="bad" icon={<FileX2 size={12} aria-hidden />}>
      {browserMessages.lost}
    </Badge>
  ) : null;
}

/** Returns whether a document has expired or will expire within 30 days. */
export function isExpiring(document: Pick<Document, 'expiresOn'>, today: string): boolean {
  return matchesExpiry('expired', document, today) || matchesExpiry('expires_soon', document, today);
}

function Expired({ children }: { children: string }) {
  return (
    <Badge tone="bad" icon={<CalendarX2 size={12} aria-hidden />}>
      {children}
    </Badge>
  );
}

function ExpiresSoon({ children }: { children: string }) {
  return (
    <Badge tone="due" icon={<Hourglass size={12} aria-hidden />}>
      {children}
    </Badge>
  );
}

/** Marks a certificate of a completed task, which is read-only here. */
export function ProofMark({ document }: { document: Document }) {
  if (document.proof === null) return null;
  const text = browserMessages.certificate(document.proof.taskNumber);
  return (
    <span title={text} className="inline-flex shrink-0 text-ok">
      <ShieldCheck size={15} aria-hidden />
      <span className="sr-only">{text}</span>
    </span>
  );
}
