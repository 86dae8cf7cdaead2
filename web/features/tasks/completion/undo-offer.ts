import type { Task } from '#shared/features/tasks/tasks.ts';
import { toastSuccess } from '../../../ui/feedback/toast.ts';

/** The dialog that asks why a completion is undone. */
export type UndoDialog = { what: 'undo'; task: Task; lineId: string; of: 'completion' };

// A toast outlives the page on which the task was completed, but the dialog opens on the page of the tasks.
let open: ((dialog: UndoDialog) => void) | undefined;
let asked: UndoDialog | undefined;

/**
 * For the page of the tasks: `onAsked` opens the dialog, at once if it was asked for on another page.
 * @param shown the id of the task that the page opens with: a dialog of another task is no longer wanted
 */
export function onUndoAsked(onAsked: (dialog: UndoDialog) => void, shown: string | null): () => void {
  open = onAsked;
  if (asked !== undefined && asked.task.id === shown) onAsked(asked);
  asked = undefined;
  return () => {
    open = undefined;
  };
}

type Stored = {
  /** The task as it was when it was completed; undefined if that is not known. */
  task: Task | undefined;
  /** The completion's line in the record. */
  lineId: unknown;
  text: string;
  /** Opens the page of the tasks. */
  toPage: (task: Task) => void;
};

/** Shows a toast that the server has stored a completion, with a button that undoes it. */
export function toastCompleted({ task, lineId, text, toPage }: Stored): void {
  if (task === undefined || typeof lineId !== 'string') {
    toastSuccess(text, { about: task?.taskNumber });
    return;
  }
  const dialog: UndoDialog = { what: 'undo', task, lineId, of: 'completion' };
  function onSelect() {
    if (open !== undefined) return open(dialog);
    asked = dialog;
    toPage(dialog.task);
  }
  toastSuccess(text, { about: task.taskNumber, action: { label: 'Undo…', onSelect } });
}
