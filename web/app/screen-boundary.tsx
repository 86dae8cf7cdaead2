import { Component, type ReactNode } from 'react';
import { useLocation } from 'react-router-dom';
import { messages } from '#shared/messages.ts';
import { MissingCodeError } from '../lib/lazy-screen.tsx';
import { ErrorState } from '../ui/feedback/error-state.tsx';
import { lazyOffline } from './offline/lazy-offline.ts';

const ANSWER_MS = 10_000;

/** Catches errors of a screen, such as a failure to load its code. Navigating to another page clears the error. */
export function ScreenBoundary({ children }: { children: ReactNode }) {
  return <Boundary at={useLocation().pathname}>{children}</Boundary>;
}

type Props = { at: string; children: ReactNode };
type State = { failed: boolean; missing: boolean };

const FINE: State = { failed: false, missing: false };

class Boundary extends Component<Props, State> {
  override state: State = FINE;

  static getDerivedStateFromError(error: unknown): State {
    return { failed: true, missing: error instanceof MissingCodeError || isLostImport(error) };
  }

  override componentDidCatch(error: unknown) {
    if (!(error instanceof MissingCodeError)) return;
    error.coming.then(
      () => this.setState(FINE),
      () => undefined,
    );
  }

  override componentDidUpdate({ at }: Props) {
    if (at !== this.props.at && this.state.failed) this.setState(FINE);
  }

  override render() {
    if (!this.state.failed) return this.props.children;
    const { screenMissing, screenFailed, notReached } = messages.common;
    // Without a network, the cause is that the screen's code did not load.
    const title = !navigator.onLine ? notReached : this.state.missing ? screenMissing : screenFailed;
    return (
      <main className="mx-auto max-w-lg p-6 pt-16">
        <ErrorState title={title} onRetry={() => void startAgain()} />
      </main>
    );
  }
}

/** Recognises a failed dynamic import by the messages of Chromium, Firefox and Safari; the error has no code. */
function isLostImport(error: unknown): boolean {
  return (
    error instanceof TypeError && /dynamically imported module|module script failed/i.test(error.message)
  );
}

/** Reloads the page, because the browser does not retry a module that failed to load. */
async function startAgain(): Promise<void> {
  // Drafts of other screens are stored before the reload.
  await lazyOffline.ready()?.drafts.settled();
  // Without a service worker, a reload would end on the browser's error page if the server does not answer.
  if (!navigator.serviceWorker?.controller) {
    const signal = AbortSignal.timeout(ANSWER_MS);
    const answer = await fetch(window.location.href, { cache: 'no-store', signal }).catch(() => undefined);
    if (answer === undefined) return;
  }
  window.location.reload();
}
