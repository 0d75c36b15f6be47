import { inkNameOf } from '../colour/ink-names.ts';
import type { PdfFile } from '../open/pdf-file.ts';
import {
  isArray,
  isDict,
  isName,
  isRef,
  isString,
  type PdfArray,
  type PdfDict,
  type PdfValue,
} from '../open/values.ts';
import type { ColorSpace, DeviceFamily } from './types.ts';

/** The device colour spaces (ISO 32000-1, 8.6.4). */
export const deviceSpaces: Readonly<Record<DeviceFamily, ColorSpace>> = {
  DeviceGray: { family: 'DeviceGray', components: 1, object: 0 },
  DeviceRGB: { family: 'DeviceRGB', components: 3, object: 0 },
  DeviceCMYK: { family: 'DeviceCMYK', components: 4, object: 0 },
};

/** Device spaces by their names and by the abbreviations used in inline images (ISO 32000-1, table 94). */
const deviceNames: Readonly<Record<string, DeviceFamily>> = {
  DeviceGray: 'DeviceGray',
  G: 'DeviceGray',
  DeviceRGB: 'DeviceRGB',
  RGB: 'DeviceRGB',
  DeviceCMYK: 'DeviceCMYK',
  CMYK: 'DeviceCMYK',
};
const defaultKeys: Readonly<Record<DeviceFamily, string>> = {
  DeviceGray: 'DefaultGray',
  DeviceRGB: 'DefaultRGB',
  DeviceCMYK: 'DefaultCMYK',
};
const deviceByComponents: Readonly<Record<number, DeviceFamily>> = { 1: 'DeviceGray', 3: 'DeviceRGB', 4: 'DeviceCMYK' };

/** Limit for nested spaces. Indexed over DeviceN over ICCBased with an alternate already is unusual. */
const maxDepth = 8;

/** Resolves the colour spaces of one file (ISO 32000-1, 8.6). */
export interface ColorSpaces {
  /**
   * The space named by a `cs` operand, an image or a shading, after applying DefaultGray, DefaultRGB and DefaultCMYK.
   */
  read: (value: PdfValue | undefined, resources: PdfDict | null) => ColorSpace;
  /** The device space, or the Default* space that replaces it (ISO 32000-1, 8.6.5.6). */
  device: (family: DeviceFamily, resources: PdfDict | null) => ColorSpace;
}

/**
 * Creates the reader for a file; each indirect colour space is parsed once.
 * One function, because the parsers call each other recursively and share the caches; splitting would pass both
 * everywhere.
 */
