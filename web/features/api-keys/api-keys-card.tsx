import { useState } from 'react';
import { DAY_MS, formatDate } from '#shared/dates.ts';
import { apiKeyMessages } from '#shared/features/api-keys/api-key-messages.ts';
import type { ApiKey, ApiKeyUse } from '#shared/features/api-keys/api-keys.ts';
import { describeAccess, EXPIRES_SOON_DAYS } from '#shared/features/api-keys/api-keys.vocabulary.ts';
import { messages } from '#shared/messages.ts';
import { plural } from '#shared/text/plural.ts';
import { useNow } from '../../lib/time/use-now.ts';
import { messageFor } from '../../lib/trpc/message-for.ts';
import { useLiveQuery } from '../../live/hooks/use-live-query.ts';
import { Button } from '../../ui/buttons/button.tsx';
import { Card } from '../../ui/card.tsx';
import { ConfirmDialog } from '../../ui/dialogs/confirm-dialog.tsx';
import { Badge } from '../../ui/feedback/badge.tsx';
import { ErrorState } from '../../ui/feedback/error-state.tsx';
import { RelativeTime } from '../../ui/feedback/relative-time.tsx';
import { Skeleton } from '../../ui/feedback/skeleton.tsx';
import { apiKeyList } from './api-keys.live.ts';
import { CreateKeyDialog } from './create-key-dialog.tsx';
import { useApiKeyCommands } from './use-api-key-commands.ts';
import { useApiKeyUses } from './use-api-key-uses.ts';

const REFERENCE = '/api/v1';

/** The keys of the API: creating, looking after and revoking them. */
export function ApiKeysCard() {
  const { data, error, refetch } = useLiveQuery(apiKeyList, undefined);
  const uses = useApiKeyUses();
  const { revoke } = useApiKeyCommands();
  const [isCreating, setCreating] = useState(false);
  const [toRevoke, setToRevoke] = useState<ApiKey>();

  return (
    <Card className="grid gap-4 p-5">
      <div>
        <h2 className="mb-2 font-semibold text-md">{apiKeyMessages.title}</h2>
        <p className="text-ink-2">
          {`${apiKeyMessages.text} `}
          <a href={REFERENCE} className="font-medium text-brand underline">
            {apiKeyMessages.reference}
          </a>
        </p>
      </div>
      {data === undefined ? (
        error ? (
          <ErrorState
            title={apiKeyMessages.fetchFailed}
            text={messageFor(error, messages.common.notReached)}
            error={error}
            onRetry={refetch}
          />
        ) : (
          <Skeleton className="h-16" />
        )
      ) : data.length === 0 ? (
        <p>{apiKeyMessages.none}</p>
      ) : (
        <ul className="grid divide-y divide-line" aria-label={apiKeyMessages.title}>
          {data.map((apiKey) => (
            <KeyRow key={apiKey.id} apiKey={apiKey} uses={uses} onRevoke={() => setToRevoke(apiKey)} />
          ))}
        </ul>
      )}
      <div>
        <Button onClick={() => setCreating(true)}>{apiKeyMessages.create}</Button>
      </div>
      {isCreating && <CreateKeyDialog onClose={() => setCreating(false)} />}
      {toRevoke !== undefined && (
        <ConfirmDialog
          title={apiKeyMessages.revokeTitle(toRevoke.name)}
          action={apiKeyMessages.revoke}
          onClose={() => setToRevoke(undefined)}
          onConfirm={() => {
            setToRevoke(undefined);
            void revoke(toRevoke);
          }}
        >
          <p className="text-ink-2">{apiKeyMessages.revokeText}</p>
        </ConfirmDialog>
      )}
    </Card>
  );
}

function KeyRow({
  apiKey,
  uses,
  onRevoke,
}: {
  apiKey: ApiKey;
  uses: readonly ApiKeyUse[] | undefined;
  onRevoke: () => void;
}) {
  const { id, name, permissions, allBuildings, buildingIds, createdByName, createdAt, expiresAt } = apiKey;
  const leftMs = Date.parse(expiresAt) - useNow();
  const may = describeAccess(permissions).join(' · ');
  const use = uses?.find(({ keyId }) => keyId === id);
  const buildings = allBuildings ? 'All buildings' : plural(buildingIds.length, 'building');
  return (
    <li className="flex flex-wrap items-start gap-3 py-3">
      <div className="min-w-48 flex-1">
        <p className="flex flex-wrap items-center gap-2 font-medium [overflow-wrap:anywhere]">
          {name}
          {leftMs <= EXPIRES_SOON_DAYS * DAY_MS && (
            <Badge tone="due">{leftMs <= 0 ? apiKeyMessages.expired : apiKeyMessages.expiresSoon}</Badge>
          )}
        </p>
        <p className="text-sm">{`${may} · ${buildings}`}</p>
        <p className="text-ink-2 text-sm">
          {`Created by ${createdByName} on ${formatDate(createdAt)}, valid until ${formatDate(expiresAt)}`}
        </p>
        <p className="text-ink-2 text-sm">
          {use === undefined ? (
            uses !== undefined && apiKeyMessages.neverUsed
          ) : (
            <>
              {'Last used '}
              <RelativeTime at={use.usedAt} />
              {` ${apiKeyMessages.lastUsed(use.address)}`}
            </>
          )}
        </p>
      </div>
      <Button size="sm" aria-label={`${apiKeyMessages.revoke} ${name}`} onClick={onRevoke}>
        {apiKeyMessages.revoke}
      </Button>
    </li>
  );
}
