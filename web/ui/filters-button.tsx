import { SlidersHorizontal } from 'lucide-react';
import type { ComponentProps } from 'react';
import { Button } from './button.tsx';

type Props = Omit<ComponentProps<typeof Button>, 'children'> & {
  /** How many of the filters behind it are set. */
  chosen: number;
};

/** Opens what narrows a list where the screen has no room for it, and says how much of that is set. */
export function FiltersButton({ chosen, ...rest }: Props) {
  return (
    <Button {...rest}>
      <SlidersHorizontal size={18} aria-hidden />
      {chosen === 0 ? 'Filters' : `Filters (${chosen})`}
    </Button>
  );
}
