import { formatDateTime } from '#shared/dates.ts';
import { webhookMessages as words } from '#shared/features/webhooks/webhook-messages.ts';
import type { Delivery, Webhook } from '#shared/features/webhooks/webhooks.ts';
import type { DeliveryState } from '#shared/features/webhooks/webhooks.vocabulary.ts';
import { messages } from '#shared/messages.ts';
import { plural } from '#shared/text/plural.ts';
import { messageFor } from '../../lib/trpc/message-for.ts';
import { Button } from '../../ui/buttons/button.tsx';
import { useOneAtATime } from '../../ui/buttons/use-one-at-a-time.ts';
import { Dialog } from '../../ui/dialogs/dialog.tsx';
import { Badge, type Tone } from '../../ui/feedback/badge.tsx';
import { ErrorState } from '../../ui/feedback/error-state.tsx';
import { Skeleton } from '../../ui/feedback/skeleton.tsx';
import { failureText } from './failure-text.ts';
import { useDeliveries } from './use-deliveries.ts';
import { useWebhookCommands } from './use-webhook-commands.ts';

const TONES: Readonly<Record<DeliveryState, Tone>> = {
  waiting: 'info',
  delivered: 'ok',
  failed: 'bad',
  withheld: 'neutral',
};

/** The deliveries of a webhook, newest first; each ended delivery can be sent again. */
export function DeliveriesDialog({ webhook, onClose }: { webhook: Webhook; onClose: () => void }) {
  const { data, error, refetch, showEarlier } = useDeliveries(webhook.id);
  const { resend } = useWebhookCommands();
  const isOn = webhook.offAt === null;

  const [, run] = useOneAtATime();
  const sendAgain = (deliveryId?: string) =>
    run(async () => {
      await resend(webhook, deliveryId);
      await refetch();
    });

  return (
    <Dialog open onClose={onClose} title={words.deliveriesTitle(webhook.name)} size="lg">
      {data === undefined ? (
        error === null ? (
          <Skeleton className="h-60" />
        ) : (
          <ErrorState
            title={words.deliveriesFailed}
            text={messageFor(error, messages.common.notReached)}
            error={error}
            onRetry={() => void refetch()}
          />
        )
      ) : (
        <div className="grid gap-3">
          {error !== null && (
            <p className="flex flex-wrap items-center gap-2 text-bad text-sm" role="alert">
              {words.deliveriesStale}
              <Button size="sm" onClick={() => void refetch()}>
                {messages.common.tryAgain}
              </Button>
            </p>
          )}
          {data.rows.length === 0 && <p>{words.noDeliveries}</p>}
          {isOn && data.rows.some(({ state }) => state === 'failed') && (
            <div>
              <Button size="sm" onClick={() => sendAgain()}>
                {words.resendAll}
              </Button>
            </div>
          )}
          <ul className="grid divide-y divide-line" aria-label={words.deliveries}>
            {data.rows.map((delivery) => (
              <DeliveryRow
                key={delivery.id}
                delivery={delivery}
                onResend={isOn && delivery.state !== 'waiting' ? () => sendAgain(delivery.id) : undefined}
              />
            ))}
          </ul>
          {data.hasMore && (
            <div>
              <Button size="sm" onClick={showEarlier}>
                {words.more}
              </Button>
            </div>
          )}
        </div>
      )}
    </Dialog>
  );
}

function DeliveryRow({
  delivery: { type, createdAt, state, attempts, nextAt, lastError, lastStatus },
  onResend,
}: {
  delivery: Delivery;
  onResend: (() => void) | undefined;
}) {
  return (
    <li className="flex flex-wrap items-start gap-x-3 gap-y-1 py-2">
      <div className="min-w-48 flex-1">
        <p className="flex flex-wrap items-center gap-2">
          <span className="font-mono text-sm">{type}</span>
          <Badge tone={TONES[state]}>{words.states[state]}</Badge>
        </p>
        <p className="text-ink-2 text-sm tabular-nums">
          <time dateTime={createdAt}>{formatDateTime(createdAt)}</time>
          {attempts > 0 && ` · ${plural(attempts, 'attempt')}`}
          {attempts > 0 && nextAt !== null && ` · ${words.nextAttempt} ${formatDateTime(nextAt)}`}
        </p>
        {lastError !== null && <p className="text-bad text-sm">{failureText(lastError, lastStatus)}</p>}
      </div>
      {onResend !== undefined && (
        <Button
          size="sm"
          onClick={onResend}
          aria-label={`${words.resend}: ${type}, ${formatDateTime(createdAt)}`}
        >
          {words.resend}
        </Button>
      )}
    </li>
  );
}
