import { OnDemand } from '../on-demand.tsx';
import type { MenuProps } from './menu-props.ts';

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
