import { formatDate } from '#shared/dates.ts';
import { webhookMessages as words } from '#shared/features/webhooks/webhook-messages.ts';
import type { Webhook, WebhookState } from '#shared/features/webhooks/webhooks.ts';
import { subjectsOf } from '#shared/features/webhooks/webhooks.vocabulary.ts';
import { capitalise } from '#shared/text/capitalise.ts';
import { plural } from '#shared/text/plural.ts';
import { Button } from '../../ui/buttons/button.tsx';
import { useOneAtATime } from '../../ui/buttons/use-one-at-a-time.ts';
import { Badge } from '../../ui/feedback/badge.tsx';
import { RelativeTime } from '../../ui/feedback/relative-time.tsx';
import { useWebhookCommands } from './use-webhook-commands.ts';

type Props = {
  webhook: Webhook;
  /** Undefined until the state is loaded. */
  state: WebhookState | undefined;
  onAsk: (dialog: 'deliveries' | 'remove' | 'switch_off') => void;
};

/** A webhook in the list, with its state and the actions on it. */
export function WebhookRow({ webhook, state, onAsk }: Props) {
  const { switchOn, test } = useWebhookCommands();
  const [isTesting, runTest] = useOneAtATime();
  const [, run] = useOneAtATime();
  const { name, origin, permissions, allBuildings, buildingIds, ownerName, createdAt, offReason } = webhook;
  const isOn = offReason === null;
  const buildings = allBuildings ? 'All buildings' : plural(buildingIds.length, 'building');
  const named = (action: string) => ({ size: 'sm', 'aria-label': `${action} ${name}` }) as const;
  return (
    <li className="grid gap-2 py-3">
      <div className="[overflow-wrap:anywhere]">
        <p className="flex flex-wrap items-center gap-2 font-medium">
          {name}
          {!isOn && <Badge tone={offReason === 'person' ? 'neutral' : 'bad'}>{words.off}</Badge>}
          {isOn && state?.failingSince != null && <Badge tone="due">{words.failing}</Badge>}
        </p>
        <p className="font-mono text-sm">{state?.url ?? origin}</p>
        <p className="text-sm">{`${subjectsOf(permissions).map(capitalise).join(' · ')} · ${buildings}`}</p>
        <p className="text-ink-2 text-sm">{`Owned by ${ownerName}, added on ${formatDate(createdAt)}`}</p>
        {!isOn && (
          <p className="text-sm">
            {words.offReasons[offReason]}. <span className="text-ink-2">{words.offAdvice}</span>
          </p>
        )}
        {state !== undefined && <State {...state} />}
      </div>
      <div className="flex flex-wrap gap-2">
        <Button {...named(words.deliveries)} onClick={() => onAsk('deliveries')}>
          {words.deliveries}
        </Button>
        <Button
          {...named(isTesting ? words.testing : words.test)}
          aria-disabled={isTesting}
          onClick={() => runTest(() => test(webhook))}
        >
          {isTesting ? words.testing : words.test}
        </Button>
        {isOn ? (
          <Button {...named(words.switchOff)} onClick={() => onAsk('switch_off')}>
            {words.switchOff}
          </Button>
        ) : (
          <Button {...named(words.switchOn)} onClick={() => run(() => switchOn(webhook))}>
            {words.switchOn}
          </Button>
        )}
        <Button {...named(words.remove)} onClick={() => onAsk('remove')}>
          {words.remove}
        </Button>
      </div>
    </li>
  );
}

function State({ waiting, failed, deliveredAt, failingSince }: WebhookState) {
  const counts = [waiting > 0 && words.waiting(waiting), failed > 0 && words.failed(failed)].filter(Boolean);
  return (
    <p className="text-ink-2 text-sm">
      {deliveredAt === null ? (
        words.neverDelivered
      ) : (
        <>
          {`${words.lastDelivered} `}
          <RelativeTime at={deliveredAt} />
        </>
      )}
      {counts.length > 0 && ` · ${counts.join(' · ')}`}
      {failingSince !== null && (
        <>
          {' · failing since '}
          <RelativeTime at={failingSince} />
        </>
      )}
    </p>
  );
}
