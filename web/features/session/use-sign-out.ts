import { useNavigate } from 'react-router-dom';
import { messages } from '#shared/messages.ts';
import { toast, toastError } from '../../ui/feedback/toast.ts';
import { useSession } from './session-context.ts';

/** Returns a function that signs out and shows a toast with the outcome. */
export function useSignOut(): () => Promise<void> {
  const { signOut } = useSession();
  const navigate = useNavigate();
  return async () => {
    let answered: boolean;
    try {
      answered = await signOut();
    } catch {
      // The message is the same for every reason: still signed in, try again.
      toastError(messages.session.signOutFailed);
      return;
    }
    const { loggedOut, signedOut, signedOutHere } = messages.session;
    toast({ title: loggedOut, text: answered ? signedOut : signedOutHere });
    void navigate('/auth/login');
  };
}
