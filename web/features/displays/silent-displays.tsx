import { MonitorX } from 'lucide-react';
import { Link } from 'react-router-dom';
import { SILENT_MS } from '#shared/features/displays/displays.vocabulary.ts';
import { displayMessages } from '#shared/features/displays/displays-messages.ts';
import { useLiveQuery } from '../../live/hooks/use-live-query.ts';
import { Card } from '../../ui/card.tsx';
import { displayList } from './displays.live.ts';
import { useFleet } from './use-fleet.ts';

const ASK_EVERY_MS = 60_000;

/** Names the displays that have been silent for a while; renders nothing if there are none. */
export default function SilentDisplays() {
  const { data: displays } = useLiveQuery(displayList, undefined);
  const fleet = useFleet(ASK_EVERY_MS);
  if (displays === undefined || fleet === undefined) return null;
  // Both times are the server's, so the clock of this computer does not matter.
  const before = Date.parse(fleet.at) - SILENT_MS;
  const seen = new Map(fleet.rows.map(({ displayId, seenAt }) => [displayId, seenAt]));
  // A display that was never seen counts as silent since it was paired.
  const names = displays
    .filter(({ id, createdAt }) => Date.parse(seen.get(id) ?? createdAt) <= before)
    .map(({ name }) => name);
  if (names.length === 0) return null;
  return (
    <Card className="mt-5 flex items-start gap-3 p-4">
      <MonitorX size={20} aria-hidden className="mt-0.5 shrink-0 text-due" />
      <p className="min-w-0 [overflow-wrap:anywhere]">
        <Link to="/displays" className="font-medium text-brand hover:underline">
          {displayMessages.silentCount(names.length)}
        </Link>
        <span className="text-ink-2">: {displayMessages.namesOf(names)}</span>
      </p>
    </Card>
  );
}
