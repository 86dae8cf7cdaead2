import { Listeners } from '../../../lib/listeners.ts';

/** Channel on which the window of an identity provider reports that the person has authenticated again. */
export const CHANNEL = 'lintel.reauthentication';

type Question = { answer: Promise<boolean>; settle: (isDone: boolean) => void };

const listeners = new Listeners();
let question: Question | undefined;

/** Asks the signed-in person to authenticate again, in a dialog of the shell. */
export const reauthentication = {
  subscribe: listeners.subscribe,
  /** Whether the dialog is to be shown. */
  isAsked: (): boolean => question !== undefined,
  /**
   * Shows the dialog. Several writes that ask at the same time share it.
   * @returns whether the person has authenticated; false if they have closed the dialog
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
  /** Closes the dialog. */
  settle(isDone: boolean): void {
    question?.settle(isDone);
    question = undefined;
    listeners.tell();
  },
};
