import { signInMessages } from '#shared/features/users/sign-in-messages.ts';

/** "or", between two ways to sign in. */
export function OrDivider() {
  return (
    <div className="my-4 flex items-center gap-3 text-ink-2 text-sm">
      <hr className="flex-1 border-line" />
      {signInMessages.or}
      <hr className="flex-1 border-line" />
    </div>
  );
}
