import { Building2 } from 'lucide-react';
import type { BuildingOption } from '#shared/features/locations/locations.ts';
import { Button } from '../../../ui/buttons/button.tsx';
import { useMe } from '../../session/session-context.ts';
import { recentBuildings } from './recent-buildings.ts';

/** A person with at most this number of buildings is offered all of them. */
const FEW = 4;

type Props = { places: readonly BuildingOption[] | undefined; onChoose: (id: string) => void };

/** Buttons for the buildings that the person selected last, to select one again with a single click. */
export function RecentBuildings({ places = [], onChoose }: Props) {
  const { id: me } = useMe();
  const recent = recentBuildings(me).flatMap((id) => places.find((place) => place.id === id) ?? []);
  const offered = places.length <= FEW ? places : recent;
  if (offered.length === 0) return null;
  return (
    <div className="grid w-full gap-2">
      {offered.map(({ id, name }) => (
        <Button key={id} className="justify-start" onClick={() => onChoose(id)}>
          <Building2 size={16} aria-hidden />
          <span className="truncate">{name}</span>
        </Button>
      ))}
    </div>
  );
}
