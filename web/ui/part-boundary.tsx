import { Component, type ReactNode } from 'react';

type Props = { children: ReactNode; onFailed: () => void };
type State = { failed: boolean };

/** Keeps what a part throws (its code that could not be fetched) away from the screen around it. Another `key` is another try. */
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
