/** What whoever runs a profile has to know about the fonts of the house. */
import type { FixReport } from '@pdf2press/contract';
import { fixContracts, fixKeys } from '../fixes/contracts.ts';
import { readFixProfile } from './profile.ts';

const embedding: ReadonlySet<string> = new Set(fixKeys.filter((key) => fixContracts[key].embedsFonts));

/**
 * Whether a profile has an enabled action that embeds fonts.
 * @throws FileFaultError SETTINGS_INVALID for what is no profile
 */
export const embedsFonts = (profile: unknown): boolean =>
  readFixProfile(profile).actions.some(({ key, enabled }) => enabled && embedding.has(key));

/** PostScript names of the fonts that were embedded; those of the house may be among them. */
export const fontsEmbedded = ({ changes }: FixReport): string[] => [
  ...new Set(changes.flatMap(({ action, after }) => (embedding.has(action) && after !== null ? [after] : []))),
];
