/** Which space becomes what, and by which conversion. */
import {
  type ColorSpace,
  type ColourService,
  type Conversion,
  defaultCmykProfile,
  evaluateTint as evaluate,
  isShippedProfile,
  type PdfEditor,
  type PdfFile,
  type ProfileRef,
  pdfName,
  pdfRef,
} from '@pdf2press/pdf';
import { nameMatcher } from '../frame/blacks.ts';
import { intentProfile } from '../frame/output-intent.ts';
import { createPixelTable } from '../frame/recolour/pixel-table.ts';
import { convertedTint } from '../frame/recolour/shadings.ts';
import { type ConvertPixels, clamp, type MapSpace, rangesOf, type SpaceMap } from '../frame/recolour/space-map.ts';
import { alternateValue } from '../frame/space-value.ts';
import { type FixContext, failed } from '../runner.ts';

type InkSpace = Extract<ColorSpace, { family: 'Separation' | 'DeviceN' }>;
const processInks: readonly string[] = ['Cyan', 'Magenta', 'Yellow', 'Black'];

type Settings = FixContext<'ColorspaceTransformation'>['settings'];
type Source = Settings['sources'][number];

const devices = {
  CMYK: { name: 'DeviceCMYK', components: 4, operators: { fill: 'k', stroke: 'K' } },
  Gray: { name: 'DeviceGray', components: 1, operators: { fill: 'g', stroke: 'G' } },
  RGB: { name: 'DeviceRGB', components: 3, operators: { fill: 'rg', stroke: 'RG' } },
} as const;

const deviceOf = ({ target }: Settings) => devices[target === 'Keep' ? 'CMYK' : target];

export function profileOf(id: string | null, fallback: ProfileRef): ProfileRef {
  if (id === null || id === '') return fallback;
  if (!isShippedProfile(id)) throw failed('profileUnknown', { profile: id });
  return id;
}

/** The press: as set, else the file's output intent, else the house's. */
export function destinationOf(file: PdfFile, settings: Settings): ProfileRef {
  const components = deviceOf(settings).components;
  const house: ProfileRef =
    settings.target === 'Gray' ? 'gray' : settings.target === 'RGB' ? 'srgb' : defaultCmykProfile;
  return profileOf(settings.destinationProfile, intentProfile(file, components) ?? house);
}

const iccSources: Readonly<Record<number, Source>> = { 1: 'CalGray', 3: 'ICCRGB', 4: 'ICCCMYK' };

/** What kind of source a space is; null for what is never a source. */
export function sourceOf(space: ColorSpace): Source | null {
  switch (space.family) {
    case 'DeviceRGB':
    case 'DeviceCMYK':
    case 'DeviceGray':
    case 'Lab':
    case 'CalGray':
      return space.family;
    case 'CalRGB':
      return 'ICCRGB';
    case 'ICCBased':
      return iccSources[space.components] ?? null;
    default:
      return null;
  }
}

const isRgb = (source: Source | null): boolean => source === 'DeviceRGB' || source === 'ICCRGB';
const isGrey = (source: Source | null): boolean => source === 'DeviceGray' || source === 'CalGray';
const isInk = (source: Source | null): boolean => source === 'DeviceCMYK' || source === 'ICCCMYK';

const luminosity = (values: readonly number[]): number =>
  0.3 * (values[0] ?? 0) + 0.59 * (values[1] ?? 0) + 0.11 * (values[2] ?? 0);

interface Deps {
  file: PdfFile;
  edit: PdfEditor;
  colour: ColourService;
  settings: Settings;
}

