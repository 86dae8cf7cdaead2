import { Component, type ReactNode } from 'react';

type Props = { children: ReactNode; onFailed: () => void };
type State = { failed: boolean };

/**
 * Catches an error of a part (such as code that failed to load), so that the surrounding screen stays. A new `key` tries
 * again.
 */
export class PartBoundary extends Component<Props, State> {
  override state: State = { failed: false };

  static getDerivedStateFromError(): State {
    return { failed: true };
  }

  override componentDidCatch() {
    this.props.onFailed();
  }

  override render() {
    return this.state.failed ? null : this.props.children;
  }
}
