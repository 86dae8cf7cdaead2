import { MonitorPlay, MoreVertical, Pause, Pencil, Play, Replace, RotateCw, Unplug } from 'lucide-react';
import type { Display, FleetRow } from '#shared/features/displays/displays.ts';
import { SILENT_MS } from '#shared/features/displays/displays.vocabulary.ts';
import { displayMessages } from '#shared/features/displays/displays-messages.ts';
import { formatNumber } from '#shared/format-number.ts';
import { useHighlight } from '../../live/hooks/use-highlight.ts';
import { Card } from '../../ui/card.tsx';
import { cx } from '../../ui/cx.ts';
import { Menu } from '../../ui/dialogs/menu.tsx';
import { Badge } from '../../ui/feedback/badge.tsx';
import { RelativeTime } from '../../ui/feedback/relative-time.tsx';

/** The actions on a display. */
export type DisplayAction = 'edit' | 'pause' | 'reload' | 'replace' | 'unpair';

type Props = {
  display: Display;
  /** The display's last beat; undefined if there was none, or before the fleet is loaded. */
  told: FleetRow | undefined;
  /** The server's time, ISO, and the newest position; undefined before the fleet is loaded. */
  now: { at: string; head: number } | undefined;
  onAsk: (action: DisplayAction) => void;
};

/** Card of one display: whether it is silent, how many positions it is behind, and the actions on it. */
export function DisplayCard({ display, told, now, onAsk }: Props) {
  const glow = useHighlight('display', display.id);
  const { name, view, allBuildings, buildingIds, pausedAt } = display;
  const item = (key: DisplayAction, label: string, Icon: typeof Pencil, tone?: 'bad') => ({
    key,
    label,
    icon: <Icon size={16} aria-hidden />,
    onSelect: () => onAsk(key),
    tone,
  });
  return (
    <Card className={cx('grid gap-2 p-4', glow !== undefined && 'glow')}>
      <div className="flex items-start gap-3">
        <MonitorPlay size={20} aria-hidden className="mt-0.5 shrink-0 text-ink-3" />
        <div className="min-w-0 flex-1">
          <h2 className="font-semibold [overflow-wrap:anywhere]">{name}</h2>
          <p className="text-ink-2 text-sm">
            {view === 'public' ? 'Public view' : "Manager's view"},{' '}
            {allBuildings ? 'all buildings' : buildingsText(buildingIds.length)}
          </p>
        </div>
        <Menu
          label={`Actions for ${name}`}
          button={<MoreVertical size={18} aria-hidden />}
          buttonClassName="flex size-9 shrink-0 items-center justify-center rounded-control text-ink-2 hover:bg-mute pointer-coarse:size-12"
          groups={[
            [
              item('edit', 'Edit', Pencil),
              pausedAt === null ? item('pause', 'Pause', Pause) : item('pause', 'Resume', Play),
              item('reload', 'Reload', RotateCw),
              item('replace', 'Replace screen', Replace),
            ],
            [item('unpair', 'Unpair', Unplug, 'bad')],
          ]}
        />
      </div>
      <div className="flex flex-wrap items-center gap-2 text-ink-2 text-sm">
        {pausedAt !== null && <Badge tone="due">Paused</Badge>}
        {now !== undefined && <State since={display.createdAt} told={told} now={now} />}
      </div>
      {told !== undefined && (
        <p className="text-ink-2 text-sm tabular-nums">
          {told.width} × {told.height} at {told.address}, version {told.build.slice(0, 8)}, position {told.g}
        </p>
      )}
    </Card>
  );
}

function State({
  since,
  told,
  now,
}: {
  /** Time of pairing, ISO. */
  since: string;
  told: FleetRow | undefined;
  now: { at: string; head: number };
}) {
  // Both times are the server's, so the clock of this computer does not matter.
  const isSilent = Date.parse(now.at) - Date.parse(told?.seenAt ?? since) >= SILENT_MS;
  if (told === undefined) {
    return (
      <>
        {isSilent && <Badge tone="bad">{displayMessages.silent}</Badge>}
        <Badge tone="due">{displayMessages.never}</Badge>
      </>
    );
  }
  const behind = Math.max(0, now.head - told.g);
  return (
    <>
      {isSilent ? <Badge tone="bad">{displayMessages.silent}</Badge> : <Badge tone="ok">On</Badge>}
      {behind > 0 && <Badge>Behind by {formatNumber(behind)}</Badge>}
      <span>
        Last seen <RelativeTime at={told.seenAt} />
      </span>
    </>
  );
}

function buildingsText(count: number): string {
  return count === 1 ? '1 building' : `${formatNumber(count)} buildings`;
}