/** The table of spaces for one run of the action; each space is answered once. */
export function createMapper(deps: Deps): MapSpace {
  const { settings } = deps;
  const destination = destinationOf(deps.file, settings);
  const known = new Map<ColorSpace, SpaceMap | null>();
  const masks = new Map<ColorSpace, SpaceMap | null>();
  const isWantedSpot = nameMatcher(settings.spotNames);
  const greys = createGreys(deps.colour, destination, settings);

  const make = (space: ColorSpace): SpaceMap | null => {
    if (space.family === 'Separation' || space.family === 'DeviceN')
      return isInTheWay(space) ? throughAlternate(space, true) : (processMap(space) ?? spotMap(space));
    const source = sourceOf(space);
    const isAsked = settings.target !== 'Keep' && source !== null && settings.sources.includes(source);
    return source !== null && (isAsked || isInTheWay(space)) ? converted(space, source) : null;
  };

  /** What the file puts in the place of the target's own space would change every colour again. */
  const isInTheWay = (space: ColorSpace): boolean =>
    settings.target !== 'Keep' && 'substitutes' in space && space.substitutes === deviceOf(settings).name;

  /** The space in the target, asked for or not; null for the target itself. */
  const converted = (space: ColorSpace, source: Source): SpaceMap | null => {
    const device = deviceOf(settings);
    if (space.family === device.name) return null;
    if (source === 'ICCCMYK' && settings.target === 'CMYK' && !settings.useEmbeddedCmykProfile)
      return sameNumbers('CMYK');
    // Grey prints with black alone; images keep their values, for DeviceGray is the black plate.
    if (isGrey(source) && settings.preserve.grayToK && settings.target === 'CMYK')
      return space.family === 'DeviceGray' ? null : sameNumbers('Gray');
    const from = profileFor(space, source);
    const conversion: Conversion = {
      from,
      to: destination,
      intent: settings.intent,
      blackPointCompensation: settings.blackPointCompensation,
    };
    const convert = (values: readonly number[]): number[] =>
      limited(
        preserved(space, source, values) ?? deps.colour.convert(calibrated(deps, space, values), conversion).map(clamp),
        settings,
      );
    const convertPixels =
      isRgb(source) && space.family !== 'CalRGB'
        ? pixelTable(deps, conversion, device.components, settings)
        : undefined;
    return {
      value: pdfName(device.name),
      device: { ...device.operators },
      components: device.components,
      isSameValues: false,
      convert,
      ...(convertPixels && { convertPixels }),
    };
  };

  /** Ink spaces of process inks alone are CMYK in other words; where that is no source, or the target, they stay. */
  const processMap = (space: InkSpace): SpaceMap | null => {
    if (!space.names.every((name) => name === 'None' || processInks.includes(name))) return null;
    const target = settings.target === 'CMYK' ? null : make({ family: 'DeviceCMYK', components: 4, object: 0 });
    const inksOf = (values: readonly number[]) => processInks.map((ink) => values[space.names.indexOf(ink)] ?? 0);
    return target && through(target, inksOf);
  };

  const spotMap = (space: InkSpace): SpaceMap | null => {
    const isSpot = space.names.some((name) => ![...processInks, 'All', 'None'].includes(name));
    const isAsked = settings.spotHandling !== 'Keep' && isSpot && space.names.every(isWantedSpot);
    if (isAsked && settings.spotHandling !== 'MapTo')
      return throughAlternate(space, settings.spotHandling === 'ToProcess');
    const [first] = space.names;
    const mappedTo =
      isAsked && settings.mapTo !== '' && space.family === 'Separation'
        ? Buffer.from(settings.mapTo, 'utf8').toString('latin1')
        : first;
    // The ink stays; what stands for it on other devices is converted.
    const alternate = map(space.alternate);
    if (!alternate && mappedTo === first) return null;
    const value = alternate?.value ?? alternateValue(space.alternate);
    const tint = !alternate || alternate.isSameValues ? space.tint : convertedTint(deps.edit, space, alternate);
    if (value === null || tint === null) return null;
    const attributes = space.family === 'DeviceN' && space.attributes ? [space.attributes] : [];
    return sameValues(
      space,
      space.family === 'Separation'
        ? [pdfName('Separation'), pdfName(mappedTo ?? 'None'), value, tint]
        : [pdfName('DeviceN'), space.names.map((name) => pdfName(name)), value, tint, ...attributes],
    );
  };

  const sameValues = (space: ColorSpace, value: SpaceMap['value']): SpaceMap => ({
    value: pdfRef(deps.edit.add(value)),
    device: null,
    components: space.components,
    isSameValues: true,
    convert: (values) => [...values],
  });

  /** An ink in the colours that stand for it; as process colour, whatever they are. */
  const throughAlternate = (space: InkSpace, isToProcess: boolean): SpaceMap | null => {
    const { alternate } = space;
    const source = isToProcess ? sourceOf(alternate) : null;
    const target = (source === null ? map(alternate) : converted(alternate, source)) ?? unchanged(alternate);
    return target && through(target, tintOf(deps.file, space));
  };

  const profileFor = (space: ColorSpace, source: Source): ProfileRef | 'Lab' => {
    if (space.family === 'Lab' || space.family === 'CalRGB' || space.family === 'CalGray') return 'Lab';
    if (
      space.family === 'ICCBased' &&
      (isRgb(source) ? settings.useEmbeddedProfile : source === 'ICCCMYK' ? settings.useEmbeddedCmykProfile : true)
    ) {
      const bytes = deps.file.stream(space.profile);
      if (isUsable(deps.colour, bytes)) return bytes;
    }
    if (isRgb(source)) return profileOf(settings.assumedSource.RGB, 'srgb');
    if (isGrey(source)) return profileOf(settings.assumedSource.Gray, 'gray');
    return profileOf(settings.assumedSource.CMYK, settings.target === 'CMYK' ? destination : defaultCmykProfile);
  };

  /** Black stays black, greys stay grey, the press's own primaries stay pure. */
  const preserved = (space: ColorSpace, source: Source, values: readonly number[]): number[] | null => {
    if (isInk(source)) return preservedInks(values);
    if (settings.target !== 'CMYK') return null;
    if (isRgb(source)) {
      const [r = 0, g = 0, b = 0] = values;
      const isNeutral = Math.max(r, g, b) - Math.min(r, g, b) < 1 / 512;
      if (isNeutral && (r < 1 / 512 ? settings.preserve.pureK : settings.preserve.neutralToK))
        return [0, 0, 0, greys.ofRgb(r)];
      return null;
    }
    if (source === 'Lab' && space.family === 'Lab') {
      const [l = 0, a = 0, b = 0] = values;
      return settings.preserve.neutralToK && Math.hypot(a, b) < 0.5 ? [0, 0, 0, greys.ofLightness(l)] : null;
    }
    return null;
  };

  const preservedInks = (values: readonly number[]): number[] | null => {
    const [, , , k = 0] = values;
    const inked = values.filter((value) => value > 0.002).length;
    const isBlack = k > 0.002 && inked === 1 && settings.preserve.pureK;
    if (settings.target === 'CMYK')
      return isBlack || (k <= 0.002 && inked <= 1 && settings.preserve.pureCMY) ? [...values] : null;
    // Black alone is what grey prints with; of RGB its full tone is black, as a press has none blacker.
    if (settings.target === 'Gray') return isBlack ? [1 - k] : null;
    return isBlack && k > 0.998 ? [0, 0, 0] : null;
  };

  function map(space: ColorSpace): SpaceMap | null {
    const found = known.get(space);
    if (found !== undefined) return found;
    const made = make(space);
    known.set(space, made);
    return made;
  }

  return (space, isInMask) => {
    if (!isInMask || settings.objects.includes('softMask')) return map(space);
    const found = masks.get(space);
    if (found !== undefined) return found;
    // What counts in a mask is luminosity: grey says it exactly.
    const source = sourceOf(space);
    const made: SpaceMap | null =
      source !== null && isRgb(source) && settings.sources.includes(source)
        ? {
            value: pdfName('DeviceGray'),
            device: { ...devices.Gray.operators },
            components: 1,
            isSameValues: false,
            convert: (values) => [clamp(luminosity(values))],
          }
        : map(space);
    masks.set(space, made);
    return made;
  };
}

