import { Component, type ReactNode } from 'react';
import { messages } from '#shared/messages.ts';
import { ErrorState } from '../ui/error-state.tsx';

type Props = { children: ReactNode };
type State = { failed: boolean };

/** Catches what a screen throws, such as its code not arriving while the server restarts. */
export class ScreenBoundary extends Component<Props, State> {
  override state: State = { failed: false };

  static getDerivedStateFromError(): State {
    return { failed: true };
  }

  override render() {
    if (!this.state.failed) return this.props.children;
    // Without a network it is the screen's code that did not come.
    const title = navigator.onLine ? messages.common.screenFailed : messages.common.notReached;
    return (
      <main className="mx-auto max-w-lg p-6 pt-16">
        {/* A reload, because a chunk that failed to load is remembered as failed for the life of the page. */}
        <ErrorState title={title} onRetry={() => window.location.reload()} />
      </main>
    );
  }
}
