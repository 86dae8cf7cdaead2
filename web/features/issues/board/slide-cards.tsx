import { Component, createRef, type ReactNode } from 'react';

const SLIDE_MS = 160;
/** Longest distance that is animated, in pixels; further moves jump. */
const FARTHEST_PX = 2_000;

type Props = {
  /** Compared by identity: when it changes, moved cards slide to their new places. */
  order: unknown;
  still: boolean;
  className?: string;
  children: ReactNode;
};
type Places = Map<string, DOMRect>;

/**
 * Animates elements with `data-card` from their previous place to the new one. A class component, because only
 * `getSnapshotBeforeUpdate` runs before the DOM changes.
 */
export class SlideCards extends Component<Props> {
  private readonly root = createRef<HTMLDivElement>();

  override getSnapshotBeforeUpdate(before: Props): Places | null {
    if (before.order === this.props.order || this.props.still) return null;
    if (matchMedia('(prefers-reduced-motion: reduce)').matches) return null;
    return new Map(this.cards().map((card) => [card.dataset.card ?? '', card.getBoundingClientRect()]));
  }

  override componentDidUpdate(_before: Props, _state: unknown, places: Places | null): void {
    if (places === null) return;
    for (const card of this.cards()) {
      const was = places.get(card.dataset.card ?? '');
      if (was === undefined) continue;
      const is = card.getBoundingClientRect();
      const x = was.left - is.left;
      const y = was.top - is.top;
      if ((x === 0 && y === 0) || Math.abs(x) + Math.abs(y) > FARTHEST_PX) continue;
      card.animate([{ transform: `translate(${x}px, ${y}px)` }, { transform: 'none' }], {
        duration: SLIDE_MS,
        easing: 'ease-out',
      });
    }
  }

  private cards(): HTMLElement[] {
    return [...(this.root.current?.querySelectorAll<HTMLElement>('[data-card]') ?? [])];
  }

  override render(): ReactNode {
    return (
      <div ref={this.root} className={this.props.className}>
        {this.props.children}
      </div>
    );
  }
}
