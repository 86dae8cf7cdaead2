import { useEffect, useState } from 'react';
import { offlineMessages } from '#shared/offline/offline-messages.ts';
import { listOwners, type OwnerWaiting } from '../../offline/owners.ts';
import { getOffline } from './offline-instance.ts';

/** For the sign-in page: how many records wait on this device and for whom, without their contents (rule O11). */
export default function UnsentHere() {
  const [waiting, setWaiting] = useState<readonly OwnerWaiting[]>([]);
  useEffect(() => {
    let over = false;
    listOwners(getOffline().items).then(
      (found) => !over && setWaiting(found),
      // Storage that cannot be read is reported after signing in.
      () => undefined,
    );
    return () => {
      over = true;
    };
  }, []);
  if (waiting.length === 0) return null;
  return (
    <ul role="status" className="mb-4 grid gap-1 rounded-control bg-due-soft px-3 py-2 text-due">
      {waiting.map(({ userId, firstName, entries }) => (
        <li key={userId} className="[overflow-wrap:anywhere]">
          {offlineMessages.waitsFor(entries, firstName)}
        </li>
      ))}
    </ul>
  );
}
