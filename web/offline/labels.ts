import { DAY_MS, formatDateTime, formatTime } from '#shared/dates.ts';
import { messages } from '#shared/messages.ts';
import { offlineMessages } from '#shared/offline/offline-messages.ts';
import { presentTime } from '../lib/time/present-time.ts';
import { messageFor } from '../lib/trpc/message-for.ts';
import {
  OfflineError,
  type OfflineErrorCode,
  type QueueCounts,
  type QueuedCommand,
  type QueuedError,
} from './types.ts';

const words = offlineMessages;

/** The state of a command in words: *Saved on this phone*, *Sending*, *Received 14:02*, *Needs attention*. */
export function formatState(item: Pick<QueuedCommand, 'state' | 'receivedAt' | 'receipt'>): string {
  if (item.state !== 'received') return words.states[item.state];
  const at = receivedAtOf(item);
  const today = presentTime() - Date.parse(at) < DAY_MS / 2;
  return words.received(today ? formatTime(at) : formatDateTime(at));
}

/** The time at which the server received the command, ISO: from the receipt, or by the estimated server time. */
export function receivedAtOf({ receivedAt, receipt }: Pick<QueuedCommand, 'receivedAt' | 'receipt'>): string {
  const said: unknown = Reflect.get(Object(receipt), 'receivedAt');
  return typeof said === 'string' ? said : (receivedAt ?? '');
}

/** The reason why the last try failed, in words. */
export function formatError(error: QueuedError): string {
  if (error.code === 'unreachable') return words.unreachable;
  if (error.code === 'not_found') return error.message ?? messages.common.notFound;
  const fields = Object.values(error.fields ?? {}).filter((text) => typeof text === 'string');
  if (error.code === 'invalid' && fields.length > 0) return [...new Set(fields)].join(' ');
  return messageFor({ data: { app: error } }, words.refused);
}

const NOT_KEPT: Readonly<Record<OfflineErrorCode, string>> = {
  storage_full: words.storageFull,
  storage_failed: words.storageRefused,
  newer_version: words.newerVersion,
  signed_out: words.signedOut,
  moved_on: words.movedOn,
};

/** The reason why this device did not store something, in words. */
export function formatNotKept(error: unknown): string {
  return error instanceof OfflineError ? NOT_KEPT[error.code] : words.storageRefused;
}

/** "3 records to send, 2 photos to send"; empty if nothing waits. */
export function formatUnsent({ waiting, attachments }: QueueCounts): string {
  return [
    ...(waiting > 0 ? [words.waiting(waiting)] : []),
    ...(attachments > 0 ? [words.photosWaiting(attachments)] : []),
  ].join(', ');
}
