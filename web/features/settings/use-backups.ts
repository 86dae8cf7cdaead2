import { useQuery } from '@tanstack/react-query';
import { api } from '../../lib/trpc/trpc.ts';

/** Polling interval. Polled, because the live stream has no events for backup runs. */
const ASK_EVERY_MS = 30_000;

/** Returns the settings of the backups and the last runs. */
export function useBackups() {
  return useQuery({
    queryKey: ['backups.status'],
    queryFn: ({ signal }) => api.backups.status.query(undefined, { signal }),
    refetchInterval: ASK_EVERY_MS,
    staleTime: 0,
  });
}
