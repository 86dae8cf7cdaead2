import { expect, test } from 'vitest';
import { assetIdIn } from '#web/features/scan/label-code.ts';

const ID = '0199a000-0000-7000-8000-000000000001';

test.each([
  [`https://lintel.example.com/a/${ID}`],
  [`http://192.168.1.20:3000/a/${ID.toUpperCase()}/`],
  [`https://the-address-of-last-year.example/a/${ID}?from=label`],
])('%s names its asset', (code) => {
  expect(assetIdIn(code)).toBe(ID);
});

test.each([
  ['4006381333931'],
  [`https://lintel.example.com/b/${ID}`],
  ['https://lintel.example.com/a/not-an-id'],
  [`https://lintel.example.com/a/${ID}/more`],
  [`javascript:alert(1)//a/${ID}`],
  [`ftp://lintel.example.com/a/${ID}`],
  [''],
])('%s is not one of our labels', (code) => {
  expect(assetIdIn(code)).toBeUndefined();
});
