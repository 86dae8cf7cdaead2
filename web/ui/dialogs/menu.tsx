import type { ReactNode } from 'react';
import { OnDemand } from '../on-demand.tsx';
import type { MenuProps } from './menu-list.tsx';

export type MenuItem = {
  key: string;
  label: ReactNode;
  icon?: ReactNode | undefined;
  /** The address, for a link; other items have `onSelect` or `download`. */
  to?: string | undefined;
  /** The address of a file to download. */
  download?: string | undefined;
  onSelect?: (() => void) | undefined;
  disabled?: boolean | undefined;
  /** Marks the present choice with a tick. */
  checked?: boolean | undefined;
  tone?: 'bad' | undefined;
};

/** A button that opens a list of actions, in groups separated by lines. */
export function Menu(props: MenuProps) {
  return (
    <OnDemand load={() => import('./menu-list.tsx')} props={props}>
      {(trigger) => (
        <button
          type="button"
          aria-haspopup="menu"
          aria-expanded={false}
          aria-label={props.label}
          title={props.label}
          className={props.buttonClassName}
          {...trigger}
        >
          {props.button}
        </button>
      )}
    </OnDemand>
  );
}
