import { Component, type ReactNode } from 'react';
import { useLocation } from 'react-router-dom';
import { messages } from '#shared/messages.ts';
import { MissingCodeError } from '../lib/lazy-screen.tsx';
import { ErrorState } from '../ui/error-state.tsx';
import { lazyOffline } from './lazy-offline.ts';

const ANSWER_MS = 10_000;

/** Catches what a screen throws, such as its code not arriving while the server restarts; another address is another try. */
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
    // Without a network it is the screen's code that did not come.
    const title = !navigator.onLine ? notReached : this.state.missing ? screenMissing : screenFailed;
    return (
      <main className="mx-auto max-w-lg p-6 pt-16">
        <ErrorState title={title} onRetry={() => void startAgain()} />
      </main>
    );
  }
}

/** The code of a dialog that did not come, in the words of Chromium, Firefox and Safari: there is no other sign of it. */
function isLostImport(error: unknown): boolean {
  return (
    error instanceof TypeError && /dynamically imported module|module script failed/i.test(error.message)
  );
}

/** A chunk that failed to load is remembered as failed for the life of the page, so the page is loaded again. */
async function startAgain(): Promise<void> {
  // What was typed on other screens is on the device before.
  await lazyOffline.ready()?.drafts.settled();
  // Where the app is not kept, a reload without an answer would leave the browser's own page.
  if (!navigator.serviceWorker?.controller) {
    const signal = AbortSignal.timeout(ANSWER_MS);
    const answer = await fetch(window.location.href, { cache: 'no-store', signal }).catch(() => undefined);
    if (answer === undefined) return;
  }
  window.location.reload();
}
