import { FileFaultError } from '@pdf2press/contract/faults';
import { formats, type Lcms, type Pixels, startLcms } from './lcms.ts';
import { type ColourModel, type ProfileFacts, readProfileFacts } from './profile-facts.ts';
import { type ProfileRef, profileBytes } from './shipped-profiles.ts';

/** Rendering intents (ICC.1, 7.2.15; ISO 32000-1, 8.6.5.8), abbreviated. */
export type RenderingIntent = 'perceptual' | 'relative' | 'saturation' | 'absolute';

export interface Conversion {
  /** A profile, or `Lab` for CIE L*a*b* with D50. */
  from: ProfileRef | 'Lab';
  to: ProfileRef | 'Lab';
  /** Default `relative`. */
  intent?: RenderingIntent;
  /** Default true; never applied with `absolute`. */
  blackPointCompensation?: boolean;
}

/**
 * Converts colours between ICC profiles with LittleCMS. Values are as in PDF: Gray, RGB and CMYK 0 to 1, Lab as L 0 to
 * 100 with a and b.
 * All methods throw FileFaultError SETTINGS_INVALID {what: 'icc'} for bytes that are not a usable profile, and when a
 * profile has no table for the requested direction.
 */
export interface ColourService {
  facts(profile: ProfileRef): ProfileFacts;
  /** Converts one colour. */
  convert(values: readonly number[], conversion: Conversion): number[];
  /** Converts many interleaved colours, about 0.4 million per second. */
  convertColours(values: Float32Array, conversion: Conversion): Float32Array;
  /**
   * Converts interleaved 8-bit pixels, about 15 million per second. For CMYK, 255 is full ink. Lab is L·2.55, a+128,
   * b+128.
   */
  convertPixels(pixels: Uint8Array, conversion: Conversion): Uint8Array;
  /** Frees all profiles and transforms. */
  close(): void;
}

interface OpenProfile {
  handle: number;
  model: ColourModel;
  facts: ProfileFacts | null;
  key: string;
}

const intentNumbers: Readonly<Record<RenderingIntent, number>> = {
  perceptual: 0,
  relative: 1,
  saturation: 2,
  absolute: 3,
};
const blackPointCompensationFlag = 0x2000;
/** Limit of cached transforms; one between CMYK profiles takes about 3 MiB. */
const maxTransforms = 32;
/** LittleCMS uses percentages for CMYK as float. */
const floatScale: Readonly<Record<ColourModel, number>> = { Gray: 1, RGB: 1, CMYK: 100, Lab: 1 };

const invalidProfile = (params: Record<string, string>): FileFaultError =>
  new FileFaultError('SETTINGS_INVALID', { what: 'icc', ...params });

/** Starts a colour service with a LittleCMS of its own. Call `close` after use. */
export async function createColourService(): Promise<ColourService> {
  return makeService(await startLcms());
}

function makeService(lcms: Lcms): ColourService {
  const byBytes = new WeakMap<Uint8Array, OpenProfile>();
  const byKey = new Map<string, OpenProfile>();
  const transforms = new Map<string, number>();

  function open(ref: ProfileRef | 'Lab'): OpenProfile {
    const known = typeof ref === 'string' ? byKey.get(ref) : byBytes.get(ref);
    if (known) return known;
    if (ref === 'Lab') return keep('Lab', { handle: lcms.openLab(), model: 'Lab', facts: null, key: 'Lab' });
    const bytes = profileBytes(ref);
    const facts = readProfileFacts(bytes);
    const same = byKey.get(facts.sha256);
    const profile = same ?? keep(facts.sha256, load(bytes, facts));
    if (typeof ref === 'string') byKey.set(ref, profile);
    else byBytes.set(ref, profile);
    return profile;
  }

  function keep(key: string, profile: OpenProfile): OpenProfile {
    byKey.set(key, profile);
    return profile;
  }

  function load(bytes: Uint8Array, facts: ProfileFacts): OpenProfile {
    if (facts.model === null) throw invalidProfile({ space: facts.space });
    const handle = lcms.openProfile(bytes);
    if (handle === 0) throw invalidProfile({ name: facts.name });
    return { handle, model: facts.model, facts, key: facts.sha256 };
  }

  function transform(from: OpenProfile, to: OpenProfile, conversion: Conversion, kind: 'float' | 'bytes'): number {
    const intent = conversion.intent ?? 'relative';
    const compensates = intent !== 'absolute' && (conversion.blackPointCompensation ?? true);
    const key = `${from.key} ${to.key} ${intent} ${compensates} ${kind}`;
    const known = transforms.get(key);
    if (known !== undefined) {
      transforms.delete(key);
      transforms.set(key, known);
      return known;
    }
    const flags = compensates ? blackPointCompensationFlag : 0;
    const made = lcms.createTransform(
      from.handle,
      formats[from.model][kind],
      to.handle,
      formats[to.model][kind],
      intentNumbers[intent],
      flags,
    );
    if (made === 0) throw invalidProfile({ from: from.facts?.name ?? 'Lab', to: to.facts?.name ?? 'Lab' });
    transforms.set(key, made);
    for (const [oldest, handle] of transforms) {
      if (transforms.size <= maxTransforms) break;
      lcms.deleteTransform(handle);
      transforms.delete(oldest);
    }
    return made;
  }

  function run<T extends Pixels>(
    values: T,
    conversion: Conversion,
    kind: 'float' | 'bytes',
    make: (length: number) => T,
  ): T {
    const from = open(conversion.from);
    const to = open(conversion.to);
    const channelsIn = formats[from.model].channels;
    const channelsOut = formats[to.model].channels;
    const output = make(Math.floor(values.length / channelsIn) * channelsOut);
    lcms.run(transform(from, to, conversion, kind), values, channelsIn, output, channelsOut);
    return output;
  }

  function convertColours(values: Float32Array, conversion: Conversion): Float32Array {
    const scaleIn = floatScale[open(conversion.from).model];
    const input = scaleIn === 1 ? values : values.map((value) => value * scaleIn);
    const output = run(input, conversion, 'float', (length) => new Float32Array(length));
    const scaleOut = floatScale[open(conversion.to).model];
    return scaleOut === 1 ? output : output.map((value) => value / scaleOut);
  }

  return {
    facts(ref) {
      return readProfileFacts(profileBytes(ref));
    },
    convert: (values, conversion) => [...convertColours(Float32Array.from(values), conversion)],
    convertColours,
    convertPixels: (pixels, conversion) => run(pixels, conversion, 'bytes', (length) => new Uint8Array(length)),
    close() {
      for (const handle of transforms.values()) lcms.deleteTransform(handle);
      for (const handle of new Set([...byKey.values()].map((profile) => profile.handle))) lcms.closeProfile(handle);
      transforms.clear();
      byKey.clear();
    },
  };
}
