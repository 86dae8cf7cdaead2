import { useState } from 'react';
import { useSearchParams } from 'react-router-dom';
import { placeMessages } from '#shared/features/locations/place-messages.ts';
import { useLiveQuery } from '../../../live/hooks/use-live-query.ts';
import { ButtonLink } from '../../../ui/buttons/button-link.tsx';
import { Card } from '../../../ui/card.tsx';
import { Page } from '../../../ui/page.tsx';
import { allClients } from '../places.live.ts';
import { AddBuildingForm, type AddedBuilding } from './add-building-form.tsx';
import { AddClientForm } from './add-client-form.tsx';

/** Page that adds a building with its floors. Without any client, it first adds one. `?client=` preselects the client. */
export default function AddBuildingPage() {
  const [params] = useSearchParams();
  const [clientId, setClientId] = useState(params.get('client') ?? undefined);
  const { data: clients } = useLiveQuery(allClients, undefined);
  const isFirst = clients?.length === 0 && clientId === undefined;
  const [added, setAdded] = useState<AddedBuilding | undefined>(undefined);
  return (
    <Page subtitle="A building for one of your clients, with its floors">
      <Card className="max-w-lg p-4">
        {isFirst ? (
          <div className="grid gap-4">
            <p className="text-ink-2">{placeMessages.firstClient}</p>
            <AddClientForm onAdded={setClientId} />
          </div>
        ) : (
          <AddBuildingForm withFloors clientId={clientId} onClient={setClientId} onAdded={setAdded} />
        )}
        {added !== undefined && (
          <p role="status" className="mt-4 flex flex-wrap items-center justify-between gap-3 text-ok">
            <span className="[overflow-wrap:anywhere]">{added.name}</span>
            <ButtonLink to={`/locations?client=${added.clientId}&building=${added.id}`} size="sm">
              View in Locations
            </ButtonLink>
          </p>
        )}
      </Card>
    </Page>
  );
}
