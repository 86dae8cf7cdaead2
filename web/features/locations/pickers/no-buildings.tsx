import { Building2 } from 'lucide-react';
import { messages } from '#shared/messages.ts';
import { usePermissions } from '../../../lib/can.tsx';
import { ButtonLink } from '../../../ui/buttons/button-link.tsx';
import { EmptyState } from '../../../ui/feedback/empty-state.tsx';

/** Empty state without any building: a link to add one, or advice to ask an administrator. */
export function NoBuildings() {
  const mayAdd = usePermissions().can('create_buildings');
  return mayAdd ? (
    <EmptyState
      icon={<Building2 size={20} />}
      title={messages.locations.noneYet}
      action={<ButtonLink to="/add-building">Add Building</ButtonLink>}
    />
  ) : (
    <EmptyState icon={<Building2 size={20} />} title={messages.locations.noBuildings} />
  );
}
