import { useState } from 'react';
import { signInMessages } from '#shared/features/users/sign-in-messages.ts';
import { messages } from '#shared/messages.ts';
import { toastFailure } from '../../../forms/toasts.ts';
import { Button } from '../../../ui/buttons/button.tsx';
import { snapshotOf, useSession } from '../session-context.ts';

type Props = {
  /** Whether the page offers no other way to sign in. */
  isOnlyWay?: boolean;
  /** The provider whose account is linked by this sign-in. */
  linking?: string | undefined;
  /** Called once signed in, with the id of the provider whose account was linked, or null. */
  onSignedIn: (linked: string | null) => void;
};

/** Button to sign in with a passkey. */
export function PasskeySignIn({ isOnlyWay = false, linking, onSignedIn }: Props) {
  const { adopt, beginAnew } = useSession();
  const [busy, setBusy] = useState(false);

  async function signIn() {
    setBusy(true);
    try {
      // Loaded when it is needed, because most people do not use it.
      const { signInWithPasskey } = await import('./passkey-ceremony.ts');
      const answer = await signInWithPasskey({ linking, isOnlyWay, beginAnew });
      if (answer === undefined) return;
      const { linked, ...signedIn } = answer;
      adopt(snapshotOf(signedIn));
      onSignedIn(linked);
    } catch (error) {
      // The code could not be loaded.
      toastFailure(error, messages.common.notReached);
    } finally {
      setBusy(false);
    }
  }

  return (
    <Button
      variant={isOnlyWay ? 'primary' : 'secondary'}
      size="lg"
      className="w-full"
      // Focused, because the form with the password is gone.
      autoFocus={isOnlyWay}
      disabled={busy}
      onClick={() => void signIn()}
    >
      {busy ? signInMessages.passkeyWaiting : signInMessages.passkey}
    </Button>
  );
}
