import type { Transaction } from '#db/client.ts';
import type { EventWriter } from '../kernel/recorder.ts';
import { type Changed, changePerson } from './person-change.ts';

/** As Activity shows it. */
const APP = 'Authenticator app';

/** Records that a person's second factor was added or removed, in the transaction of that change. */
export function publishSecondFactor(
  command: { tx: Transaction } & Pick<EventWriter, 'record' | 'recordAccess'>,
  userId: string,
  change: 'added' | 'removed',
): Promise<Changed> {
  return changePerson(command, userId, async () => ({
    secondFactor: change === 'added' ? [null, APP] : [APP, null],
  }));
}
