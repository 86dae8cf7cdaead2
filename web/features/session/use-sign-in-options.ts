import { useEffect, useState } from 'react';
import type { SignInOptions } from '#shared/features/users/sign-in.ts';
import { queryClient } from '../../lib/trpc/query-client.ts';
import { api } from '../../lib/trpc/trpc.ts';

/** Retries without limit: a restarting server takes longer than a few tries, and the page shows no providers without it. */
const QUERY = { queryKey: ['session.options'], queryFn: () => api.session.options.query(), retry: true };

/**
 * Returns the options shown on the sign-in page; undefined until they are known. Does not use `useQuery`, because
 * the sign-in page would have to wait for its code.
 */
export function useSignInOptions(): SignInOptions | undefined {
  const [options, setOptions] = useState(() => queryClient.getQueryData<SignInOptions>(QUERY.queryKey));
  useEffect(() => {
    let gone = false;
    queryClient.fetchQuery(QUERY).then(
      (found) => {
        if (!gone) setOptions(found);
      },
      // The password form works without the options.
      () => undefined,
    );
    return () => {
      gone = true;
    };
  }, []);
  return options;
}
