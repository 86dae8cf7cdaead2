import { useState } from 'react';
import { signInMessages } from '#shared/features/users/sign-in-messages.ts';
import { Button } from '../../../ui/buttons/button.tsx';
import { snapshotOf, useSession } from '../session-context.ts';

type Props = {
  /** Whether it is the primary way to sign in on the page. */
  isFirst?: boolean;
  /** The provider whose account is linked by this sign-in. */
  linking?: string | undefined;
  /** Called once signed in, with the id of the provider whose account was linked, or null. */
  onSignedIn: (linked: string | null) => void;
};

/** Button to sign in with a passkey. */
export function PasskeySignIn({ isFirst = false, linking, onSignedIn }: Props) {
  const { adopt, beginAnew } = useSession();
  const [busy, setBusy] = useState(false);

  async function signIn() {
    setBusy(true);
    // Loaded when it is needed, because most people do not use it.
    const ceremony = await import('./passkey-ceremony.ts');
    const answer = await ceremony.signInWithPasskey(linking, beginAnew);
    setBusy(false);
    if (answer === undefined) return;
    const { linked, ...signedIn } = answer;
    adopt(snapshotOf(signedIn));
    onSignedIn(linked);
  }

  return (
    <Button
      variant={isFirst ? 'primary' : 'secondary'}
      size="lg"
      className="w-full"
      disabled={busy}
      onClick={() => void signIn()}
    >
      {busy ? signInMessages.passkeyWaiting : signInMessages.passkey}
    </Button>
  );
}
