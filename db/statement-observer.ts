/** Called when a statement is sent. @returns a function that is called when it is answered, with its error if it failed */
export type StatementObserver = (text: string) => (error?: unknown) => void;

let observer: StatementObserver | undefined;

/** Sets the observer of all statements of this process; undefined removes it. */
export function observeStatements(next: StatementObserver | undefined): void {
  observer = next;
}

/** Reports a statement to the observer, if there is one. */
export function noteStatement(text: string): ReturnType<StatementObserver> | undefined {
  return observer?.(text);
}
