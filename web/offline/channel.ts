/** Messages between the tabs of one browser: which rows on this device have changed, without their contents. */
export type ChannelMessage =
  | { kind: 'items'; userId: string; ids: readonly string[] }
  | { kind: 'draft' | 'copy'; userId: string; key: string }
  /** Something was saved, or a person asked to send: the tab that can send checks the queue. */
  | { kind: 'kick' };

export type Channel = {
  post(message: ChannelMessage): void;
  /** @returns a function that stops listening */
  listen(listener: (message: ChannelMessage) => void): () => void;
  close(): void;
};

/** A channel over the browser's BroadcastChannel. If the browser has none, each tab works for itself. */
export function createChannel(name: string): Channel {
  if (typeof BroadcastChannel === 'undefined') {
    return { post: () => undefined, listen: () => () => undefined, close: () => undefined };
  }
  const channel = new BroadcastChannel(name);
  return {
    post: (message) => channel.postMessage(message),
    listen(listener) {
      // Only tabs of this app post here; a tab of another version may send kinds that this version does not know.
      const onMessage = (event: MessageEvent<ChannelMessage>) => listener(event.data);
      channel.addEventListener('message', onMessage);
      return () => channel.removeEventListener('message', onMessage);
    },
    close: () => channel.close(),
  };
}
