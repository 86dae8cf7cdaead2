const guess = { credentialId: 'a-guess', clientDataJSON: 'e30' };

/** A well-formed assertion that is never accepted. */
export const GUESSED_ASSERTION = { ...guess, authenticatorData: 'AAAA', signature: 'AAAA' };
export const GUESSED_ATTESTATION = { ...guess, attestationObject: 'AAAA', transports: ['internal'] };
