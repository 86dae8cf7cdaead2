import type { Document, DocumentPlace } from '#shared/features/documents.ts';
import { folderOf } from './documents-url.ts';
import { containerOf } from './items.ts';

/** The commands that take back a move: documents that were found by a search come from several places. */
export type MoveBack = {
  moves: { ids: string[]; to: DocumentPlace }[];
  /** Those that the move gave a number, with the name that they had. */
  renames: { id: string; fileName: { from: string; to: string } }[];
};

/** Each place takes a command, and a selection can come from hundreds. */
const PLACES_MAX = 10;

/**
 * Reckons how a move is taken back.
 * @param moved as they were before
 * @param renamed those that got another name where they went
 * @returns undefined for documents of too many places
 */
export function moveBack(
  moved: readonly Document[],
  renamed: readonly { id: string; fileName: string }[],
): MoveBack | undefined {
  const moves = new Map<string, MoveBack['moves'][number]>();
  for (const document of moved) {
    const to = containerOf(document);
    const key = folderOf(to) ?? '';
    const move = moves.get(key) ?? { ids: [], to };
    move.ids.push(document.id);
    moves.set(key, move);
  }
  if (moves.size > PLACES_MAX) return undefined;
  const names = new Map(moved.map(({ id, fileName }) => [id, fileName]));
  const renames = renamed.flatMap(({ id, fileName: from }) => {
    const to = names.get(id);
    return to === undefined ? [] : [{ id, fileName: { from, to } }];
  });
  return { moves: [...moves.values()], renames };
}
