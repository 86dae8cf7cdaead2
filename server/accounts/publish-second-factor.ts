import type { Transaction } from '#db/client.ts';
import type { EventWriter } from '../kernel/recorder.ts';
import { type Changed, changePerson } from './person-change.ts';
import type { RemovedFactors } from './second-factors.ts';

type Recording = { tx: Transaction } & Pick<EventWriter, 'record' | 'recordAccess'>;

/** As Activity shows it. */
const APP = 'Authenticator app';

/** Records that a person's authenticator app was added, in the transaction of that change. */
export function publishAddedTotp(command: Recording, userId: string): Promise<Changed> {
  return changePerson(command, userId, async () => ({ secondFactor: [null, APP] }));
}

/** Records that second factors of a person were removed, in the transaction of that change. */
export function publishRemovedFactors(
  command: Recording,
  userId: string,
  { totp, passkeys }: RemovedFactors,
): Promise<Changed> {
  return changePerson(command, userId, async () => ({
    ...(totp && { secondFactor: [APP, null] }),
    ...(passkeys.length > 0 && { passkey: [passkeys.join(', '), null] }),
  }));
}
