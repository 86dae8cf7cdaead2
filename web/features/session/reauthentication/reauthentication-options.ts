import { api } from '../../../lib/trpc/trpc.ts';

/** Query for the ways in which the signed-in person can authenticate. */
export const REAUTHENTICATION_OPTIONS = {
  queryKey: ['session.reauthenticationOptions'],
  queryFn: () => api.session.reauthenticationOptions.query(),
  staleTime: 0,
};
