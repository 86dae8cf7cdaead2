import { z } from 'zod';

/** Sealed values have a few hundred letters. */
const SEALED_MAX = 2_000;
const sealedSchema = z.string().min(1).max(SEALED_MAX);
/** A code of an authenticator app, or a recovery code, as it was typed. */
const codeSchema = z.string().trim().min(1, 'Please enter the code').max(40);

/** What a sign-in with the right password still needs. The ticket stands for the password for ten minutes. */
export type SecondStep = {
  /** `code`: a code of the person's app. `enrol`: an app is set up, because the person's role needs a second factor. */
  step: 'code' | 'enrol';
  ticket: string;
};

/** A new secret for an authenticator app. */
export type TotpEnrolment = {
  /** Base32, to type it in. */
  secret: string;
  /** `otpauth://…`, for a QR code. */
  address: string;
  /** The secret, sealed: sent back with the first code. */
  enrolment: string;
};

/** State of a person's second factor; null: there is none. */
export type SecondFactorState = { since: string; recoveryCodesLeft: number } | null;

/** Answer of `users.mySecondFactor`. */
export type MySecondFactor = {
  state: SecondFactorState;
  /** Whether the person's role needs one, so that it cannot be removed. */
  isRequired: boolean;
};

/** Input of `session.completeSignIn`. */
export const completeSignInInput = z.strictObject({ ticket: sealedSchema, code: codeSchema });
export type CompleteSignInInput = z.infer<typeof completeSignInInput>;

/** Input of `session.beginEnrolment`. */
export const beginEnrolmentInput = z.strictObject({ ticket: sealedSchema });

/** Input of `session.completeEnrolment`. */
export const completeEnrolmentInput = z.strictObject({
  ticket: sealedSchema,
  enrolment: sealedSchema,
  code: codeSchema,
});
export type CompleteEnrolmentInput = z.infer<typeof completeEnrolmentInput>;

/** Input of `users.addSecondFactor`. */
export const addSecondFactorInput = z.strictObject({
  operationId: z.uuid(),
  enrolment: sealedSchema,
  code: codeSchema,
});
export type AddSecondFactorInput = z.infer<typeof addSecondFactorInput>;

/** Input of `users.removeSecondFactor` and `users.makeRecoveryCodes`. */
export const ownSecondFactorInput = z.strictObject({ operationId: z.uuid() });
export type OwnSecondFactorInput = z.infer<typeof ownSecondFactorInput>;

/** Input of `users.resetSecondFactor`. */
export const resetSecondFactorInput = z.strictObject({ operationId: z.uuid(), userId: z.uuid() });
export type ResetSecondFactorInput = z.infer<typeof resetSecondFactorInput>;
