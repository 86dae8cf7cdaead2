import { useEffect } from 'react';
import { useSearchParams } from 'react-router-dom';
import { reauthenticationMessages } from '#shared/features/users/reauthentication-messages.ts';
import { usePageTitle } from '../../../lib/page-title.tsx';
import { PublicPanel } from '../public-panel.tsx';
import { useSignInOptions } from '../use-sign-in-options.ts';
import { useSignInProblem } from '../use-sign-in-problem.ts';
import { CHANNEL } from './reauthentication.ts';

/** The page, in a separate window, to which an identity provider returns a person who has authenticated again. */
export default function ReauthenticatedPage() {
  const [params] = useSearchParams();
  const isDone = params.has('done');
  const problem = useSignInProblem(useSignInOptions());
  const title = isDone ? reauthenticationMessages.doneTitle : reauthenticationMessages.notDoneTitle;
  usePageTitle(title);

  useEffect(() => {
    if (!isDone) return;
    const channel = new BroadcastChannel(CHANNEL);
    channel.postMessage('done');
    channel.close();
    // Browsers may ignore this call.
    window.close();
  }, [isDone]);

  return (
    <PublicPanel title={title}>
      <p role="status" className="text-ink-2">
        {isDone ? reauthenticationMessages.done : (problem?.text ?? reauthenticationMessages.notDone)}
      </p>
    </PublicPanel>
  );
}
