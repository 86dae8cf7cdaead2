import type { Task } from '#shared/features/tasks/tasks.ts';
import { toastSuccess } from '../../../ui/feedback/toast.ts';

/** The dialog that asks for the reason of undoing a completion. */
export type UndoDialog = { what: 'undo'; task: Task; lineId: string; of: 'completion' };

// The toast with Undo stays when the person leaves the page on which the task was completed, but the dialog opens only on
// the tasks page. These variables connect the two.
let open: ((dialog: UndoDialog) => void) | undefined;
let asked: UndoDialog | undefined;

/**
 * Called by the tasks page. `onAsked` opens the dialog; it is called at once if Undo was pressed on another page.
 * @param shown the id of the task that the page opens with; an Undo pressed for another task is dropped
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
  /** The task as it was when it was completed; undefined if not known. */
  task: Task | undefined;
  /** Id of the completion's line in the record. */
  lineId: unknown;
  text: string;
  /** Opens the tasks page. */
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
