import { MonitorPlay, Plus } from 'lucide-react';
import { useState } from 'react';
import { useSearchParams } from 'react-router-dom';
import type { Display } from '#shared/features/displays/displays.ts';
import { displayMessages } from '#shared/features/displays/displays-messages.ts';
import { useLiveQuery } from '../../live/hooks/use-live-query.ts';
import { Button } from '../../ui/buttons/button.tsx';
import { ConfirmDialog } from '../../ui/dialogs/confirm-dialog.tsx';
import { ListStates } from '../../ui/list-states.tsx';
import { Page } from '../../ui/page.tsx';
import { type DisplayAction, DisplayCard } from './display-card.tsx';
import { EditDialog, PairDialog, ReplaceDialog } from './display-dialogs.tsx';
import { displayList } from './displays.live.ts';
import { useDisplayCommands } from './use-displays.ts';
import { useFleet } from './use-fleet.ts';

type Asked = 'pair' | { action: DisplayAction; display: Display };

/** The wall displays: pairing, settings, and whether each is silent. For people who may manage users. */
export default function DisplaysPage() {
  const list = useLiveQuery(displayList, undefined);
  const fleet = useFleet();
  const { pause, reload, unpair } = useDisplayCommands();
  // The QR code of a screen opens this page with the screen's code in the URL. Opening the page does not pair the screen.
  const [search, setSearch] = useSearchParams();
  const code = search.get('code') ?? '';
  const [asked, setAsked] = useState<Asked | undefined>(code === '' ? undefined : 'pair');

  function close(): void {
    setAsked(undefined);
    if (code !== '') setSearch({}, { replace: true });
  }

  function ask(action: DisplayAction, display: Display): void {
    if (action === 'pause') void pause(display);
    else if (action === 'reload') void reload(display);
    else setAsked({ action, display });
  }

  return (
    <Page
      actions={
        <Button variant="primary" onClick={() => setAsked('pair')}>
          <Plus size={16} aria-hidden />
          Pair Display
        </Button>
      }
    >
      <ListStates
        list={list}
        isEmpty={list.data?.length === 0}
        skeleton="h-40 rounded-card"
        skeletons={1}
        failed={displayMessages.fetchFailed}
        none={{
          icon: <MonitorPlay size={20} />,
          title: displayMessages.none,
          text: displayMessages.noneText,
        }}
      >
        <div className="grid gap-3">
          {list.data?.map((display) => (
            <DisplayCard
              key={display.id}
              display={display}
              told={fleet?.rows.find(({ displayId }) => displayId === display.id)}
              now={fleet}
              onAsk={(action) => ask(action, display)}
            />
          ))}
        </div>
      </ListStates>
      {asked === 'pair' && <PairDialog firstCode={code} onClose={close} />}
      {typeof asked === 'object' && <AskedDialog {...asked} onClose={close} onUnpair={unpair} />}
    </Page>
  );
}

function AskedDialog({
  action,
  display,
  onClose,
  onUnpair,
}: {
  action: DisplayAction;
  display: Display;
  onClose: () => void;
  onUnpair: (display: Display) => Promise<unknown>;
}) {
  if (action === 'edit') return <EditDialog display={display} onClose={onClose} />;
  if (action === 'replace') return <ReplaceDialog display={display} onClose={onClose} />;
  return (
    <ConfirmDialog
      title={`Unpair ${display.name}?`}
      action="Unpair"
      onClose={onClose}
      onConfirm={() => {
        onClose();
        void onUnpair(display);
      }}
    >
      <p className="text-ink-2">{displayMessages.unpairText}</p>
    </ConfirmDialog>
  );
}
