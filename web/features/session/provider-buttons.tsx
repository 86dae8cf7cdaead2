import { useEffect, useState } from 'react';
import { type SignInProvider, signInAddress } from '#shared/features/users/sign-in.ts';
import { signInMessages } from '#shared/features/users/sign-in-messages.ts';
import { messages } from '#shared/messages.ts';
import { messageFor } from '../../lib/trpc/message-for.ts';
import { Button } from '../../ui/buttons/button.tsx';
import { toast } from '../../ui/feedback/toast.ts';
import { useSession } from './session-context.ts';

type Props = {
  providers: readonly SignInProvider[];
  /** The page to open once signed in. */
  target: string;
  /** Whether the buttons are the primary way to sign in on the page. */
  isFirst: boolean;
  /** Makes the provider ask for credentials, because another person may be signed in there in this browser. */
  forcesLogin?: boolean;
};

/** Buttons to sign in at the organisation's identity providers. They leave the app and return to it signed in. */
export function ProviderButtons({ providers, target, isFirst, forcesLogin = false }: Props) {
  const { beginAnew } = useSession();
  const [leaving, setLeaving] = useState<string>();

  // The browser may show the page again in its old state, for example after Back.
  useEffect(() => {
    const onShow = () => setLeaving(undefined);
    window.addEventListener('pageshow', onShow);
    return () => window.removeEventListener('pageshow', onShow);
  }, []);

  async function leave(id: string) {
    setLeaving(id);
    try {
      // A pending sign-out, which the server has not received yet, would end the new session.
      await beginAnew(async () => window.location.assign(signInAddress(id, target, forcesLogin)));
    } catch (error) {
      setLeaving(undefined);
      const text = messageFor(error, messages.common.notReached);
      toast({ title: messages.session.loginFailed, text, tone: 'destructive' });
    }
  }

  return (
    <div className="grid grid-cols-1 gap-3">
      {providers.map(({ id, name }) => (
        <Button
          key={id}
          size="lg"
          variant={isFirst ? 'primary' : 'secondary'}
          className="h-auto! min-h-12 w-full whitespace-normal! text-balance py-2 [overflow-wrap:anywhere]"
          disabled={leaving !== undefined}
          onClick={() => void leave(id)}
        >
          {signInMessages.through(name)}
        </Button>
      ))}
    </div>
  );
}
