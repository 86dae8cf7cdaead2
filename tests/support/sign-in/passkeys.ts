import { uuidv7 } from '#shared/ids.ts';
import type { TestClient } from '../server/client.ts';
import { type Authenticator, createAuthenticator } from './passkey-authenticator.ts';

/** The address of a test server by its host name, because there are no passkeys for IP addresses. */
export const atHostName = (url: string) => url.replace('127.0.0.1', 'localhost');

/**
 * Adds a passkey to the account of a signed-in person.
 * @param client of the server at its host name
 */
export async function addPasskey(
  client: TestClient,
  origin: string,
  name = 'Phone',
): Promise<{ id: string; authenticator: Authenticator }> {
  const authenticator = createAuthenticator(origin);
  const id = uuidv7();
  const { options, challenge } = await client.users.beginPasskey.mutate({ operationId: uuidv7() });
  await client.users.addPasskey.mutate({
    ...{ operationId: uuidv7(), id, name, challenge },
    attestation: authenticator.create(options),
  });
  return { id, authenticator };
}
