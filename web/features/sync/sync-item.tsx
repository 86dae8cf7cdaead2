import { AlertTriangle, Check, CloudUpload, Hourglass, Image, RefreshCw } from 'lucide-react';
import type { ReactNode } from 'react';
import { formatDateTime } from '#shared/dates.ts';
import { offlineMessages } from '#shared/offline/offline-messages.ts';
import { correctionPathOf, needsCorrection } from '../../offline/correction-path.ts';
import { formatError, formatState } from '../../offline/labels.ts';
import type { QueuedAttachment, QueuedCommand, QueuedState } from '../../offline/types.ts';
import { Button } from '../../ui/buttons/button.tsx';
import { ButtonLink } from '../../ui/buttons/button-link.tsx';
import { Card } from '../../ui/card.tsx';
import { Badge, type Tone } from '../../ui/feedback/badge.tsx';

const LOOKS: Readonly<Record<QueuedState, { tone: Tone; icon: typeof Check }>> = {
  saved: { tone: 'due', icon: CloudUpload },
  sending: { tone: 'info', icon: RefreshCw },
  received: { tone: 'ok', icon: Check },
  attention: { tone: 'bad', icon: AlertTriangle },
};
const HELD = { tone: 'due', icon: Hourglass } as const;

type Props = {
  item: QueuedCommand;
  /** Outcome of the command, supplied by its feature. */
  remark?: ReactNode;
  /** Received, but an administrator has yet to decide on it. */
  held?: boolean;
  /** Path of the form in which the command can be corrected, if there is one. */
  formPath: string | undefined;
  onRetry: () => void;
  onDiscard: () => void;
};

/** Card of one queued command: title, state, attachments, errors and actions. */
export function SyncItem({ item, remark, held = false, formPath, onRetry, onDiscard }: Props) {
  const { title, state, createdAt, attempts, attachments, lastError } = item;
  const stuck = state === 'attention' || attachments.some((one) => one.state === 'attention');
  const look = held ? HELD : LOOKS[state];
  const editPath = correctionPathOf(item, formPath);
  return (
    <Card className="grid gap-2 p-4">
      <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-2">
        <h2 className="min-w-0 font-semibold text-ink [overflow-wrap:anywhere]">{title}</h2>
        <Badge tone={look.tone} icon={<look.icon size={13} aria-hidden />}>
          {formatState(item)}
        </Badge>
      </div>
      <p className="text-ink-2 text-sm tabular-nums">
        {formatDateTime(createdAt)}
        {attachments.length > 0 && ` · ${photosSentOf(attachments)}`}
        {attempts > 0 && ` · ${attempts === 1 ? '1 attempt' : `${attempts} attempts`}`}
      </p>
      {lastError !== null && state !== 'received' && (
        <p className={state === 'attention' ? 'font-medium text-bad' : 'text-ink-2'}>
          {formatError(lastError)}
        </p>
      )}
      {remark}
      {attachments.length > 0 && <Attachments attachments={attachments} />}
      {editPath === undefined && item.command !== 'photos.announce' && needsCorrection(item) && (
        <p className="text-ink">{offlineMessages.noForm}</p>
      )}
      {state === 'attention' && item.command !== 'photos.announce' && <Content input={item.input} />}
      {(stuck || state === 'saved') && (
        <div className="flex flex-wrap gap-2 max-sm:*:grow">
          {editPath !== undefined && (
            <ButtonLink variant="primary" to={editPath} aria-label={`Edit: ${title}`}>
              Edit
            </ButtonLink>
          )}
          <Button onClick={onRetry} aria-label={`Retry: ${title}`}>
            Retry
          </Button>
          <Button variant="quiet" onClick={onDiscard} aria-label={`Discard: ${title}`}>
            Discard
          </Button>
        </div>
      )}
    </Card>
  );
}

function Attachments({ attachments }: { attachments: readonly QueuedAttachment[] }) {
  return (
    <ul className="grid gap-1 text-sm">
      {attachments.map((one, n) => (
        <li key={one.id} className="flex flex-wrap items-center gap-x-2 text-ink-2 tabular-nums">
          <Image size={14} aria-hidden />
          <span>{`Photo ${n + 1}`}</span>
          <span className={one.state === 'attention' ? 'font-medium text-bad' : undefined}>
            {progressOf(one)}
          </span>
          {one.lastError !== null && one.state !== 'received' && <span>{formatError(one.lastError)}</span>}
        </li>
      ))}
    </ul>
  );
}

function photosSentOf(attachments: readonly QueuedAttachment[]): string {
  const sent = attachments.filter(({ state }) => state === 'received').length;
  return offlineMessages.photosSent(sent, attachments.length);
}

function progressOf({ state, sentBytes, bytes }: QueuedAttachment): string {
  if (state === 'received') return 'Received';
  const { states } = offlineMessages;
  return state === 'sending' && bytes > 0
    ? `${states.sending} ${Math.floor((100 * sentBytes) / bytes)}%`
    : states[state];
}

/** Recorded values, so that they can be entered again by hand. Ids are left out. */
function Content({ input }: { input: unknown }) {
  const lines = linesOf(input);
  if (lines.length === 0) return null;
  return (
    <details>
      <summary className="cursor-pointer py-1 text-ink-2 text-sm pointer-coarse:py-3">
        What was recorded
      </summary>
      <dl className="mt-1 grid grid-cols-[auto_1fr] gap-x-3 gap-y-0.5 text-sm">
        {lines.map(([name, value], n) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the lines of one entry never change places
          <div key={n} className="contents">
            <dt className="text-ink-2">{name}</dt>
            <dd className="text-ink [overflow-wrap:anywhere]">{value}</dd>
          </div>
        ))}
      </dl>
    </details>
  );
}

function linesOf(value: unknown, name = ''): [string, string][] {
  if (Array.isArray(value))
    return value.flatMap((one: unknown, n) => linesOf(one, `${name} ${n + 1}`.trim()));
  if (typeof value === 'object' && value !== null) {
    return Object.entries(value).flatMap(([key, one]) => linesOf(one, `${name} ${inWords(key)}`.trim()));
  }
  if (value === null || value === undefined || value === '' || /\bids?\b/i.test(name)) return [];
  return [[name, value === true ? 'yes' : value === false ? 'no' : String(value)]];
}

/** Converts "temperatureCelsius" to "temperature celsius". */
function inWords(key: string): string {
  return key.replace(/([a-z])([A-Z])/g, '$1 $2').toLowerCase();
}
