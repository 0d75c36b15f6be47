import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** Profiles that are part of the product. Their licences are beside the files in `profiles/`. */
export const shippedProfiles = {
  'fogra39l-coated': 'fogra39l-coated.icc',
  'isocoated-v2-300-bas': 'isocoated-v2-300-bas.icc',
  srgb: 'srgb.icc',
  gray: 'gray.icc',
  'adobe-rgb-1998': 'adobe-rgb-1998.icc',
  'eci-rgb-v2': 'eci-rgb-v2.icc',
} as const;

export type ShippedProfileId = keyof typeof shippedProfiles;

/** A shipped profile by its id, or the bytes of any ICC profile. */
export type ProfileRef = ShippedProfileId | Uint8Array;

/** The press assumed when none is specified: offset printing on coated paper. */
export const defaultCmykProfile: ShippedProfileId = 'fogra39l-coated';
/** The profile assumed for RGB without profile. */
export const defaultRgbProfile: ShippedProfileId = 'srgb';

/** True for the id of a shipped profile. */
export const isShippedProfile = (id: string): id is ShippedProfileId => Object.hasOwn(shippedProfiles, id);

/** Path of a shipped profile on this machine. */
export const shippedProfilePath = (id: ShippedProfileId): string =>
  fileURLToPath(new URL(`../../profiles/${shippedProfiles[id]}`, import.meta.url));

/** The bytes of a profile. */
export function profileBytes(ref: ProfileRef): Uint8Array {
  return typeof ref === 'string' ? readFileSync(shippedProfilePath(ref)) : ref;
}
