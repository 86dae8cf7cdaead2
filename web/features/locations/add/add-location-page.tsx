import { CircleCheck } from 'lucide-react';
import { type ReactNode, useEffect, useId, useState } from 'react';
import { BLANK_BUILDING } from '#shared/features/locations/building-fields.ts';
import { newBuildingSchema } from '#shared/features/locations/locations.inputs.ts';
import { placeMessages } from '#shared/features/locations/place-messages.ts';
import { messages } from '#shared/messages.ts';
import { CommandForm } from '../../../forms/command-form.tsx';
import { useCommandForm } from '../../../forms/use-command-form.ts';
import { useLiveQuery } from '../../../live/hooks/use-live-query.ts';
import { Button } from '../../../ui/buttons/button.tsx';
import { Card } from '../../../ui/card.tsx';
import { toast } from '../../../ui/feedback/toast.ts';
import { TextField } from '../../../ui/fields/text-field.tsx';
import { Page } from '../../../ui/page.tsx';
import { CurrentLocations } from '../current-locations.tsx';
import { allClients } from '../places.live.ts';
import { usePlaceCommands } from '../use-place-commands.ts';
import { BuildingFields } from './building-fields.tsx';

/** Time for which the alert about the added building is shown. */
const ALERT_MS = 3000;
const BLANK = { clientName: '', ...BLANK_BUILDING };

/** "Add New Location": adds buildings one after the other by client, name and address. */
export default function AddLocationPage() {
  const clientListId = useId();
  const { data: clients } = useLiveQuery(allClients, undefined);
  const { addBuilding } = usePlaceCommands();
  const [count, setCount] = useState(0);
  /** The building added last, while its alert is shown. `nth` restarts the timer when the same name is added again. */
  const [added, setAdded] = useState<{ name: string; nth: number } | undefined>(undefined);

  useEffect(() => {
    if (added === undefined) return;
    const timer = setTimeout(() => setAdded(undefined), ALERT_MS);
    return () => clearTimeout(timer);
  }, [added]);

  const form = useCommandForm({
    blank: BLANK,
    schema: newBuildingSchema,
    send: addBuilding,
    failure: placeMessages.buildingAddFailed,
    onSent(_answer, { name }) {
      setCount(count + 1);
      setAdded({ name, nth: count + 1 });
      toast({ title: placeMessages.addedToast });
    },
  });

  return (
    <Page subtitle={placeMessages.addSubtitle}>
      <div className="grid items-start gap-4 lg:grid-cols-[24rem_minmax(0,1fr)] print:block">
        <div className="grid gap-4 print:hidden">
          {added !== undefined && <Alert>{placeMessages.added(added.name)}</Alert>}
          {count > 0 && (
            <Alert title={messages.common.success}>
              <p>{placeMessages.addedAnother}</p>
              <p className="mt-1 tabular-nums">{placeMessages.addedSoFar(count)}</p>
            </Alert>
          )}
          <Card className="p-4">
            <h2 className="font-semibold text-md">Location Information</h2>
            <CommandForm form={form} className="mt-4 grid gap-4">
              <TextField
                label="Client"
                list={clientListId}
                hint="One of your clients, or a new one."
                autoComplete="off"
                {...form.text('clientName')}
              />
              <datalist id={clientListId}>
                {clients?.map(({ id, name: known }) => (
                  <option key={id} value={known} />
                ))}
              </datalist>
              <BuildingFields form={form} short addressLabel="Site Address" />
              <Button type="submit" variant="primary">
                {form.busy ? 'Saving...' : 'Save and Add New Location'}
              </Button>
            </CommandForm>
          </Card>
        </div>
        <CurrentLocations />
      </div>
    </Page>
  );
}

function Alert({ title, children }: { title?: string; children: ReactNode }) {
  return (
    <div role="status" className="flex gap-3 rounded-card border border-ok bg-ok-soft p-3.5 text-ok">
      <CircleCheck size={18} aria-hidden className="mt-0.5" />
      <div className="min-w-0 [overflow-wrap:anywhere]">
        {title !== undefined && <p className="font-semibold">{title}</p>}
        {children}
      </div>
    </div>
  );
}
