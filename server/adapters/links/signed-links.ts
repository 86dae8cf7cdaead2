import { createHmac, timingSafeEqual } from 'node:crypto';

/** Signs addresses of this server, so that they cannot be changed or forged. */
export type SignedLinks = {
  /** Sets the secret; before, nothing can be signed. */
  use(secret: Buffer): void;
  /** @param address a path with a query, for reading; returns it with its signature as the last parameter */
  sign(address: string): string;
  /** Returns the signed address without its signature; undefined if a single character differs. */
  verify(address: string): string | undefined;
  /** Derives a separate key for another protocol, hexadecimal. */
  keyFor(protocol: string): string;
};

/** Anchored, so that text inserted before the signature or appended after it is part of the text that must match. */
const SIGNED = /^([^#]*\?[^#]*)&s=([A-Za-z0-9_-]{43})$/;

export function createSignedLinks(): SignedLinks {
  let secret: Buffer | undefined;
  function hmac(text: string): Buffer {
    if (secret === undefined) throw new Error('the server has no secret yet');
    return createHmac('sha256', secret).update(text).digest();
  }
  // `read` means the methods GET and HEAD. An address cannot contain the line feed.
  const signature = (address: string) => hmac(`read\n${address}`);
  return {
    use(value) {
      secret = value;
    },
    sign: (address) => `${address}&s=${signature(address).toString('base64url')}`,
    verify(address) {
      const [, text = '', given = ''] = SIGNED.exec(address) ?? [];
      const sent = Buffer.from(given, 'base64url');
      const wanted = signature(text);
      // Compared as text, too: the last character has bits that the decoding ignores.
      const same = sent.length === wanted.length && timingSafeEqual(sent, wanted);
      return same && wanted.toString('base64url') === given ? text : undefined;
    },
    keyFor: (protocol) => hmac(`key\n${protocol}`).toString('hex'),
  };
}
