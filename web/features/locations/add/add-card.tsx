import { type KeyboardEvent, useState } from 'react';
import { usePermissions } from '../../../lib/can.tsx';
import { Card } from '../../../ui/card.tsx';
import { cx } from '../../../ui/cx.ts';
import type { AddTab } from '../use-places-state.ts';
import { AddBuildingForm } from './add-building-form.tsx';
import { AddClientForm } from './add-client-form.tsx';
import { AddFloorsForm } from './add-floors-form.tsx';

const LABELS: Readonly<Record<AddTab, string>> = {
  client: 'Add Client',
  building: 'Add Building',
  floors: 'Add Floors',
};

type Props = {
  tab: AddTab;
  onTab: (tab: AddTab) => void;
  /** The current selection, as default of the forms. */
  clientId: string | undefined;
  buildingId: string | undefined;
  onClientAdded: (id: string) => void;
  onBuildingAdded: (id: string, clientId: string) => void;
  onFloorsAdded: (buildingId: string) => void;
};

/** "Add New Locations": a tab for each kind that the person may add. */
export function AddCard(props: Props) {
  const { can } = usePermissions();
  const tabs: AddTab[] = [
    ...(can('create_locations') ? (['client'] as const) : []),
    ...(can('create_buildings') ? (['building', 'floors'] as const) : []),
  ];
  const tab = tabs.includes(props.tab) ? props.tab : tabs[0];
  if (tab === undefined) return null;

  function onKeyDown(event: KeyboardEvent<HTMLElement>) {
    const step = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0;
    const next = tabs.at((tabs.indexOf(tab ?? 'client') + step) % tabs.length);
    if (step === 0 || next === undefined) return;
    event.preventDefault();
    props.onTab(next);
    event.currentTarget.querySelector<HTMLElement>(`#add-tab-${next}`)?.focus();
  }

  return (
    <Card className="p-4">
      <h2 className="font-semibold text-md">Add New Locations</h2>
      <div
        role="tablist"
        aria-label="Add New Locations"
        tabIndex={-1}
        onKeyDown={onKeyDown}
        className="mt-2 flex gap-4 border-line border-b"
      >
        {tabs.map((each) => (
          <button
            key={each}
            id={`add-tab-${each}`}
            type="button"
            role="tab"
            aria-selected={each === tab}
            aria-controls="add-panel"
            tabIndex={each === tab ? 0 : -1}
            onClick={() => props.onTab(each)}
            className={cx(
              '-mb-px grid h-10 content-center border-b-2 font-medium whitespace-nowrap pointer-coarse:h-12',
              each === tab ? 'border-brand font-semibold text-brand' : 'border-transparent text-ink-2',
            )}
          >
            {LABELS[each]}
            {/* Reserves the width of the bold label, so that the other tabs do not move. */}
            <span aria-hidden className="invisible h-0 overflow-hidden font-semibold">
              {LABELS[each]}
            </span>
          </button>
        ))}
      </div>
      <div role="tabpanel" id="add-panel" aria-labelledby={`add-tab-${tab}`} className="pt-4">
        {tab === 'client' && <AddClientForm onAdded={props.onClientAdded} />}
        {tab === 'building' && <BuildingTab key={props.clientId} {...props} />}
        {tab === 'floors' && <FloorsTab key={props.buildingId} {...props} />}
      </div>
    </Card>
  );
}

function BuildingTab({ clientId, onBuildingAdded }: Props) {
  const [chosen, setChosen] = useState(clientId);
  return (
    <AddBuildingForm
      clientId={chosen}
      onClient={setChosen}
      onAdded={(building) => onBuildingAdded(building.id, building.clientId)}
    />
  );
}

function FloorsTab({ buildingId, onFloorsAdded }: Props) {
  const [chosen, setChosen] = useState(buildingId);
  return <AddFloorsForm buildingId={chosen} onBuilding={setChosen} onAdded={onFloorsAdded} />;
}
