/**
 * What the colours at the points of a pixel table become, kept by the build for the conversion that the house profiles ask
 * for: finding them takes longer than all else of converting a small picture.
 */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  type Conversion,
  createColourService,
  defaultCmykProfile,
  defaultRgbProfile,
  type ProfileRef,
  profileBytes,
} from '@pdf2press/pdf';
import { gridPoints } from '../../editing/recolour/pixel-table.ts';

/** The same folder for the compiled module and for its source. */
const folder = fileURLToPath(new URL('../../../dist/kept-points/', import.meta.url));

const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');
const sumOf = (profile: ProfileRef | 'Lab'): string => (profile === 'Lab' ? profile : sha256(profileBytes(profile)));

/** Named after all that the colours depend on, so that those of another profile are never taken. */
function fileOf({ from, to, intent = 'relative', blackPointCompensation = true }: Conversion): string {
  const name = [sumOf(from), sumOf(to), intent, blackPointCompensation].join(' ');
  return path.join(folder, sha256(Buffer.from(name)));
}

/** The colours that the points of a pixel table become; null for a conversion of which none are kept. */
export function keptColours(conversion: Conversion): Float32Array | null {
  const file = fileOf(conversion);
  if (!existsSync(file)) return null;
  const bytes = readFileSync(file);
  return new Float32Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength));
}

/** Writes what `keptColours` reads. Run by the build, after the room is compiled. */
export async function keepColours(): Promise<void> {
  const conversion = { from: defaultRgbProfile, to: defaultCmykProfile } as const;
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder);
  const colour = await createColourService();
  const colours = colour.convertColours(gridPoints(), conversion);
  colour.close();
  writeFileSync(fileOf(conversion), new Uint8Array(colours.buffer));
}
