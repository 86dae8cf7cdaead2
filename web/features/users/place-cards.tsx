import { Building2, MapPin } from 'lucide-react';
import type { ReactNode } from 'react';
import { userMessages } from '#shared/features/users/users-messages.ts';
import { ButtonLink } from '../../ui/buttons/button-link.tsx';
import { Card } from '../../ui/card.tsx';
import { useSession } from '../session/session-context.ts';

/** Links to the screens of clients, buildings and floors. */
export function LocationManagementCard() {
  return (
    <ManagementCard icon={<MapPin size={20} />} title="Location Management" text={userMessages.locationsText}>
      <ButtonLink to="/add-location" variant="primary">
        Add New Location
      </ButtonLink>
      <ButtonLink to="/locations">Manage Locations</ButtonLink>
    </ManagementCard>
  );
}

/** Link to the form that adds a building. */
export function BuildingManagementCard() {
  return (
    <ManagementCard
      icon={<Building2 size={20} />}
      title="Building Management"
      text={userMessages.buildingsText}
    >
      <ButtonLink to="/add-building" variant="primary">
        Add Building
      </ButtonLink>
    </ManagementCard>
  );
}

function ManagementCard({
  icon,
  title,
  text,
  children,
}: {
  icon: ReactNode;
  title: string;
  text: string;
  children: ReactNode;
}) {
  const { isAdmin } = useSession();
  return (
    <Card className="grid max-w-2xl gap-4 p-5">
      <div className="flex items-start gap-3">
        <div
          className="grid size-10 shrink-0 place-items-center rounded-full bg-brand-soft text-brand"
          aria-hidden
        >
          {icon}
        </div>
        <div>
          <h2 className="font-semibold text-md">{title}</h2>
          <p className="text-ink-2">{isAdmin ? text : userMessages.onlyAdministrators}</p>
        </div>
      </div>
      {isAdmin && <div className="flex flex-wrap gap-2 max-sm:[&>*]:w-full">{children}</div>}
    </Card>
  );
}
