import { describe, expect, test } from 'vitest';
import { EMPTY_SHA256, encodeS3, signS3 } from '#server/adapters/storage/s3-signature.ts';

// The examples of "Signature Calculations for the Authorization Header" in Amazon's API reference of S3.
const ACCOUNT = {
  accessKeyId: 'AKIAIOSFODNN7EXAMPLE',
  secretAccessKey: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
  region: 'us-east-1',
};
const NOW = new Date('2013-05-24T00:00:00Z');
const HOST = 'https://examplebucket.s3.amazonaws.com';

function signatureOf(
  method: string,
  path: string,
  headers: Record<string, string> = {},
  payload = EMPTY_SHA256,
): string | undefined {
  const { authorization } = signS3({ method, url: new URL(HOST + path), headers, payload }, ACCOUNT, NOW);
  return authorization?.split('Signature=')[1];
}

describe('the signature of a request to S3', () => {
  test('is that of the published example of a range', () => {
    expect(signatureOf('GET', '/test.txt', { range: 'bytes=0-9' })).toBe(
      'f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41',
    );
  });

  test('is that of the published example of an upload', () => {
    const headers = { date: 'Fri, 24 May 2013 00:00:00 GMT', 'x-amz-storage-class': 'REDUCED_REDUNDANCY' };
    const payload = '44ce7dd67c959e0d3524ffac1771dfbba87d2b6b4b4e99e42034a8b803f8b072';
    expect(signatureOf('PUT', `/${encodeS3('test$file.text')}`, headers, payload)).toBe(
      '98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd',
    );
  });

  test('is that of the published example of a query without a value', () => {
    expect(signatureOf('GET', '/?lifecycle')).toBe(
      'fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543',
    );
  });

  test('is that of the published example of a list', () => {
    expect(signatureOf('GET', '/?max-keys=2&prefix=J')).toBe(
      '34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7',
    );
  });

  test.each([
    ['another secret', { ...ACCOUNT, secretAccessKey: 'else' }, NOW],
    ['another region', { ...ACCOUNT, region: 'eu-west-2' }, NOW],
    ['another day', ACCOUNT, new Date('2013-05-25T00:00:00Z')],
  ])('differs with %s', (_what, account, now) => {
    const parts = { method: 'GET', url: new URL(`${HOST}/test.txt`), headers: {}, payload: EMPTY_SHA256 };
    expect(signS3(parts, account, now)['authorization']?.split('Signature=')[1]).not.toBe(
      signatureOf('GET', '/test.txt'),
    );
  });
});
