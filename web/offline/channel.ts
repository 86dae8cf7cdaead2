/** What the pages of one browser tell each other: which rows on this device have changed. Never what is in them. */
export type ChannelMessage =
  | { kind: 'items'; userId: string; ids: readonly string[] }
  | { kind: 'draft' | 'copy'; userId: string; key: string }
  /** Something was saved, or somebody asked to send: whoever can send looks. */
  | { kind: 'kick' };

export type Channel = {
  post(message: ChannelMessage): void;
  /** @returns stops listening */
  listen(listener: (message: ChannelMessage) => void): () => void;
  close(): void;
};

/** Over the browser's BroadcastChannel. */
export function createChannel(name: string): Channel {
  const channel = new BroadcastChannel(name);
  return {
    post: (message) => channel.postMessage(message),
    listen(listener) {
      // Only this very page's code posts here; one of another version may say what this one does not know.
      const onMessage = (event: MessageEvent<ChannelMessage>) => listener(event.data);
      channel.addEventListener('message', onMessage);
      return () => channel.removeEventListener('message', onMessage);
    },
    close: () => channel.close(),
  };
}
