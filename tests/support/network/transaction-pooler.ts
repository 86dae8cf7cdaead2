import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { postgresMessages } from '../postgres/postgres-messages.ts';

/** A connection to Postgres, and the client that uses it at present. */
type Backend = { socket: Socket; client: Client | undefined; awaited: number };
type Client = { socket: Socket; backend: Backend | undefined };

/**
 * A pooler in transaction mode in front of Postgres: each client signs in through its own connection, and then gets, for
 * each transaction, the connection that was released last.
 */
export async function startTransactionPooler(
  target: number,
): Promise<{ port: number; close(): Promise<void> }> {
  const idle: Backend[] = [];
  const open = new Set<Socket>();

  function follow(socket: Socket): Socket {
    open.add(socket);
    socket.on('error', () => socket.destroy());
    socket.on('close', () => open.delete(socket));
    return socket;
  }

  function connectBackend(client: Client): Backend {
    const backend: Backend = { socket: follow(connect(target, '127.0.0.1')), client, awaited: 1 };
    backend.socket.on(
      'data',
      postgresMessages({
        onMessage(type, body, bytes) {
          backend.client?.socket.write(bytes);
          if (type !== 'Z') return;
          backend.awaited -= 1;
          const isIdle = body.toString('latin1', 0, 1) === 'I';
          if (!isIdle || backend.awaited > 0 || backend.client === undefined) return;
          backend.client.backend = undefined;
          backend.client = undefined;
          idle.push(backend);
        },
      }),
    );
    return backend;
  }

  const server = createServer((socket) => {
    const client: Client = { socket: follow(socket), backend: undefined };
    let isSignedIn = false;
    socket.on(
      'data',
      postgresMessages({
        onFirst(bytes) {
          client.backend = connectBackend(client);
          client.backend.socket.write(bytes);
        },
        onMessage(type, _body, bytes) {
          if (type === 'X') return socket.destroy();
          isSignedIn ||= type !== 'p';
          if (client.backend === undefined) {
            // Never empty: there are as many connections as clients, and a waiting client has none.
            const backend = idle.pop();
            if (backend === undefined) throw new Error('no connection is idle');
            Object.assign(backend, { client });
            client.backend = backend;
          }
          if (isSignedIn && (type === 'S' || type === 'Q')) client.backend.awaited += 1;
          client.backend.socket.write(bytes);
        },
      }),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  // The cast: a listening TCP server has an address with a port.
  const { port } = server.address() as AddressInfo;
  return {
    port,
    close() {
      for (const socket of open) socket.destroy();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}
