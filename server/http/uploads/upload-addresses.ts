import { createHmac, timingSafeEqual } from 'node:crypto';

/** The path to which the browser sends the bytes. */
export const INGEST_PATH = '/ut';
/**
 * The address that UploadThing signs: it needs an absolute one, and never connects to it. The reply to the browser has
 * only the path, so that it works under any host name and behind any proxy.
 */
export const INGEST_URL = `http://ingest.invalid${INGEST_PATH}`;
/** UploadThing's name for this installation, which has no account there. */
export const APP_ID = 'lintel';

/** An address of an upload, as it was signed. */
export type UploadAddress = { id: string; expiresAt: number };

/**
 * Anchored over the exact text: a parameter inserted before the signature changes the signed text, and one appended after
 * it does not match.
 */
const SIGNED = /^([^#\s]+)&signature=hmac-sha256(?:%3D|=)([0-9a-f]{64})$/;

/**
 * Reads a presigned address.
 * @param address path and query, as received
 * @returns undefined if a single character differs from what was signed
 */
export function readUploadAddress(apiKey: string, address: string): UploadAddress | undefined {
  const canonical = `${INGEST_URL}${address.slice(INGEST_PATH.length)}`;
  const [, text = '', given = ''] = SIGNED.exec(canonical) ?? [];
  const wanted = createHmac('sha256', apiKey).update(text).digest();
  const sent = Buffer.from(given, 'hex');
  if (sent.length !== wanted.length || !timingSafeEqual(sent, wanted)) return undefined;
  const { searchParams } = new URL(text);
  const expiresAt = Number(searchParams.get('expires'));
  // UploadThing encodes values twice; the id has no character that is encoded.
  const id = searchParams.get('x-ut-custom-id') ?? '';
  return Number.isFinite(expiresAt) ? { id, expiresAt } : undefined;
}

/** A token of the form that UploadThing needs for signing, made of our own key. */
export function tokenOf(apiKey: string): string {
  const token = { apiKey, appId: APP_ID, regions: ['local'] };
  return Buffer.from(JSON.stringify(token)).toString('base64');
}
