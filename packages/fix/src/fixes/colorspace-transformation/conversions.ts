/** Decides for each colour space how it is converted. */
import {
  type ColorSpace,
  type ColourService,
  type Conversion,
  defaultCmykProfile,
  defaultRgbProfile,
  evaluateTint as evaluate,
  isShippedProfile,
  type PdfEditor,
  type PdfFile,
  type ProfileRef,
  pdfDict,
  pdfName,
  pdfRef,
} from '@pdf2press/pdf';
import { nameMatcher } from '../../editing/blacks.ts';
import { intentProfile } from '../../editing/output-intent.ts';
import { convertedTint } from '../../editing/recolour/shadings.ts';
import { clamp, luminosity, type MapSpace, rangesOf, type SpaceMap } from '../../editing/recolour/space-map.ts';
import { alternateValue, inkNameBytes } from '../../editing/space-value.ts';
import { type FixContext, failed } from '../../kind/runner.ts';
import { convertedAttributes, processSpace } from './attributes.ts';
import { calibrated } from './calibrated.ts';
import type { colorspaceTransformation } from './contract.ts';
import { createGreys } from './greys.ts';
import { keptColours } from './kept-points.ts';
import { neutralLevel, rounding, withNeutralPixels } from './neutrals.ts';
import { pixelTables } from './pixel-tables.ts';

type InkSpace = Extract<ColorSpace, { family: 'Separation' | 'DeviceN' }>;
const processInks: readonly string[] = ['Cyan', 'Magenta', 'Yellow', 'Black'];

type Settings = FixContext<typeof colorspaceTransformation>['settings'];
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

/**
 * Destination profile: as set, else from the output intent, else the default one. Null for grey: tints of black as the
 * press prints them.
 */
function destinationOf(file: PdfFile, settings: Settings): ProfileRef | null {
  const house = { CMYK: defaultCmykProfile, Keep: defaultCmykProfile, RGB: defaultRgbProfile, Gray: null } as const;
  const own = intentProfile(file, deviceOf(settings).components) ?? house[settings.target];
  return settings.destinationProfile ? profileOf(settings.destinationProfile, defaultCmykProfile) : own;
}

const iccSources: Readonly<Record<number, Source>> = { 1: 'CalGray', 3: 'ICCRGB', 4: 'ICCCMYK' };

/** The source kind of a colour space; null for a space that is never a source. */
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

interface Deps {
  file: PdfFile;
  edit: PdfEditor;
  colour: ColourService;
  settings: Settings;
}

/**
 * Maps colour spaces for one run of the action; the answer for each space is cached. Long, because its functions call
 * each other recursively (an ink space converts its alternate space) and share the caches.
 */
