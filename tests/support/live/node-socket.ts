import { WebSocket as NodeWebSocket } from 'ws';

/** A window's access to its network, and hooks on the traffic. */
export type Network = {
  /** Undefined while no person is signed in. */
  cookie(): string | undefined;
  origin: string;
  online(): boolean;
  /** Called with each received and each sent text, as on the wire. */
  onReceived?(text: string): void;
  onSent?(text: string): void;
};

/** The browser's WebSocket for Node: sends the cookie, and reports a close within a second. */
export function socketFor(network: Network, open: Set<NodeWebSocket>): typeof WebSocket {
  class Socket extends NodeWebSocket {
    constructor(url: string | URL) {
      const cookie = network.cookie();
      super(url, {
        perMessageDeflate: false,
        headers: { origin: network.origin, ...(cookie === undefined ? {} : { cookie }) },
      });
      // A failed connection also emits a close, which the client handles.
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
  // The cast: the stock client uses only the part of the interface that both have.
  return Socket as unknown as typeof WebSocket;
}
