import { useEffect, useState } from 'react';
import type { SignInOptions } from '#shared/features/users/sign-in.ts';
import { queryClient } from '../../lib/trpc/query-client.ts';
import { api } from '../../lib/trpc/trpc.ts';

const QUERY = { queryKey: ['session.options'], queryFn: () => api.session.options.query(), retry: 3 };

/**
 * What the sign-in page offers; undefined until it is known. Without `useQuery`, whose code the sign-in page would have to
 * wait for.
 */
export function useSignInOptions(): SignInOptions | undefined {
  const [options, setOptions] = useState(() => queryClient.getQueryData<SignInOptions>(QUERY.queryKey));
  useEffect(() => {
    let gone = false;
    queryClient.fetchQuery(QUERY).then(
      (found) => {
        if (!gone) setOptions(found);
      },
      // The password form is there without it.
      () => undefined,
    );
    return () => {
      gone = true;
    };
  }, []);
  return options;
}