export function createMapper(deps: Deps): MapSpace {
  const { settings } = deps;
  const destination = destinationOf(deps.file, settings);
  const intended = intentProfile(deps.file, devices.CMYK.components) ?? defaultCmykProfile;
  const press =
    settings.target === 'CMYK' && destination !== null ? destination : profileOf(settings.assumedSource.CMYK, intended);
  const known = new Map<ColorSpace, SpaceMap | null>();
  const masks = new Map<ColorSpace, SpaceMap | null>();
  const isWantedSpot = nameMatcher(settings.spotNames);
  const greys = createGreys(deps.colour, press, settings.preserve.keepLightness);
  const tolerance = settings.preserve.neutralTolerance / 100;

  const make = (space: ColorSpace): SpaceMap | null => {
    if (space.family === 'Separation' || space.family === 'DeviceN')
      return isInTheWay(space) || isLight(space)
        ? throughAlternate(space, true)
        : (processMap(space) ?? spotMap(space));
    const source = sourceOf(space);
    const isAsked = settings.target !== 'Keep' && source !== null && settings.sources.includes(source);
    return source !== null && (isAsked || isInTheWay(space)) ? converted(space, source) : null;
  };

  /**
   * A DeviceN space whose attributes declare its inks to be components of an RGB process space is treated as RGB. By
   * ink names alone they are spots.
   */
  const isLight = (space: InkSpace): boolean => {
    const given = space.family === 'DeviceN' ? space.attributes : null;
    const process = given && processSpace(deps.file, given, space.names);
    const source = process && sourceOf(process);
    return settings.target !== 'Keep' && source !== null && isRgb(source) && settings.sources.includes(source);
  };

  /** A default colour space for the target's device space would convert every colour again. */
  const isInTheWay = (space: ColorSpace): boolean =>
    settings.target !== 'Keep' && 'substitutes' in space && space.substitutes === deviceOf(settings).name;

  /** The conversion to the target; null for the target space itself. */
  const converted = (space: ColorSpace, source: Source): SpaceMap | null => {
    const device = deviceOf(settings);
    if (space.family === device.name) return null;
    if (source === 'ICCCMYK' && settings.target === 'CMYK' && !settings.useEmbeddedCmykProfile)
      return sameNumbers('CMYK');
    // Grey prints with black ink only. Images keep their values, because DeviceGray is printed on the black plate.
    if (isGrey(source) && settings.preserve.grayToK && settings.target === 'CMYK')
      return space.family === 'DeviceGray' ? null : sameNumbers('Gray');
    const conversion: Conversion = {
      from: profileFor(space, source),
      to: destination ?? 'Lab',
      intent: settings.intent,
      blackPointCompensation: settings.blackPointCompensation,
    };
    /** Converts output of the colour engine to components of the target. */
    const finish = (values: readonly number[]): number[] =>
      destination === null ? [1 - greys.inkOf(values[0] ?? 0)] : limited(values.map(clamp), settings);
    const convert = (values: readonly number[]): number[] => {
      const kept = preserved(space, source, values);
      return kept ? limited(kept, settings) : finish(deps.colour.convert(connected(space, values), conversion));
    };
    const tables =
      isRgb(source) && space.family !== 'CalRGB'
        ? pixelTables(
            (grid) => deps.colour.convertColours(grid, conversion),
            device.components,
            destination === null || settings.maxInk !== null ? finish : null,
            () => keptColours(conversion),
          )
        : null;
    const isBlackOnly = settings.target === 'CMYK' && settings.preserve.neutralPixelsToK;
    const pixels =
      tables && isBlackOnly ? withNeutralPixels(tables, tolerance, (level) => inkOfRgb(space, source, level)) : tables;
    return {
      value: pdfName(device.name),
      device: { ...device.operators },
      components: device.components,
      isSameValues: false,
      convert,
      ...pixels,
    };
  };

  /** Ink spaces of process inks only are treated as CMYK. They stay if the target is CMYK or CMYK is not a source. */
  const processMap = (space: InkSpace): SpaceMap | null => {
    if (!space.names.every((name) => name === 'None' || processInks.includes(name))) return null;
    const target = settings.target === 'CMYK' ? null : make({ family: 'DeviceCMYK', components: 4, object: 0 });
    const inksOf = (values: readonly number[]) => processInks.map((ink) => values[space.names.indexOf(ink)] ?? 0);
    return target && through(target, inksOf);
  };

  const spotMap = (space: InkSpace): SpaceMap | null => {
    const spots = space.names.filter((name) => ![...processInks, 'All', 'None'].includes(name));
    const isAsked = settings.spotHandling !== 'Keep' && spots.length > 0 && spots.every(isWantedSpot);
    if (isAsked && settings.spotHandling !== 'MapTo')
      return throughAlternate(space, settings.spotHandling === 'ToProcess');
    const names = isAsked && settings.mapTo !== '' ? mappedNames(space, spots) : space.written;
    // The ink stays; its alternate colour space is converted.
    const alternate = map(space.alternate);
    const given = space.family === 'DeviceN' ? space.attributes : null;
    const known = given && names !== space.written ? pdfDict({ Colorants: undefined }, given) : given;
    const made = known && convertedAttributes(deps.file, known, map);
    if (!alternate && names === space.written && made === given) return null;
    const value = alternate?.value ?? alternateValue(space.alternate);
    const tint = !alternate || alternate.isSameValues ? space.tint : convertedTint(deps.edit, space, alternate);
    if (value === null || tint === null) return null;
    return sameValues(
      space,
      space.family === 'Separation'
        ? [pdfName('Separation'), pdfName(names[0] ?? 'None'), value, tint]
        : [pdfName('DeviceN'), names.map((name) => pdfName(name)), value, tint, ...(made ? [made] : [])],
    );
  };

  /** Renames an ink, unless the space already has an ink of that name: two inks of a space cannot be merged. */
  const mappedNames = ({ written, names }: InkSpace, [spot, ...others]: readonly string[]): readonly string[] => {
    const to = inkNameBytes(settings.mapTo);
    if (others.length > 0 || written.includes(to)) return written;
    return written.map((name, index) => (names[index] === spot ? to : name));
  };

  const sameValues = (space: ColorSpace, value: SpaceMap['value']): SpaceMap => ({
    value: pdfRef(deps.edit.add(value)),
    device: null,
    components: space.components,
    isSameValues: true,
    convert: (values) => [...values],
  });

  /**
   * Converts inks by their alternate colours. For ToProcess the alternate is converted even if its space is not among
   * the sources.
   */
  const throughAlternate = (space: InkSpace, isToProcess: boolean): SpaceMap | null => {
    const { alternate } = space;
    const source = isToProcess ? sourceOf(alternate) : null;
    const target = (source === null ? map(alternate) : converted(alternate, source)) ?? unchanged(alternate);
    return target && through(target, tintOf(deps.file, space));
  };

  const profileFor = (space: ColorSpace, source: Source): ProfileRef | 'Lab' => {
    if (space.family === 'Lab' || space.family === 'CalRGB' || space.family === 'CalGray') return 'Lab';
    if (space.family === 'DeviceGray' && settings.assumedSource.Gray === null) return 'Lab';
    if (
      space.family === 'ICCBased' &&
      (isRgb(source) ? settings.useEmbeddedProfile : source === 'ICCCMYK' ? settings.useEmbeddedCmykProfile : true)
    ) {
      const bytes = deps.file.stream(space.profile);
      if (isUsable(deps.colour, bytes)) return bytes;
    }
    if (isRgb(source)) return profileOf(settings.assumedSource.RGB, defaultRgbProfile);
    // A grey profile that cannot be read is replaced by a default one.
    if (isGrey(source)) return profileOf(settings.assumedSource.Gray, 'gray');
    return profileOf(settings.assumedSource.CMYK, press);
  };

  /** Values in the source space of the conversion; colours without an ICC profile are passed as Lab. */
  const connected = (space: ColorSpace, values: readonly number[]): number[] => {
    if (space.family === 'CalRGB' || space.family === 'CalGray') return calibrated(deps.file, space, values);
    if (space.family !== 'DeviceGray' || settings.assumedSource.Gray !== null) return [...values];
    return [greys.lightnessOf(1 - (values[0] ?? 0)), 0, 0];
  };

  /** Colours that are not converted by profile: black, neutral greys, pure process inks. */
  const preserved = (space: ColorSpace, source: Source, values: readonly number[]): number[] | null => {
    if (isInk(source)) return preservedInks(values);
    if (settings.target !== 'CMYK') return null;
    if (isRgb(source)) {
      const [r = 0, g = 0, b = 0] = values;
      const level = neutralLevel(r, g, b, tolerance);
      if (level === null || !settings.preserve[level < rounding ? 'pureK' : 'neutralToK']) return null;
      return [0, 0, 0, inkOfRgb(space, source, level)];
    }
    if (source === 'Lab' && space.family === 'Lab') {
      const [l = 0, a = 0, b = 0] = values;
      return settings.preserve.neutralToK && Math.hypot(a, b) < 0.5 + 100 * tolerance
        ? [0, 0, 0, greys.inkOf(l)]
        : null;
    }
    return null;
  };

  /** Black ink of a grey level of an RGB space. */
  const inkOfRgb = (space: ColorSpace, source: Source, level: number): number => {
    if (level < rounding || level > 1 - rounding) return level < 0.5 ? 1 : 0;
    const from = profileFor(space, source);
    const grey = connected(space, [level, level, level]);
    return greys.inkOf(deps.colour.convert(grey, { from, to: 'Lab', intent: 'relative' })[0] ?? 0);
  };

  const preservedInks = (values: readonly number[]): number[] | null => {
    const [, , , k = 0] = values;
    const inked = values.filter((value) => value > 0.002).length;
    const isBlack = k > 0.002 && inked === 1 && settings.preserve.pureK;
    if (settings.target === 'CMYK')
      return isBlack || (k <= 0.002 && inked <= 1 && settings.preserve.pureCMY) ? [...values] : null;
    // Black alone prints like grey. In RGB only full black is preserved.
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
    if (!isInMask || settings.target === 'Keep' || settings.objects.includes('softMask')) return map(space);
    const found = masks.get(space);
    if (found !== undefined) return found;
    // Only the luminosity of a soft mask counts, and grey expresses it exactly.
    const source = sourceOf(space);
    const made: SpaceMap | null =
      source !== null && isRgb(source) && settings.sources.includes(source)
        ? {
            value: pdfName('DeviceGray'),
            device: { ...devices.Gray.operators },
            components: 1,
            isSameValues: false,
            convert: (values) => [luminosity(values)],
          }
        : map(space);
    masks.set(space, made);
    return made;
  };
}

