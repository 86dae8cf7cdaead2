import { Download } from 'lucide-react';
import { useEffect, useState } from 'react';
import { offlineMessages } from '#shared/offline/offline-messages.ts';
import { useOffline } from '../../offline/offline-context.tsx';
import { Button } from '../../ui/buttons/button.tsx';
import { Card } from '../../ui/card.tsx';
import { useMe } from '../session/session-context.ts';
import { exportUnsent } from './export-unsent.ts';

const NONE: ReadonlyMap<string, number> = new Map();
const words = offlineMessages;

/**
 * Unsent records that other people left on a shared device, to be exported for an import. For people who may manage
 * users: an owner may never sign in again. The content is not shown.
 */
export function OthersUnsent() {
  const me = useMe();
  const { items } = useOffline();
  const [others, setOthers] = useState(NONE);

  useEffect(() => {
    let wanted = true;
    items.ofOthers(me.id).then(
      (found) => wanted && setOthers(found),
      // The page itself reports when this device's storage cannot be read.
      () => undefined,
    );
    return () => {
      wanted = false;
    };
  }, [items, me.id]);

  if (others.size === 0) return null;
  return (
    <Card className="mt-6 grid max-w-4xl gap-3 p-5">
      <h2 className="font-semibold text-md">{words.othersTitle}</h2>
      <p className="text-ink-2">{words.othersIntro}</p>
      <ul className="grid gap-2">
        {[...others].map(([id, count]) => (
          <li key={id}>
            <Button onClick={() => void exportUnsent(items, { id, firstName: '', lastName: '' })}>
              <Download size={16} aria-hidden />
              {`Export ${words.othersCount(count)} to file`}
            </Button>
          </li>
        ))}
      </ul>
    </Card>
  );
}
