import { clients } from '#db/schema/places.ts';
import { importMessages } from '#shared/features/imports/imports-messages.ts';
import { placeMessages } from '#shared/features/locations/place-messages.ts';
import { uuidv7 } from '#shared/ids.ts';
import { nameKey } from '#shared/text/name-keys.ts';
import type { Command } from '../../kernel/commands.ts';
import { mapYielding } from '../../kernel/concurrency/yield-to-event-loop.ts';
import { firstLines, type Importer, parts, WRITE_AT_ONCE } from './import-plan.ts';
import { clientsNamed } from './known-places.ts';
import type { ImportRows } from './row-readers.ts';

export const clientsImporter: Importer<ImportRows['clients'], ImportRows['clients'][]> = {
  async resolve(db, _actor, rows) {
    const taken = await clientsNamed(db, new Set(await mapYielding(rows, ({ row }) => nameKey(row.name))));
    const metBefore = firstLines();
    const added = await mapYielding(rows, ({ row, line, fault, here }) => {
      const before = metBefore(nameKey(row.name), line);
      const holder = taken.get(nameKey(row.name));
      if (before !== undefined) fault('Client', importMessages.twice(before));
      else if (holder === undefined) return [row];
      else if (holder.archivedAt === null) here();
      else fault('Client', placeMessages.clientTakenArchived(holder.name));
      return [];
    });
    return added.flat();
  },

  async write(command, rows, progress) {
    await insertClients(
      command,
      rows.map(({ name }) => name),
      progress,
    );
  },
};

/**
 * Inserts clients and records one event for all.
 * @returns their ids by the keys of their names
 */
export async function insertClients(
  command: Command,
  names: readonly string[],
  progress: (done: number) => void = () => undefined,
): Promise<Map<string, string>> {
  const ids = new Map<string, string>();
  let done = 0;
  for (const part of parts(names, WRITE_AT_ONCE)) {
    const made = part.map((name) => ({ id: uuidv7(), name, createdAt: command.now }));
    await command.tx.insert(clients).values(made);
    for (const { id, name } of made) ids.set(nameKey(name), id);
    done += part.length;
    await progress(done);
  }
  const [first] = ids.values();
  if (first !== undefined) {
    const row = { id: first, name: names[0] ?? '', archivedAt: null, version: 1 };
    await command.recordBulk({ entity: 'client', row });
  }
  return ids;
}
