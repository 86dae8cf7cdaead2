import { Listeners } from '../../../lib/listeners.ts';

/** Channel on which the window of an identity provider reports that the person has authenticated again. */
export const CHANNEL = 'lintel.reauthentication';

type Question = { answer: Promise<boolean>; settle: (isDone: boolean) => void };

const listeners = new Listeners();
let question: Question | undefined;

/** Asks the signed-in person to authenticate again, in a dialog of the shell. */
export const reauthentication = {
  subscribe: listeners.subscribe,
  /** Returns whether the dialog must be shown. */
  isAsked: (): boolean => question !== undefined,
  /**
   * Shows the dialog. Several writes that ask at the same time share one dialog.
   * @returns whether the person has authenticated; false after the dialog was closed
   */
  ask(): Promise<boolean> {
    if (question !== undefined) return question.answer;
    let settle = (_isDone: boolean) => {};
    const answer = new Promise<boolean>((resolve) => {
      settle = resolve;
    });
    question = { answer, settle };
    listeners.tell();
    return answer;
  },
  /** Closes the dialog and resolves {@link ask} with `isDone`. */
  settle(isDone: boolean): void {
    question?.settle(isDone);
    question = undefined;
    listeners.tell();
  },
};
