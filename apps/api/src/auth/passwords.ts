import { hash, verify } from '@node-rs/argon2';
import { type PasswordSettings, type Problem, ProblemError, passwordFaults } from '@pdf2press/contract';
import { commonPasswords } from './common-passwords.ts';

/** Argon2id with 19 MiB, two passes and one lane, which OWASP's Password Storage Cheat Sheet recommends. */
const cost = { algorithm: 2, memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;

/** Two at a time, so that many sign-ins at once leave processor time for other requests. */
const waiting: (() => void)[] = [];
let running = 0;
async function inTurn<T>(work: () => Promise<T>): Promise<T> {
  if (running >= 2) await new Promise<void>((resolve) => waiting.push(resolve));
  running += 1;
  try {
    return await work();
  } finally {
    running -= 1;
    waiting.shift()?.();
  }
}

export const hashPassword = (password: string): Promise<string> => inTurn(() => hash(password.normalize('NFKC'), cost));

/** The hash of a random text: checking it makes unknown accounts cost the same time as known ones. */
export const nobodysHash =
  '$argon2id$v=19$m=19456,t=2,p=1$cGRmMnByZXNzLW5vYm9keQ$bVPpJCQAKJAszMScs6vQ0fvxZSobG0tSgxyD+56WkhM';

/** Whether the password is right. Runs Argon2id once, also where there is no account. */
export async function isPassword(stored: string | null | undefined, password: string): Promise<boolean> {
  const fits = await inTurn(() => verify(stored ?? nobodysHash, password.normalize('NFKC')));
  return stored ? fits : false;
}

/**
 * Checks a new password by the subscriber's policy and the list of the most used ones.
 * @throws ProblemError every `password.*` fault at once
 */
export function demandGoodPassword(
  password: string,
  confirmation: string,
  settings: PasswordSettings,
  about: readonly string[] = [],
): void {
  const problems: Problem[] = passwordFaults(password, settings).map(({ code, params }) => ({
    code,
    ...(params ? { params } : {}),
    field: 'password',
  }));
  const plain = password.toLowerCase();
  const isKnown = commonPasswords.has(plain) || about.some((word) => word !== '' && plain === word.toLowerCase());
  if (isKnown) problems.push({ code: 'password.tooCommon', field: 'password' });
  if (password !== confirmation) problems.push({ code: 'password.confirmation', field: 'passwordConfirmation' });
  if (problems.length > 0) throw new ProblemError(problems);
}
