import { z } from 'zod';
import { sealedSchema } from './sealed.ts';

/** A code of an authenticator app, or a recovery code, as it was typed. */
const codeSchema = z.string().trim().min(1, 'Please enter the code').max(40);

/** The step that a sign-in needs after the password was verified. The ticket is valid for 10 minutes, or 30 to enrol. */
export type SecondStep =
  | {
      /** `code`: enter a code of the app. `enrol`: set up an app, because the person's role needs a second factor. */
      step: 'code' | 'enrol';
      ticket: string;
      /** Hosts at which the person can sign in with a passkey instead. */
      passkeyHosts: string[];
    }
  /** The person's role needs a second factor, and a passkey is their only one: they sign in with it at one of these hosts. */
  | { step: 'passkey'; passkeyHosts: string[] };

/** A new secret for an authenticator app. */
export type TotpEnrolment = {
  /** Base32, to type it in. */
  secret: string;
  /** `otpauth://…`, for a QR code. */
  address: string;
  /** The secret, sealed: sent back with the first code. */
  enrolment: string;
};

/** State of a person's authenticator app; null: there is none. */
export type SecondFactorState = { since: string; recoveryCodesLeft: number } | null;

/** Answer of `users.secondFactor`: what a reset removes. */
export type PersonSecondFactor = { state: SecondFactorState; passkeys: number };

/** Answer of `users.mySecondFactor`. */
export type MySecondFactor = {
  state: SecondFactorState;
  /** Whether the person's role needs a second factor, so that the last one cannot be removed. */
  isNeeded: boolean;
  /** Hosts at which the person can use a passkey, which is a second factor too. */
  passkeyHosts: string[];
};

/** Input of `session.completeSignIn`. */
export const completeSignInInput = z.strictObject({ ticket: sealedSchema, code: codeSchema });
export type CompleteSignInInput = z.infer<typeof completeSignInInput>;

/** Input of `session.beginEnrolment`. */
export const beginEnrolmentInput = z.strictObject({ ticket: sealedSchema });

/** Input of `session.completeEnrolment`. */
export const completeEnrolmentInput = completeSignInInput.extend({ enrolment: sealedSchema });
export type CompleteEnrolmentInput = z.infer<typeof completeEnrolmentInput>;

/** Input of `users.removeSecondFactor` and `users.makeRecoveryCodes`. */
export const ownSecondFactorInput = z.strictObject({ operationId: z.uuid() });
export type OwnSecondFactorInput = z.infer<typeof ownSecondFactorInput>;

/** Input of `users.addSecondFactor`. */
export const addSecondFactorInput = ownSecondFactorInput.extend({
  enrolment: sealedSchema,
  code: codeSchema,
});
export type AddSecondFactorInput = z.infer<typeof addSecondFactorInput>;

/** Input of `users.resetSecondFactor`. */
export const resetSecondFactorInput = ownSecondFactorInput.extend({ userId: z.uuid() });
export type ResetSecondFactorInput = z.infer<typeof resetSecondFactorInput>;