/** A conversion that first transforms values with `first` and then converts them like `target`. */
const through = (
  { value, device, components, convert }: SpaceMap,
  first: (values: readonly number[]) => number[],
): SpaceMap => ({ value, device, components, isSameValues: false, convert: (values) => convert(first(values)) });

/** Takes the component values as those of a device space. */
const sameNumbers = (key: keyof typeof devices): SpaceMap => ({
  value: pdfName(devices[key].name),
  device: { ...devices[key].operators },
  components: devices[key].components,
  isSameValues: true,
  convert: (values) => values.map(clamp),
});

/** The space itself; null for one that cannot be written. */
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
    // With a damaged profile the colour is treated as a device colour with the same components.
    return false;
  }
}

/** Applies the total ink limit: cyan, magenta and yellow are reduced, black stays. */
function limited(inks: number[], settings: Settings): number[] {
  if (settings.maxInk === null || inks.length !== 4) return inks;
  const [c = 0, m = 0, y = 0, k = 0] = inks;
  const chromatic = c + m + y;
  const room = settings.maxInk / 100 - k;
  const share = chromatic > room && chromatic > 0 ? room / chromatic : 1;
  return [c * share, m * share, y * share, k];
}

function tintOf(file: PdfFile, space: InkSpace) {
  return (values: readonly number[]): number[] =>
    evaluate(file, space, values) ?? rangesOf(space.alternate).filter((_, index) => index % 2 === 0);
}