/** Where `target` goes, from values that `first` makes into those of its source. */
const through = (
  { value, device, components, convert }: SpaceMap,
  first: (values: readonly number[]) => number[],
): SpaceMap => ({ value, device, components, isSameValues: false, convert: (values) => convert(first(values)) });

/** The numbers of another space, taken as those of a device's. */
const sameNumbers = (key: keyof typeof devices): SpaceMap => ({
  value: pdfName(devices[key].name),
  device: { ...devices[key].operators },
  components: devices[key].components,
  isSameValues: true,
  convert: (values) => values.map(clamp),
});

/** The space as it is; null for one that cannot be said again. */
function unchanged(space: ColorSpace): SpaceMap | null {
  const key = (Object.keys(devices) as (keyof typeof devices)[]).find((name) => devices[name].name === space.family);
  if (key) return sameNumbers(key);
  const value = alternateValue(space);
  if (value === null) return null;
  return { value, device: null, components: space.components, isSameValues: true, convert: (values) => [...values] };
}

function isUsable(colour: ColourService, bytes: Uint8Array): boolean {
  try {
    return colour.facts(bytes).model !== null;
  } catch {
    // A damaged profile: the colour counts as what its components say.
    return false;
  }
}

/** CalRGB and CalGray as Lab, as their matrices and gammas say (ISO 32000-1, 8.6.5.2 and 3). */
function calibrated({ file }: Deps, space: ColorSpace, values: readonly number[]): number[] {
  if (space.family !== 'CalRGB' && space.family !== 'CalGray') return [...values];
  const list = (key: string, fallback: number[]): number[] => {
    const value = space.dict ? file.entry(space.dict, key) : null;
    return Array.isArray(value) && value.every((entry) => typeof entry === 'number') ? (value as number[]) : fallback;
  };
  const white = list('WhitePoint', [0.9505, 1, 1.089]);
  let xyz: number[];
  if (space.family === 'CalGray') {
    const gamma = space.dict ? file.entry(space.dict, 'Gamma') : null;
    const level = clamp(values[0] ?? 0) ** (typeof gamma === 'number' ? gamma : 1);
    xyz = white.map((part) => part * level);
  } else {
    const gamma = list('Gamma', [1, 1, 1]);
    const matrix = list('Matrix', [1, 0, 0, 0, 1, 0, 0, 0, 1]);
    const abc = [0, 1, 2].map((index) => clamp(values[index] ?? 0) ** (gamma[index] ?? 1));
    xyz = [0, 1, 2].map(
      (row) =>
        (abc[0] ?? 0) * (matrix[row] ?? 0) +
        (abc[1] ?? 0) * (matrix[row + 3] ?? 0) +
        (abc[2] ?? 0) * (matrix[row + 6] ?? 0),
    );
  }
  // Relative to its own white: media-relative, as the connection space is.
  const f = (t: number): number => (t > 216 / 24389 ? Math.cbrt(t) : ((24389 / 27) * t + 16) / 116);
  const [x = 0, y = 0, z = 0] = xyz.map((part, index) => f(part / (white[index] || 1)));
  return [116 * y - 16, 500 * (x - y), 200 * (y - z)];
}

