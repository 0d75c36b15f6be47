import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { readSigned, sign } from './tokens.ts';

test('a signed value is read with its own signature only', () => {
  const key = randomBytes(32);
  const signed = sign(key, 'device.of.ana@example.com');
  expect(readSigned(key, signed)).toBe('device.of.ana@example.com');
  const [, signature = ''] = /\.([^.]+)$/.exec(signed) ?? [];
  for (const wrong of [
    `device.of.ben@example.com.${signature}`,
    `device.of.ana@example.com.${'A'.repeat(signature.length)}`,
    'device.of.ana@example.com',
    signed.slice(0, -1),
    sign(randomBytes(32), 'device.of.ana@example.com'),
    '',
    undefined,
  ])
    expect(readSigned(key, wrong), wrong).toBeUndefined();
});
