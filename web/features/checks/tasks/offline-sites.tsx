import { CircleCheck, CloudDownload, CloudOff } from 'lucide-react';
import type { ReactNode } from 'react';
import { formatDateTime } from '#shared/dates.ts';
import { checkMessages } from '#shared/features/checks/check-messages.ts';
import { formMessages } from '#shared/features/checks/form-messages.ts';
import { type KeptApp, keptApp } from '../../../offline/kept-app.ts';
import { useKeptApp } from '../../../offline/use-kept-app.ts';
import { Button } from '../../../ui/buttons/button.tsx';
import { Card } from '../../../ui/card.tsx';
import { Badge } from '../../../ui/feedback/badge.tsx';
import { Skeleton } from '../../../ui/feedback/skeleton.tsx';
import { useOfflineBuildings } from '../due/use-register.ts';

/** The reason, by state, why the app itself is not available offline on this device. */
const REASONS: Readonly<Partial<Record<KeptApp['state'], string>>> = {
  held: formMessages.notReadyOffline,
  insecure: formMessages.offlineInsecure,
  refused: formMessages.offlineRefused,
  full: formMessages.offlineFull,
};

/**
 * Lists the sites available offline, for a look before going to a place without signal. A site is ready when both
 * its register and the app are stored on this device.
 */
export function OfflineSites() {
  const { status, sites, keptAt, more, refetch } = useOfflineBuildings();
  const app = useKeptApp();
  const reason = REASONS[app.state];
  return (
    <section aria-label={formMessages.onDevice} className="min-w-0">
      <div className="mb-2 flex flex-wrap items-baseline gap-x-3">
        <h2 className="font-semibold text-md">{formMessages.onDevice}</h2>
        {app.state === 'getting' ? (
          <span className="text-ink-2 text-sm tabular-nums">{formMessages.gettingReady(app.percent)}</span>
        ) : (
          keptAt !== undefined && <span className="text-ink-2 text-sm">as of {formatDateTime(keptAt)}</span>
        )}
      </div>
      {status === 'loading' || app.state === 'looking' ? (
        <Skeleton className="h-14 rounded-phone" />
      ) : sites.length === 0 ? (
        <Card>
          <Note onRetry={status === 'error' ? refetch : undefined}>
            {status !== 'error'
              ? formMessages.noSites
              : navigator.onLine
                ? checkMessages.loadFailed
                : formMessages.notYetHere}
          </Note>
        </Card>
      ) : (
        <Card className="divide-y divide-line">
          {reason !== undefined && (
            <Note onRetry={app.state === 'insecure' ? undefined : () => void keptApp.tryAgain()}>
              {reason}
            </Note>
          )}
          {sites.map(({ id, name, clientName, here }) => (
            <div key={id} className="flex min-h-12 items-center gap-3 px-4 py-2">
              <div className="min-w-0 flex-1">
                <p className="truncate font-medium">{name}</p>
                <p className="truncate text-ink-2 text-sm">{clientName}</p>
              </div>
              {here && app.state === 'ready' ? (
                <Badge tone="ok" size="lg" icon={<CircleCheck size={14} aria-hidden />}>
                  {formMessages.readyOffline}
                </Badge>
              ) : (
                reason === undefined && (
                  <Badge size="lg" icon={<CloudDownload size={14} aria-hidden />}>
                    {formMessages.fetching}
                  </Badge>
                )
              )}
            </div>
          ))}
          {more && <p className="px-4 py-3 text-ink-2 text-sm">{formMessages.moreSites}</p>}
        </Card>
      )}
    </section>
  );
}

function Note({ onRetry, children }: { onRetry: (() => void) | undefined; children: ReactNode }) {
  return (
    <div className="flex flex-wrap items-center gap-3 p-4 text-ink-2">
      <CloudOff size={20} aria-hidden />
      <p role="status" className="min-w-0 flex-1">
        {children}
      </p>
      {onRetry !== undefined && <Button onClick={onRetry}>Try again</Button>}
    </div>
  );
}
