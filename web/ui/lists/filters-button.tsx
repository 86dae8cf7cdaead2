import { SlidersHorizontal } from 'lucide-react';
import type { ComponentProps } from 'react';
import { Button } from '../buttons/button.tsx';

type Props = Omit<ComponentProps<typeof Button>, 'children'> & {
  /** The number of hidden filters that are set. */
  chosen: number;
};

/** Opens the filters on screens that have no room for them, and shows how many are set. */
export function FiltersButton({ chosen, ...rest }: Props) {
  return (
    <Button {...rest}>
      <SlidersHorizontal size={18} aria-hidden />
      {chosen === 0 ? 'Filters' : `Filters (${chosen})`}
    </Button>
  );
}
