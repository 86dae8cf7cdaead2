import { createTRPCClient, type getFetch, httpLink, type TRPCClient } from '@trpc/client';
import type { AppRouter } from '#server/boot/router.ts';
import type { OfflineCommand, OfflineInput } from '#shared/offline.ts';
import { withServerTime } from '../lib/server-clock.ts';
import type { OutgoingEntry, SendContext, Transport } from '../offline/transport.ts';
import { NeedsUpdateError } from '../offline/verdict.ts';

type Client = TRPCClient<AppRouter>;
type Options = Pick<OutgoingEntry, 'ageMs'> & { signal: AbortSignal };
type SendCommand<C extends OfflineCommand> = (
  client: Client,
  input: OfflineInput<C> & { operationId: string },
  options: Options,
) => Promise<unknown>;

/** How each command that may wait on a device is sent. Does not compile while one is missing. */
const SEND: { readonly [C in OfflineCommand]: SendCommand<C> } = {
  'issues.create': (client, input, options) => client.issues.create.mutate(input, options),
  // Of this very try: by it the server knows how wrong the device's clock is.
  'checks.record': (client, input, { ageMs, ...options }) =>
    client.checks.record.mutate(
      { ...input, deviceNow: new Date().toISOString(), ...(ageMs === undefined ? {} : { ageMs }) },
      options,
    ),
  'photos.announce': (client, input, options) => client.photos.announce.mutate(input, options),
};

/**
 * @param sendAttachment sends the files that belong to an entry
 * @param to for a program that is no page: where the server is, and what a browser would add to every call
 */
export function createTransport(
  sendAttachment: Transport['sendAttachment'],
  to: { url: string; headers: () => Record<string, string> } = { url: '/trpc', headers: () => ({}) },
): Transport {
  return {
    async send({ id, command, input, ageMs }, context) {
      if (!isKnown(command)) throw new NeedsUpdateError(command);
      // The cast: what lies under a command's name was put there by `enqueue`, which is typed by the command.
      const send = SEND[command] as SendCommand<OfflineCommand>;
      const whole = { ...(input as OfflineInput<OfflineCommand>), operationId: id };
      return send(clientFor(context, to), whole, { signal: context.signal, ageMs });
    },
    sendAttachment,
  };
}

// One call a request: a batch would make an entry wait for another's answer. The server answers nobody but the
// person whose entry it is, whoever may have signed in meanwhile in another tab.
function clientFor(
  { userId }: SendContext,
  { url, headers }: { url: string; headers: () => Record<string, string> },
): Client {
  const all = () => ({ ...headers(), 'x-app': '1', 'x-person': userId });
  // The cast: tRPC's own type of the options is a part of the platform's.
  const ask: ReturnType<typeof getFetch> = (to, init) => withServerTime(() => fetch(to, init as RequestInit));
  return createTRPCClient<AppRouter>({ links: [httpLink({ url, headers: all, fetch: ask })] });
}

function isKnown(command: string): command is OfflineCommand {
  return Object.hasOwn(SEND, command);
}
