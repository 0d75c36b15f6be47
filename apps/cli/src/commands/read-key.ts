import { createPublicKey } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { UsageError } from './file-work.ts';

/** The public key of an installation, as PEM. @throws UsageError where the file holds none */
export async function readKey(file: string): Promise<string> {
  const text = await readFile(file, 'utf8');
  try {
    if (createPublicKey(text).asymmetricKeyType === 'ed25519') return text;
  } catch {
    // Told below: what is wrong with it does not matter.
  }
  throw new UsageError(`--key: ${file} holds no public key of an installation`);
}
