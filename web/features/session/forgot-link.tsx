import { accountMessages } from '#shared/features/users/account-messages.ts';
import { ButtonLink } from '../../ui/buttons/button-link.tsx';

/** "Forgot password?" link. Without mail configured, the linked page names the person to ask. */
export function ForgotLink() {
  return (
    <ButtonLink to="/reset" variant="quiet" className="mt-2 w-full">
      {accountMessages.forgot}
    </ButtonLink>
  );
}
