import { WebSocket } from 'ws';

/** The memory of a Node process, in bytes. */
export type NodeMemory = { rss: number; heapUsed: number; arrayBuffers: number };

/**
 * Runs a garbage collection in a process, and returns the memory that it uses afterwards.
 * @param inspector the address that Node prints when its inspector is opened
 */
export async function memoryAfterCollection(inspector: string): Promise<NodeMemory> {
  const socket = new WebSocket(inspector, { perMessageDeflate: false });
  await new Promise((resolve, reject) => {
    socket.once('open', resolve);
    socket.once('error', reject);
  });
  try {
    await ask(socket, 1, 'HeapProfiler.collectGarbage', {});
    const expression = 'JSON.stringify(process.memoryUsage())';
    const answer = await ask(socket, 2, 'Runtime.evaluate', { expression });
    // The cast: the inspector's protocol returns the value of the expression above in this form.
    const { result } = answer as { result: { result: { value: string } } };
    return JSON.parse(result.result.value) as NodeMemory;
  } finally {
    socket.terminate();
  }
}

function ask(socket: WebSocket, id: number, method: string, params: object): Promise<unknown> {
  return new Promise((resolve) => {
    const listen = (data: Buffer) => {
      const message: unknown = JSON.parse(data.toString());
      if (typeof message !== 'object' || message === null || !('id' in message) || message.id !== id) return;
      socket.off('message', listen);
      resolve(message);
    };
    socket.on('message', listen);
    socket.send(JSON.stringify({ id, method, params }));
  });
}
