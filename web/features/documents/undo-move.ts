import type { Document, DocumentPlace } from '#shared/features/documents/documents.ts';
import { folderOf } from './documents-url.ts';
import { containerOf } from './items.ts';

/** The commands that undo a move, one for each place: documents found by a search come from several places. */
export type UndoMove = {
  moves: { ids: string[]; to: DocumentPlace }[];
  /** The documents whose names got a number in the move, with their old names. */
  renames: { id: string; fileName: { from: string; to: string } }[];
};

/** Maximum number of places. Each place needs a command, and a selection can come from hundreds of places. */
const PLACES_MAX = 10;

/**
 * Computes how to undo a move.
 * @param moved the documents as they were before
 * @param renamed the documents that got another name in the new place
 * @returns undefined if the documents came from too many places
 */
export function undoMove(
  moved: readonly Document[],
  renamed: readonly { id: string; fileName: string }[],
): UndoMove | undefined {
  const moves = new Map<string, UndoMove['moves'][number]>();
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
