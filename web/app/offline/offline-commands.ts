import { createTRPCClient, type getFetch, httpLink, type TRPCClient } from '@trpc/client';
import type { AppRouter } from '#server/boot/router.ts';
import type { OfflineCommand, OfflineInput } from '#shared/offline.ts';
import { withServerTime } from '../../lib/time/server-clock.ts';
import type { OutgoingCommand, SendContext, Transport } from '../../offline/queue/transport.ts';
import { NeedsUpdateError } from '../../offline/queue/verdict.ts';

type Client = TRPCClient<AppRouter>;
type Options = Pick<OutgoingCommand, 'ageMs'> & { signal: AbortSignal };
type SendCommand<C extends OfflineCommand> = (
  client: Client,
  input: OfflineInput<C> & { operationId: string },
  options: Options,
) => Promise<unknown>;

/** How each offline command is sent. Does not compile while one is missing. */
const SEND: { readonly [C in OfflineCommand]: SendCommand<C> } = {
  'issues.create': (client, input, options) => client.issues.create.mutate(input, options),
  // `deviceNow` is the time of this attempt, from which the server computes the error of the device's clock.
  'checks.record': (client, input, { ageMs, ...options }) =>
    client.checks.record.mutate(
      { ...input, deviceNow: new Date().toISOString(), ...(ageMs === undefined ? {} : { ageMs }) },
      options,
    ),
  'tasks.create': (client, input, options) => client.tasks.create.mutate(input, options),
  'tasks.update': (client, input, options) => client.tasks.update.mutate(input, options),
  'tasks.complete': (client, input, options) => client.tasks.complete.mutate(input, options),
  'photos.announce': (client, input, options) => client.photos.announce.mutate(input, options),
};

/**
 * Creates the transport that sends queued commands over tRPC.
 * @param sendAttachment sends the attachments of a queued command
 * @param to for use outside a browser: the server's URL, and the headers that a browser would add
 */
export function createTransport(
  sendAttachment: Transport['sendAttachment'],
  to: { url: string; headers: () => Record<string, string> } = { url: '/trpc', headers: () => ({}) },
): Transport {
  return {
    async send({ id, command, input, ageMs }, context) {
      if (!isKnown(command)) throw new NeedsUpdateError(command);
      // The cast: the input was stored by `enqueue`, which is typed by the command.
      const send = SEND[command] as SendCommand<OfflineCommand>;
      const whole = { ...(input as OfflineInput<OfflineCommand>), operationId: id };
      return send(clientFor(context, to), whole, { signal: context.signal, ageMs });
    },
    sendAttachment,
  };
}

// One call per request: in a batch, a queued command would wait for the answer to another. The header `x-person` makes
// the server refuse the command if another person has signed in in another tab.
function clientFor(
  { userId }: SendContext,
  { url, headers }: { url: string; headers: () => Record<string, string> },
): Client {
  const all = () => ({ ...headers(), 'x-app': '1', 'x-person': userId });
  // The cast: tRPC types the options as a subset of the platform's `RequestInit`.
  const ask: ReturnType<typeof getFetch> = (to, init) => withServerTime(() => fetch(to, init as RequestInit));
  return createTRPCClient<AppRouter>({ links: [httpLink({ url, headers: all, fetch: ask })] });
}

function isKnown(command: string): command is OfflineCommand {
  return Object.hasOwn(SEND, command);
}
