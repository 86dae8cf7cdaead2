import { useState } from 'react';
import { webhookMessages as words } from '#shared/features/webhooks/webhook-messages.ts';
import type { Webhook } from '#shared/features/webhooks/webhooks.ts';
import { useLiveQuery } from '../../live/hooks/use-live-query.ts';
import { Button } from '../../ui/buttons/button.tsx';
import { ConfirmDialog } from '../../ui/dialogs/confirm-dialog.tsx';
import { ListCard } from '../../ui/list-card.tsx';
import { CreateWebhookDialog } from './create-webhook-dialog.tsx';
import { DeliveriesDialog } from './deliveries-dialog.tsx';
import { useWebhookCommands } from './use-webhook-commands.ts';
import { useWebhookStates } from './use-webhook-states.ts';
import { WebhookRow } from './webhook-row.tsx';
import { webhookList } from './webhooks.live.ts';

const REFERENCE = '/api/v1#webhooks';

/** An open dialog about a webhook. */
type Asked = { about: Webhook; dialog: 'deliveries' | 'remove' | 'switch_off' };

/** The list of webhooks, with buttons to add, manage and remove them. */
export function WebhooksCard() {
  const list = useLiveQuery(webhookList, undefined);
  const states = useWebhookStates();
  const { remove, switchOff } = useWebhookCommands();
  const [isCreating, setCreating] = useState(false);
  const [asked, setAsked] = useState<Asked>();
  const close = () => setAsked(undefined);
  // The current state of the webhook: it may have been switched off or removed in another window.
  const current = list.data?.find(({ id }) => id === asked?.about.id);

  return (
    <ListCard
      title={words.title}
      text={
        <>
          {`${words.text} `}
          <a href={REFERENCE} className="font-medium text-brand underline">
            {words.reference}
          </a>
        </>
      }
      query={list}
      failed={words.fetchFailed}
      none={words.none}
      renderRow={(webhook) => (
        <WebhookRow
          key={webhook.id}
          webhook={webhook}
          state={states?.find(({ id }) => id === webhook.id)}
          onAsk={(dialog) => setAsked({ about: webhook, dialog })}
        />
      )}
    >
      <div>
        <Button onClick={() => setCreating(true)}>{words.create}</Button>
      </div>
      {isCreating && <CreateWebhookDialog onClose={() => setCreating(false)} />}
      {asked?.dialog === 'deliveries' && current !== undefined && (
        <DeliveriesDialog webhook={current} onClose={close} />
      )}
      {asked?.dialog === 'switch_off' && (
        <ConfirmDialog
          title={words.switchOffTitle(asked.about.name)}
          action={words.switchOff}
          onClose={close}
          onConfirm={() => {
            close();
            void switchOff(asked.about);
          }}
        >
          <p className="text-ink-2">{words.switchOffText}</p>
        </ConfirmDialog>
      )}
      {asked?.dialog === 'remove' && (
        <ConfirmDialog
          title={words.removeTitle(asked.about.name)}
          action={words.remove}
          onClose={close}
          onConfirm={() => {
            close();
            void remove(asked.about);
          }}
        >
          <p className="text-ink-2">{words.removeText}</p>
        </ConfirmDialog>
      )}
    </ListCard>
  );
}
