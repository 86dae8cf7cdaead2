import { QueryClient } from '@tanstack/react-query';
import { wireErrorOf } from './wire-error.ts';

const MOST_RETRIES = 2;

/** The cache of all server data. The live stream keeps it fresh, so nothing is refetched by time. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: Number.POSITIVE_INFINITY,
      refetchOnWindowFocus: false,
      // A refused query would be refused again; only a lost connection or a busy server is worth another try.
      retry: (failures, error) => {
        const code = wireErrorOf(error)?.code;
        return failures < MOST_RETRIES && (code === undefined || code === 'busy');
      },
    },
    mutations: { retry: false },
  },
});