export function createColorSpaces(file: PdfFile): ColorSpaces {
  const byObject = new Map<number, ColorSpace>();
  const defaults = new WeakMap<PdfDict, Map<DeviceFamily, ColorSpace>>();
  const byName = new WeakMap<PdfDict, Map<string, ColorSpace>>();

  const device = (family: DeviceFamily, resources: PdfDict | null): ColorSpace => {
    if (!resources) return deviceSpaces[family];
    let known = defaults.get(resources);
    if (!known) {
      known = new Map();
      defaults.set(resources, known);
    }
    let space = known.get(family);
    if (!space) {
      space = findDefault(family, resources);
      known.set(family, space);
    }
    return space;
  };
  const findDefault = (family: DeviceFamily, resources: PdfDict): ColorSpace => {
    const spaces = file.entry(resources, 'ColorSpace');
    const value = isDict(spaces) ? spaces.map.get(defaultKeys[family]) : undefined;
    if (value === undefined) return deviceSpaces[family];
    const space = parse(value, null, 0);
    // A Default* space must have as many components and must not be Pattern, Indexed or a device space (ISO 32000-1,
    // 8.6.5.6).
    if (space.components !== deviceSpaces[family].components || !('substitutes' in space)) return deviceSpaces[family];
    return { ...space, substitutes: family };
  };

  const read = (value: PdfValue | undefined, resources: PdfDict | null): ColorSpace => {
    const direct = isRef(value) ? file.resolve(value) : (value ?? null);
    if (!isName(direct)) return parse(value, resources, 0);
    const family = deviceNames[direct.name];
    if (family && direct.name === family) return device(family, resources);
    const named = readNamed(direct.name, resources);
    return named ?? (family ? device(family, resources) : parse(direct, resources, 0));
  };
  const readNamed = (name: string, resources: PdfDict | null): ColorSpace | null => {
    const spaces = resources && file.entry(resources, 'ColorSpace');
    if (!isDict(spaces)) return null;
    let known = byName.get(spaces);
    if (!known) {
      known = new Map();
      byName.set(spaces, known);
    }
    const cached = known.get(name);
    if (cached) return cached;
    const value = spaces.map.get(name);
    if (value === undefined) return null;
    const target = file.resolve(value);
    const family = isName(target) ? deviceNames[target.name] : undefined;
    const space = family ? device(family, resources) : parse(value, null, 0);
    known.set(name, space);
    return space;
  };

  const parse = (value: PdfValue | undefined, resources: PdfDict | null, depth: number): ColorSpace => {
    if (isRef(value)) {
      const known = byObject.get(value.num);
      if (known) return known;
      const space = parseResolved(file.resolve(value), resources, depth, value.num);
      byObject.set(value.num, space);
      return space;
    }
    return parseResolved(value ?? null, resources, depth, 0);
  };

  const parseResolved = (value: PdfValue, resources: PdfDict | null, depth: number, object: number): ColorSpace => {
    if (depth > maxDepth) return unknown(object);
    if (isName(value)) {
      const family = deviceNames[value.name];
      if (family) return deviceSpaces[family];
      if (value.name === 'Pattern') return { family: 'Pattern', components: 0, object, underlying: null };
      return (resources && readNamed(value.name, resources)) ?? unknown(object);
    }
    // A stream without the array around it is read as an ICC profile, as other PDF readers do.
    if (isDict(value)) return value.stream ? iccBased(value, value.stream, object, depth) : unknown(object);
    if (!isArray(value)) return unknown(object);
    const family = file.resolve(value[0]);
    const parser = isName(family) ? parsers[family.name] : undefined;
    return parser ? parser(value, object, depth, resources) : unknown(object);
  };

  const numbers = (value: PdfValue | undefined): number[] => {
    const list = file.resolve(value);
    return isArray(list) ? list.map((entry) => Number(file.resolve(entry))).filter(Number.isFinite) : [];
  };
  const dictAt = (array: PdfArray, index: number): PdfDict | null => {
    const dict = file.resolve(array[index]);
    return isDict(dict) ? dict : null;
  };
  const inner = (value: PdfValue | undefined, resources: PdfDict | null, depth: number): ColorSpace =>
    parse(value, resources, depth + 1);

  const iccBased = (dict: PdfDict, profile: number, object: number, depth: number): ColorSpace => {
    const declared = file.entry(dict, 'N');
    const alternateValue = dict.map.get('Alternate');
    const alternate = alternateValue === undefined ? null : inner(alternateValue, null, depth);
    const components =
      typeof declared === 'number' && declared >= 1 && declared <= 15 ? declared : (alternate?.components ?? 3);
    const family = deviceByComponents[components];
    const matching = alternate && alternate.components === components ? alternate : null;
    return {
      family: 'ICCBased',
      components,
      object,
      profile,
      alternate: matching ?? (family ? deviceSpaces[family] : unknown(0)),
      substitutes: null,
    };
  };

  type Parser = (array: PdfArray, object: number, depth: number, resources: PdfDict | null) => ColorSpace;
  const device1 =
    (family: DeviceFamily): Parser =>
    () =>
      deviceSpaces[family];
  const indexed: Parser = (array, object, depth, resources) => {
    const base = inner(array[1], resources, depth);
    const hival = Number(file.resolve(array[2]));
    return {
      family: 'Indexed',
      components: 1,
      object,
      base,
      hival: Number.isFinite(hival) ? Math.max(0, Math.min(255, Math.floor(hival))) : 0,
      lookup: bytesOf(array[3]),
    };
  };
  const bytesOf = (value: PdfValue | undefined): Uint8Array => {
    const table = file.resolve(value);
    if (isString(table)) return table.bytes;
    return isDict(table) && table.stream ? file.stream(table.stream) : new Uint8Array(0);
  };
  const pattern: Parser = (array, object, depth, resources) => {
    const underlying = array.length > 1 ? inner(array[1], resources, depth) : null;
    return { family: 'Pattern', components: underlying?.components ?? 0, object, underlying };
  };
  const parsers: Readonly<Record<string, Parser>> = {
    DeviceGray: device1('DeviceGray'),
    G: device1('DeviceGray'),
    DeviceRGB: device1('DeviceRGB'),
    RGB: device1('DeviceRGB'),
    DeviceCMYK: device1('DeviceCMYK'),
    CMYK: device1('DeviceCMYK'),
    CalCMYK: device1('DeviceCMYK'),
    CalGray: (array, object) => ({
      family: 'CalGray',
      components: 1,
      object,
      dict: dictAt(array, 1),
      substitutes: null,
    }),
    CalRGB: (array, object) => ({ family: 'CalRGB', components: 3, object, dict: dictAt(array, 1), substitutes: null }),
    Lab: (array, object) => {
      const dict = dictAt(array, 1);
      const [a0 = -100, a1 = 100, b0 = -100, b1 = 100] = numbers(dict?.map.get('Range'));
      return { family: 'Lab', components: 3, object, dict, range: [a0, a1, b0, b1], substitutes: null };
    },
    ICCBased: (array, object, depth) => {
      const stream = file.resolve(array[1]);
      return isDict(stream) ? iccBased(stream, stream.stream, object, depth) : unknown(object);
    },
    Indexed: indexed,
    I: indexed,
    Separation: (array, object, depth, resources) => ({
      family: 'Separation',
      components: 1,
      object,
      names: [inkNameOf(nameOf(file.resolve(array[1])))],
      written: [nameOf(file.resolve(array[1]))],
      alternate: inner(array[2], resources, depth),
      tint: array[3] ?? null,
      substitutes: null,
    }),
    DeviceN: (array, object, depth, resources) => {
      const list = file.resolve(array[1]);
      const written = isArray(list) ? list.map((entry) => nameOf(file.resolve(entry))) : [];
      return {
        family: 'DeviceN',
        components: written.length,
        object,
        names: written.map(inkNameOf),
        written,
        alternate: inner(array[2], resources, depth),
        tint: array[3] ?? null,
        attributes: dictAt(array, 4),
        substitutes: null,
      };
    },
    Pattern: pattern,
  };
  return { read, device };
}

