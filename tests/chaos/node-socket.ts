import { WebSocket as NodeWebSocket } from 'ws';

/** What a window does to its own network, and sees of it. */
export type Network = {
  /** Undefined while nobody is signed in. */
  cookie(): string | undefined;
  origin: string;
  online(): boolean;
  /** Each text that arrives and each that is sent, as it is on the wire. */
  onReceived?(text: string): void;
  onSent?(text: string): void;
};

/** The browser's socket for Node: it carries the cookie, and reports a close within a second. */
export function socketFor(network: Network, open: Set<NodeWebSocket>): typeof WebSocket {
  class Socket extends NodeWebSocket {
    constructor(url: string | URL) {
      const cookie = network.cookie();
      super(url, {
        perMessageDeflate: false,
        headers: { origin: network.origin, ...(cookie === undefined ? {} : { cookie }) },
      });
      // A connection that cannot be made is a close, which the client knows.
      this.on('error', () => undefined);
      open.add(this);
      this.on('close', () => open.delete(this));
      this.on('message', (data) => network.onReceived?.(String(data)));
      if (!network.online()) this.terminate();
    }

    override send(data: string): void {
      network.onSent?.(data);
      super.send(data);
    }

    override close(code?: number, reason?: string): void {
      super.close(code, reason);
      setTimeout(() => this.terminate(), 500).unref();
    }
  }
  // The stock client uses the part of the browser's interface that both have.
  return Socket as unknown as typeof WebSocket;
}
