import { z } from 'zod';
import { nameText } from '../../text/text.ts';
import { passkeyMessages } from './passkey-messages.ts';
import { sealedSchema } from './sealed.ts';

export const PASSKEY_NAME_MAX = 60;
/** Passkeys of one person. */
export const PASSKEYS_MAX = 10;

/** Credential ids have at most 1,023 bytes (WebAuthn Level 3, section 4). */
const credentialIdSchema = z
  .string()
  .regex(/^[\w-]+$/)
  .max(1_364);
/** Bytes in base64url. The values of a passkey have a few hundred. */
const bytesSchema = z
  .string()
  .regex(/^[\w-]+$/)
  .max(8_000);

/** A created passkey, as the browser reports it. */
export const attestationSchema = z.strictObject({
  credentialId: credentialIdSchema,
  clientDataJSON: bytesSchema,
  attestationObject: bytesSchema,
  /** How the browser may reach the authenticator. */
  transports: z
    .array(
      z
        .string()
        .regex(/^[a-z-]+$/)
        .max(20),
    )
    .max(8),
});
export type Attestation = z.infer<typeof attestationSchema>;

/** A challenge signed with a passkey, as the browser reports it. */
export const assertionSchema = z.strictObject({
  credentialId: credentialIdSchema,
  clientDataJSON: bytesSchema,
  authenticatorData: bytesSchema,
  signature: bytesSchema,
});
export type Assertion = z.infer<typeof assertionSchema>;

/** Input of `session.signInWithPasskey`. */
export const passkeySignInInput = z.strictObject({
  /** The sealed challenge. */
  challenge: sealedSchema,
  assertion: assertionSchema,
  /** The provider whose pending account this sign-in links; set if the page has asked the person to confirm that. */
  linking: z.string().max(40).optional(),
});
export type PasskeySignInInput = z.infer<typeof passkeySignInInput>;

/** Input of `session.reauthenticateWithPasskey`. */
export const passkeyReauthenticationInput = passkeySignInInput.omit({ linking: true });
export type PasskeyReauthenticationInput = z.infer<typeof passkeyReauthenticationInput>;

/** A person's own passkey, as a list shows it. */
export type Passkey = {
  id: string;
  name: string;
  createdAt: string;
  lastUsedAt: string | null;
  /** The host where it can be used. */
  host: string;
};

/** Answer of `users.myPasskeys`. */
export type MyPasskeys = {
  passkeys: Passkey[];
  /** Whether the person may add passkeys: only people who may sign in other than at a provider. */
  isAllowed: boolean;
  /** Whether the person's role needs a second factor, and their only one is a single passkey. */
  isOnlyFactor: boolean;
};

const passkeyNameSchema = nameText()
  .min(1, passkeyMessages.nameRequired)
  .max(PASSKEY_NAME_MAX, passkeyMessages.nameTooLong(PASSKEY_NAME_MAX));

/** Input of `users.beginPasskey`. */
export const beginPasskeyInput = z.strictObject({ operationId: z.uuid() });

/** Input of `users.addPasskey`. The id is the new passkey's. */
export const addPasskeyInput = z.strictObject({
  operationId: z.uuid(),
  id: z.uuid(),
  challenge: sealedSchema,
  attestation: attestationSchema,
  name: passkeyNameSchema,
});
export type AddPasskeyInput = z.infer<typeof addPasskeyInput>;

/** Input of `users.renamePasskey`. */
export const renamePasskeyInput = z.strictObject({
  operationId: z.uuid(),
  id: z.uuid(),
  name: passkeyNameSchema,
});
export type RenamePasskeyInput = z.infer<typeof renamePasskeyInput>;

/** Input of `users.removePasskey`. */
export const removePasskeyInput = z.strictObject({ operationId: z.uuid(), id: z.uuid() });
export type RemovePasskeyInput = z.infer<typeof removePasskeyInput>;
