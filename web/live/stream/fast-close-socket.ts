/**
 * A WebSocket that reports a close within a second, and only once. Browsers take up to 60 s if the peer is silent. The
 * class is created at the first use, because Node has no WebSocket to extend.
 */
export function createFastCloseSocket(): typeof WebSocket {
  return class PromptSocket extends WebSocket {
    #told = false;

    constructor(url: string | URL, protocols?: string | string[]) {
      super(url, protocols);
      this.addEventListener('close', (event) => {
        if (this.#told) event.stopImmediatePropagation();
        this.#told = true;
      });
    }

    override close(code?: number, reason?: string): void {
      super.close(code, reason);
      setTimeout(() => {
        if (!this.#told) this.dispatchEvent(new CloseEvent('close', { code: 1006 }));
      }, 1000);
    }
  };
}
