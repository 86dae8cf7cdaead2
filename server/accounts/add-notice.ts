import type { Transaction } from '#db/client.ts';
import { accountNotices } from '#db/schema/accounts.ts';
import type { AccountNotice } from '#shared/features/users/users.ts';
import { uuidv7 } from '#shared/ids.ts';
import { type EventWriter, noticesSample } from '../kernel/recorder.ts';

type NewNotice = Omit<AccountNotice, 'id' | 'by'> & {
  userId: string;
  /** The id of the administrator named in the notice. */
  byId: string | null;
  /** The session that caused it, in which the notice is not shown. */
  sessionId: string | null;
};

/** Stores a notice for a person in the transaction of the change it reports, and notifies the person's windows. */
export async function addNotice(
  tx: Transaction,
  recording: Pick<EventWriter, 'recordBulk'>,
  notice: NewNotice,
): Promise<void> {
  await tx.insert(accountNotices).values({ ...notice, id: uuidv7() });
  await recording.recordBulk(noticesSample(notice.userId));
}
