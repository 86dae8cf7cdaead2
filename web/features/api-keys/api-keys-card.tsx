import { useState } from 'react';
import { DAY_MS, formatDate } from '#shared/dates.ts';
import { apiKeyMessages } from '#shared/features/api-keys/api-key-messages.ts';
import type { ApiKey, ApiKeyUse } from '#shared/features/api-keys/api-keys.ts';
import { describeAccess, EXPIRES_SOON_DAYS } from '#shared/features/api-keys/api-keys.vocabulary.ts';
import { plural } from '#shared/text/plural.ts';
import { useNow } from '../../lib/time/use-now.ts';
import { useLiveQuery } from '../../live/hooks/use-live-query.ts';
import { Button } from '../../ui/buttons/button.tsx';
import { ConfirmDialog } from '../../ui/dialogs/confirm-dialog.tsx';
import { Badge } from '../../ui/feedback/badge.tsx';
import { RelativeTime } from '../../ui/feedback/relative-time.tsx';
import { ListCard } from '../../ui/list-card.tsx';
import { apiKeyList } from './api-keys.live.ts';
import { CreateKeyDialog } from './create-key-dialog.tsx';
import { useApiKeyCommands } from './use-api-key-commands.ts';
import { useApiKeyUses } from './use-api-key-uses.ts';

const REFERENCE = '/api/v1';

/** The list of API keys, with buttons to create and revoke a key. */
export function ApiKeysCard() {
  const list = useLiveQuery(apiKeyList, undefined);
  const uses = useApiKeyUses();
  const { revoke } = useApiKeyCommands();
  const [isCreating, setCreating] = useState(false);
  const [toRevoke, setToRevoke] = useState<ApiKey>();

  return (
    <ListCard
      title={apiKeyMessages.title}
      text={
        <>
          {`${apiKeyMessages.text} `}
          <a href={REFERENCE} className="font-medium text-brand underline">
            {apiKeyMessages.reference}
          </a>
        </>
      }
      query={list}
      failed={apiKeyMessages.fetchFailed}
      none={apiKeyMessages.none}
      renderRow={(apiKey) => (
        <KeyRow key={apiKey.id} apiKey={apiKey} uses={uses} onRevoke={() => setToRevoke(apiKey)} />
      )}
    >
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
    </ListCard>
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
