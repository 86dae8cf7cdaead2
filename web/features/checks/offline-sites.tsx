import { CircleCheck, CloudDownload, CloudOff } from 'lucide-react';
import { formatDateTime } from '#shared/dates.ts';
import { checkMessages } from '#shared/features/checks/check-messages.ts';
import { formMessages } from '#shared/features/checks/form-messages.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { useKeptSites } from './use-register.ts';

/** Which sites this phone has with it, before somebody goes down to where there is no signal. */
export function OfflineSites() {
  const { status, sites, keptAt, more, refetch } = useKeptSites();
  return (
    <section aria-label="On this phone">
      <div className="mb-2 flex flex-wrap items-baseline gap-x-3">
        <h2 className="font-semibold text-md">On this phone</h2>
        {keptAt !== undefined && <span className="text-ink-2 text-sm">as of {formatDateTime(keptAt)}</span>}
      </div>
      {status === 'loading' ? (
        <Skeleton className="h-14 rounded-phone" />
      ) : sites.length === 0 ? (
        <Card className="flex flex-wrap items-center gap-3 p-4 text-ink-2">
          <CloudOff size={20} aria-hidden />
          <p className="min-w-0 flex-1">
            {status !== 'error'
              ? formMessages.noSites
              : navigator.onLine
                ? checkMessages.loadFailed
                : formMessages.notYetHere}
          </p>
          {status === 'error' && <Button onClick={refetch}>Try again</Button>}
        </Card>
      ) : (
        <Card className="divide-y divide-line">
          {sites.map(({ id, name, clientName, here }) => (
            <div key={id} className="flex min-h-12 items-center gap-3 px-4 py-2">
              <div className="min-w-0 flex-1">
                <p className="truncate font-medium">{name}</p>
                <p className="truncate text-ink-2 text-sm">{clientName}</p>
              </div>
              {here ? (
                <Badge tone="ok" size="lg" icon={<CircleCheck size={14} aria-hidden />}>
                  {formMessages.readyOffline}
                </Badge>
              ) : (
                <Badge size="lg" icon={<CloudDownload size={14} aria-hidden />}>
                  {formMessages.fetching}
                </Badge>
              )}
            </div>
          ))}
          {more && <p className="px-4 py-3 text-ink-2 text-sm">{formMessages.moreSites}</p>}
        </Card>
      )}
    </section>
  );
}
