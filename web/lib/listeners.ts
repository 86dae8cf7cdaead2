/** The listeners of a store that React reads; they are called after each change. */
export class Listeners {
  #listeners = new Set<() => void>();

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  tell(): void {
    for (const listener of [...this.#listeners]) listener();
  }
}
