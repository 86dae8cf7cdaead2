import { and, eq, type SQL } from 'drizzle-orm';
import { storedFiles } from '#db/schema/files.ts';
import type { Services } from '../../kernel/context.ts';
import type { FilePurpose } from './files.writes.ts';
import { storeOf } from './store-of.ts';

/**
 * Deletes an upload for good if it is still reserved: first its row, so that no writer can record a part or complete it any more,
 * then its bytes. A crash between the two leaves bytes without a row, which the sweep deletes.
 * @param condition a further condition that the row must meet
 * @returns false if there is no such upload (any more)
 */
export async function discardUpload(
  services: Pick<Services, 'db' | 'stores'>,
  purpose: Pick<FilePurpose, 'abandoned'>,
  id: string,
  condition?: SQL,
): Promise<boolean> {
  const dropped = await services.db.transaction(async (tx) => {
    const [row] = await tx
      .select()
      .from(storedFiles)
      .where(and(eq(storedFiles.id, id), eq(storedFiles.state, 'reserved'), condition))
      .for('update');
    if (row === undefined) return undefined;
    await purpose.abandoned(tx, id);
    await tx.delete(storedFiles).where(eq(storedFiles.id, id));
    return row;
  });
  if (dropped === undefined) return false;
  await storeOf(services, dropped).arrivals.drop(dropped);
  return true;
}