/** Total ink: the chromatic inks give way, black stays. */
function limited(inks: number[], settings: Settings): number[] {
  if (settings.maxInk === null || inks.length !== 4) return inks;
  const [c = 0, m = 0, y = 0, k = 0] = inks;
  const chromatic = c + m + y;
  const room = settings.maxInk / 100 - k;
  const share = chromatic > room && chromatic > 0 ? room / chromatic : 1;
  return [c * share, m * share, y * share, k];
}

/** The table is made for the first image: colours that stand in no image need none. */
function pixelTable(deps: Deps, conversion: Conversion, components: number, settings: Settings): ConvertPixels {
  let table: ConvertPixels | null = null;
  return (pixels, out) => {
    table ??= createPixelTable((grid) => {
      const exact = deps.colour.convertColours(grid, conversion);
      if (settings.maxInk !== null && components === 4)
        for (let at = 0; at < exact.length; at += 4) exact.set(limited([...exact.subarray(at, at + 4)], settings), at);
      return exact;
    }, components);
    return table(pixels, out);
  };
}

const rampSteps = 256;

/** Tints of black that are as light as a grey: both seen on their own paper, darkest against darkest. */
function createGreys(colour: ColourService, destination: ProfileRef, settings: Settings) {
  let ramp: number[] | null = null;
  const rampOf = (): number[] => {
    ramp ??= Array.from(
      { length: rampSteps + 1 },
      (_, step) =>
        colour.convert([0, 0, 0, step / rampSteps], {
          from: destination,
          to: 'Lab',
          intent: 'relative',
          blackPointCompensation: false,
        })[0] ?? 0,
    );
    return ramp;
  };
  const ofLightness = (lightness: number): number => {
    const lightnesses = rampOf();
    const darkest = lightnesses.at(-1) ?? 0;
    const wanted = darkest + (lightness / 100) * ((lightnesses[0] ?? 100) - darkest);
    const step = lightnesses.findIndex((value) => value <= wanted + 1e-9);
    if (step <= 0) return step === 0 ? 0 : 1;
    const [above = 0, below = 0] = [lightnesses[step - 1], lightnesses[step]];
    return clamp((step - 1 + (above === below ? 0 : (above - wanted) / (above - below))) / rampSteps);
  };
  return {
    ofLightness,
    ofRgb: (level: number): number =>
      level < 1 / 512
        ? 1
        : level > 511 / 512
          ? 0
          : ofLightness(
              colour.convert([level, level, level], {
                from: profileOf(settings.assumedSource.RGB, 'srgb'),
                to: 'Lab',
                intent: 'relative',
              })[0] ?? 0,
            ),
  };
}

function tintOf(file: PdfFile, space: InkSpace) {
  return (values: readonly number[]): number[] =>
    evaluate(file, space, values) ?? rangesOf(space.alternate).filter((_, index) => index % 2 === 0);
}
