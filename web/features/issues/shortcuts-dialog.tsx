import { useState } from 'react';
import { shortcutsOn, switchShortcuts } from '../../lib/shortcuts.ts';
import { Dialog } from '../../ui/dialogs/dialog.tsx';

const KEYS = [
  [['/'], 'Search issues'],
  [['c'], 'Report an issue'],
  [['↑', '↓', '←', '→'], 'From card to card'],
  [['Home', 'End'], 'First and last card of a column'],
  [['Enter'], 'Open the issue'],
  [['e'], 'Edit the issue'],
  [['m'], 'Move the card to…'],
  [['Shift + →'], 'Move the card to the next status'],
  [['Shift + ←'], 'Move the card to the previous status'],
  [['?'], 'This list'],
] as const;

/** Dialog with the keyboard shortcuts of the page, and a switch to turn them off. */
export default function ShortcutsDialog({ onClose }: { onClose: () => void }) {
  const [on, setOn] = useState(shortcutsOn);
  return (
    <Dialog open onClose={onClose} title="Keyboard shortcuts" size="sm">
      <dl className="grid gap-2.5">
        {KEYS.map(([keys, what]) => (
          <div key={what} className="flex items-center justify-between gap-4">
            <dt className="text-ink-2">{what}</dt>
            <dd className="flex gap-1">
              {keys.map((key) => (
                <kbd
                  key={key}
                  className="rounded-tag border border-line-2 bg-mute px-1.5 py-0.5 font-sans text-ink text-xs"
                >
                  {key}
                </kbd>
              ))}
            </dd>
          </div>
        ))}
      </dl>
      <label className="mt-5 flex min-h-9 items-center gap-2.5 border-line border-t pt-4 text-ink-2 pointer-coarse:min-h-12">
        <input
          type="checkbox"
          className="size-4 accent-brand"
          checked={on}
          onChange={(event) => {
            switchShortcuts(event.target.checked);
            setOn(event.target.checked);
          }}
        />
        Keys without Ctrl or Alt do something
      </label>
    </Dialog>
  );
}
