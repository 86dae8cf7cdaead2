import { createHash, createHmac } from 'node:crypto';

/** The name and the password of an account at S3, and where its bucket is. */
export type S3Credentials = { accessKeyId: string; secretAccessKey: string; region: string };

export type SignedParts = {
  method: string;
  /** With host, path and query, encoded as S3 does (`encodeS3`). */
  url: URL;
  /** Names in lower case. `host` and `x-amz-date` are added. */
  headers: Readonly<Record<string, string>>;
  /** Hexadecimal SHA-256 of the body. */
  payload: string;
};

export const EMPTY_SHA256 = createHash('sha256').digest('hex');

/**
 * Signs a request with AWS Signature Version 4 in its header.
 * @returns all headers of the request
 */
export function signS3(
  { method, url, headers, payload }: SignedParts,
  { accessKeyId, secretAccessKey, region }: S3Credentials,
  now: Date,
): Record<string, string> {
  const time = now.toISOString().replace(/[:-]|\.\d{3}/g, '');
  const day = time.slice(0, 8);
  const scope = `${day}/${region}/s3/aws4_request`;
  const all: Record<string, string> = {
    ...headers,
    host: url.host,
    'x-amz-content-sha256': payload,
    'x-amz-date': time,
  };
  const names = Object.keys(all).sort();
  const signed = names.join(';');
  const lines = names.map((name) => `${name}:${all[name]?.trim().replace(/ +/g, ' ')}\n`).join('');
  const request = [method, url.pathname, queryOf(url), lines, signed, payload].join('\n');
  const toSign = ['AWS4-HMAC-SHA256', time, scope, sha256(request)].join('\n');
  const key = [day, region, 's3', 'aws4_request'].reduce<string | Buffer>(hmac, `AWS4${secretAccessKey}`);
  const signature = hmac(key, toSign).toString('hex');
  return {
    ...all,
    authorization: `AWS4-HMAC-SHA256 Credential=${accessKeyId}/${scope},SignedHeaders=${signed},Signature=${signature}`,
  };
}

/** Encodes a name or value as S3 does: everything but letters, digits, and `-._~`. */
export function encodeS3(text: string): string {
  return encodeURIComponent(text).replace(
    /[!'()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

function queryOf({ search }: URL): string {
  const pairs = search.slice(1).split('&').filter(Boolean);
  return pairs
    .map((pair) => (pair.includes('=') ? pair : `${pair}=`))
    .sort()
    .join('&');
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

function hmac(key: string | Buffer, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest();
}