const nameOf = (value: PdfValue): string => (isName(value) ? value.name : '');

const unknown = (object: number): ColorSpace => ({ family: 'Unknown', components: 1, object });

/** The initial colour of a space (ISO 32000-1, 8.6.8, operator CS). */
export function initialValues(space: ColorSpace): readonly number[] {
  switch (space.family) {
    case 'DeviceCMYK':
      return [0, 0, 0, 1];
    case 'Separation':
    case 'DeviceN':
      return new Array<number>(space.components).fill(1);
    case 'ICCBased':
      return space.components === 4 ? [0, 0, 0, 1] : new Array<number>(space.components).fill(0);
    case 'Pattern':
      return [];
    default:
      return new Array<number>(space.components).fill(0);
  }
}

const processNames: Readonly<Record<string, readonly string[]>> = {
  DeviceGray: ['Black'],
  DeviceCMYK: ['Cyan', 'Magenta', 'Yellow', 'Black'],
};

/**
 * Names of the inks that a space addresses directly: process inks and spot inks. Empty for spaces that are converted
 * first.
 */
export function colorantsOf(space: ColorSpace): readonly string[] {
  switch (space.family) {
    case 'Separation':
    case 'DeviceN':
      return space.names;
    case 'Indexed':
      return colorantsOf(space.base);
    case 'Pattern':
      return space.underlying ? colorantsOf(space.underlying) : [];
    case 'ICCBased':
      return processNames[space.substitutes ?? ''] ?? (space.components === 4 ? (processNames.DeviceCMYK ?? []) : []);
    default:
      return processNames[space.family] ?? [];
  }
}
