import { useQuery } from '@tanstack/react-query';
import { api } from '../../lib/trpc/trpc.ts';

/** Polled, because runs of backups are no events of the live stream. */
const ASK_EVERY_MS = 30_000;

/** How backups are made, and when the last were. */
export function useBackups() {
  return useQuery({
    queryKey: ['backups.status'],
    queryFn: ({ signal }) => api.backups.status.query(undefined, { signal }),
    refetchInterval: ASK_EVERY_MS,
    staleTime: 0,
  });
}
