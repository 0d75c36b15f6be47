/** Which space becomes what, and by which conversion. */
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
import { nameMatcher } from '../frame/blacks.ts';
import { intentProfile } from '../frame/output-intent.ts';
import { convertedTint } from '../frame/recolour/shadings.ts';
import { clamp, luminosity, type MapSpace, rangesOf, type SpaceMap } from '../frame/recolour/space-map.ts';
import { alternateValue, inkNameBytes } from '../frame/space-value.ts';
import { type FixContext, failed } from '../runner.ts';
import { convertedAttributes, processSpace } from './attributes.ts';
import { calibrated } from './calibrated.ts';
import { createGreys } from './greys.ts';
import { pixelTables } from './pixel-tables.ts';

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

/** What is converted to: as set, else the file's output intent, else the house's. Grey may be null: as the press prints black. */
function destinationOf(file: PdfFile, settings: Settings): ProfileRef | null {
  const house = { CMYK: defaultCmykProfile, Keep: defaultCmykProfile, RGB: defaultRgbProfile, Gray: null } as const;
  const own = intentProfile(file, deviceOf(settings).components) ?? house[settings.target];
  return settings.destinationProfile ? profileOf(settings.destinationProfile, defaultCmykProfile) : own;
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
  const intended = intentProfile(deps.file, devices.CMYK.components) ?? defaultCmykProfile;
  const press =
    settings.target === 'CMYK' && destination !== null ? destination : profileOf(settings.assumedSource.CMYK, intended);
  const known = new Map<ColorSpace, SpaceMap | null>();
  const masks = new Map<ColorSpace, SpaceMap | null>();
  const isWantedSpot = nameMatcher(settings.spotNames);
  const greys = createGreys(deps.colour, press);

  const make = (space: ColorSpace): SpaceMap | null => {
    if (space.family === 'Separation' || space.family === 'DeviceN')
      return isInTheWay(space) || isLight(space)
        ? throughAlternate(space, true)
        : (processMap(space) ?? spotMap(space));
    const source = sourceOf(space);
    const isAsked = settings.target !== 'Keep' && source !== null && settings.sources.includes(source);
    return source !== null && (isAsked || isInTheWay(space)) ? converted(space, source) : null;
  };

  /** Inks that the space itself calls components of RGB are RGB in other words; by their names alone they are spots. */
  const isLight = (space: InkSpace): boolean => {
    const given = space.family === 'DeviceN' ? space.attributes : null;
    const process = given && processSpace(deps.file, given, space.names);
    const source = process && sourceOf(process);
    return settings.target !== 'Keep' && source !== null && isRgb(source) && settings.sources.includes(source);
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
    const conversion: Conversion = {
      from: profileFor(space, source),
      to: destination ?? 'Lab',
      intent: settings.intent,
      blackPointCompensation: settings.blackPointCompensation,
    };
    /** From what the conversion gives to components of the target. */
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
          )
        : {};
    return {
      value: pdfName(device.name),
      device: { ...device.operators },
      components: device.components,
      isSameValues: false,
      convert,
      ...tables,
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
    const spots = space.names.filter((name) => ![...processInks, 'All', 'None'].includes(name));
    const isAsked = settings.spotHandling !== 'Keep' && spots.length > 0 && spots.every(isWantedSpot);
    if (isAsked && settings.spotHandling !== 'MapTo')
      return throughAlternate(space, settings.spotHandling === 'ToProcess');
    const names = isAsked && settings.mapTo !== '' ? mappedNames(space, spots) : space.written;
    // The ink stays; what stands for it on other devices is converted.
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

  /** Two inks cannot become one within a space: those stay. */
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

  /** An ink in the colours that stand for it; as process colour, whatever they are. */
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
    // A profile of grey that cannot be read: as good as any.
    if (isGrey(source)) return profileOf(settings.assumedSource.Gray, 'gray');
    return profileOf(settings.assumedSource.CMYK, press);
  };

  /** Values in what the conversion is from: colours that no profile describes are given as Lab. */
  const connected = (space: ColorSpace, values: readonly number[]): number[] => {
    if (space.family === 'CalRGB' || space.family === 'CalGray') return calibrated(deps.file, space, values);
    if (space.family !== 'DeviceGray' || settings.assumedSource.Gray !== null) return [...values];
    return [greys.lightnessOf(1 - (values[0] ?? 0)), 0, 0];
  };

  /** Black stays black, greys stay grey, the press's own primaries stay pure. */
  const preserved = (space: ColorSpace, source: Source, values: readonly number[]): number[] | null => {
    if (isInk(source)) return preservedInks(values);
    if (settings.target !== 'CMYK') return null;
    if (isRgb(source)) {
      const [r = 0, g = 0, b = 0] = values;
      const isNeutral = Math.max(r, g, b) - Math.min(r, g, b) < 1 / 512;
      if (isNeutral && (r < 1 / 512 ? settings.preserve.pureK : settings.preserve.neutralToK))
        return [0, 0, 0, inkOfRgb(r)];
      return null;
    }
    if (source === 'Lab' && space.family === 'Lab') {
      const [l = 0, a = 0, b = 0] = values;
      return settings.preserve.neutralToK && Math.hypot(a, b) < 0.5 ? [0, 0, 0, greys.inkOf(l)] : null;
    }
    return null;
  };

  const inkOfRgb = (level: number): number => {
    if (level < 1 / 512 || level > 511 / 512) return level < 0.5 ? 1 : 0;
    const from = profileOf(settings.assumedSource.RGB, defaultRgbProfile);
    return greys.inkOf(deps.colour.convert([level, level, level], { from, to: 'Lab', intent: 'relative' })[0] ?? 0);
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
    if (!isInMask || settings.target === 'Keep' || settings.objects.includes('softMask')) return map(space);
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
            convert: (values) => [luminosity(values)],
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

/** Total ink: the chromatic inks give way, black stays. */
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
