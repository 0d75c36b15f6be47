import { passwordSettingsSchema } from '@pdf2press/contract';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { withOptionalPassword } from './new-password-fields.tsx';

const schema = withOptionalPassword(z.object({ name: z.string().min(1) }), passwordSettingsSchema.parse({}));
/** The fields with a fault, or what is submitted. */
const read = (password: string, passwordConfirmation: string, name = 'Bo') => {
  const { error, data } = schema.safeParse({ name, password, passwordConfirmation });
  return error ? [...new Set(error.issues.map(({ path }) => path.join('.')))] : data;
};

test('a password that may stay empty is typed twice where it is given', () => {
  expect(read('', '')).toEqual({ name: 'Bo' });
  expect(read('aB3-56', 'aB3-56')).toEqual({ name: 'Bo', password: 'aB3-56', passwordConfirmation: 'aB3-56' });
  for (const [password, repeated] of [
    ['aB3-56', ''],
    ['aB3-56', 'aB3-57'],
    ['', 'aB3-56'],
  ] as const)
    expect(read(password, repeated)).toEqual(['passwordConfirmation']);
  expect(read('short', 'short')).toEqual(['password']);
  expect(read('short', 'other')).toEqual(['password', 'passwordConfirmation']);
  // Told with the faults of other fields, not after they are mended.
  expect(read('aB3-56', 'aB3-57', '')).toEqual(['name', 'passwordConfirmation']);
});
