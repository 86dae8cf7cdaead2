/** Called when a statement is sent. @returns a function that is called when it is answered, with its error if it failed */
export type StatementObserver = (text: string) => (error?: unknown) => void;

let observer: StatementObserver | undefined;

/** Lets every statement of this process be observed; undefined ends that. */
export function observeStatements(next: StatementObserver | undefined): void {
  observer = next;
}

/** Tells the observer of a statement, if there is one. */
export function noteStatement(text: string): ReturnType<StatementObserver> | undefined {
  return observer?.(text);
}
