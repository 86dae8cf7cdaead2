import { useState } from 'react';
import { useSearchParams } from 'react-router-dom';
import { ButtonLink } from '../../../ui/buttons/button-link.tsx';
import { Card } from '../../../ui/card.tsx';
import { Page } from '../../../ui/page.tsx';
import { AddBuildingForm, type AddedBuilding } from './add-building-form.tsx';

/** Page that adds a building with its floors; `?client=` preselects the client. */
export default function AddBuildingPage() {
  const [params] = useSearchParams();
  const [clientId, setClientId] = useState(params.get('client') ?? undefined);
  const [added, setAdded] = useState<AddedBuilding | undefined>(undefined);
  return (
    <Page subtitle="A building for one of your clients, with its floors">
      <Card className="max-w-lg p-4">
        <AddBuildingForm withFloors clientId={clientId} onClient={setClientId} onAdded={setAdded} />
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
