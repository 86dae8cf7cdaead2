import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A proxy in front of a server, on a port that stays the same whatever happens behind it. */
export type TcpProxy = {
  port: number;
  /** Bytes from clients to the server so far. */
  sent(): number;
  /** Resets every connection at once. */
  cut(): void;
  /** Keeps connections open without passing anything on in either direction. */
  blackhole(on: boolean): void;
  close(): Promise<void>;
};

/** @param target returns the port behind it for each connection; undefined while there is none */
export async function startTcpProxy(target: () => number | undefined): Promise<TcpProxy> {
  const pairs = new Set<[Socket, Socket]>();
  let dark = false;
  let sent = 0;

  const server = createServer({ pauseOnConnect: true }, (near) => {
    const port = target();
    if (port === undefined) {
      near.resetAndDestroy();
      return;
    }
    const far = connect(port, '127.0.0.1');
    const pair: [Socket, Socket] = [near, far];
    pairs.add(pair);
    for (const socket of pair) {
      socket.setNoDelay(true);
      const other = socket === near ? far : near;
      // The side that breaks first closes the other.
      socket.on('error', () => other.destroy());
      socket.on('close', () => {
        other.destroy();
        pairs.delete(pair);
      });
      socket.on('data', (chunk) => {
        if (socket === near) sent += chunk.length;
        if (!other.write(chunk)) socket.pause();
      });
      other.on('drain', () => {
        if (!dark) socket.resume();
      });
    }
    if (dark) for (const socket of pair) socket.pause();
    else near.resume();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  // The cast: a listening TCP server has an address with a port.
  const { port } = server.address() as AddressInfo;

  return {
    port,
    sent: () => sent,
    cut() {
      for (const [near, far] of pairs) {
        near.resetAndDestroy();
        far.resetAndDestroy();
      }
    },
    blackhole(on) {
      dark = on;
      for (const pair of pairs) {
        for (const socket of pair) {
          if (on) socket.pause();
          else socket.resume();
        }
      }
    },
    close() {
      for (const [near, far] of pairs) {
        near.destroy();
        far.destroy();
      }
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}
