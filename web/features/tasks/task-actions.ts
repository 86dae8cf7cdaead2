import type { Task } from '#shared/features/tasks/tasks.ts';
import type { TaskCommands } from './use-task-commands.ts';

/** A dialog about one task that asks for a reason. */
export type ReasonDialogOf =
  | { what: 'mark' | 'retire'; task: Task }
  | { what: 'undo'; task: Task; lineId: string; of: 'completion' | 'mark' };
/** A dialog about one task. */
export type TaskDialog =
  | ReasonDialogOf
  | { what: 'complete'; task: Task; day?: string; files?: readonly File[] };

/** The actions that rows and the record of a task offer; the same object while the page is open. */
export type TaskActions = TaskCommands & { open: (dialog: TaskDialog) => void };

/** The props of a row of the list. */
export type TaskRowProps = {
  task: Task;
  /** Today's date for the organisation, by which the task is judged. */
  today: string;
  canEdit: boolean;
  canRecord: boolean;
  /** Whether the signed-in person is responsible. */
  isOwn: boolean;
  selected: boolean;
  onSelect: (id: string, on: boolean) => void;
  hrefOf: (id: string) => string;
  actions: TaskActions;
};
