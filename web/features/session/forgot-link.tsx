import { useQuery } from '@tanstack/react-query';
import { accountMessages } from '#shared/features/account-messages.ts';
import { api } from '../../lib/trpc.ts';
import { ButtonLink } from '../../ui/button-link.tsx';

/** "Forgot password?", where the installation can send a link. */
export function ForgotLink() {
  const { data } = useQuery({
    queryKey: ['session.recovery'],
    queryFn: () => api.session.recovery.query(),
    staleTime: Number.POSITIVE_INFINITY,
  });
  if (data?.byMail !== true) return null;
  return (
    <ButtonLink to="/reset" variant="quiet" className="mt-2 w-full">
      {accountMessages.forgot}
    </ButtonLink>
  );
}
