import { expect, test, vi } from 'vitest';
import { createChannel } from '#web/offline/channel.ts';

test('where a browser has no BroadcastChannel, a tab works by itself', () => {
  vi.stubGlobal('BroadcastChannel', undefined);
  try {
    const channel = createChannel('test');
    const stop = channel.listen(() => expect.unreachable());
    channel.post({ kind: 'kick' });
    stop();
    channel.close();
  } finally {
    vi.unstubAllGlobals();
  }
});
