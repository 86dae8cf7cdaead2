import { open } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { serve } from '#tests/support/server/child.ts';

// The least that a server can do with an upload: it writes the body to a file and syncs it.

const handlers = {
  /** @param path the file to which each body is written, over the one before */
  async listen(path: string): Promise<string> {
    const server = createServer(async (request, response) => {
      const file = await open(path, 'w');
      try {
        for await (const piece of request as AsyncIterable<Buffer>) await file.write(piece);
        await file.datasync();
      } finally {
        await file.close();
      }
      response.end('ok');
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    // The cast: a listening TCP server has an address with a port.
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  },
};
export type PlainUploadHandlers = typeof handlers;

serve(handlers);
