/** Malicious PDFs for tests, built in memory. The product must refuse or survive each of them. */
import { carriers } from './carriers.ts';
import { colour } from './colour.ts';
import { content } from './content.ts';
import { fonts } from './fonts.ts';
import { numbers } from './numbers.ts';
import { streams } from './streams.ts';
import { structure } from './structure.ts';
import { trees } from './trees.ts';

export interface Poison {
  name: string;
  bytes: Uint8Array;
}

/** All malicious files, more than 120; the same at every call. */
export function poisonPdfs(): Poison[] {
  const families = [structure, trees, numbers, content, colour, streams, fonts, carriers];
  return families.flatMap((family) => [...family()].map(([name, bytes]) => ({ name, bytes })));
}
