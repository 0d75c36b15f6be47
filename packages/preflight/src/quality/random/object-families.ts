/** Rules of GWG 2022 about single objects, drawn from their wording. */
import { between, isDrawn, pick, type Random } from './chance.ts';
import type { Drawn, Family } from './family.ts';
import type { DrawnFile } from './file.ts';
import { placed } from './page.ts';
import {
  area,
  type Colour,
  cmyk,
  colourOf,
  deviceN,
  fontOf,
  gray,
  iccSpace,
  type Look,
  line,
  picture,
  separation,
  stateOf,
  text,
} from './things.ts';

const commercial = 'gwg2022-sheetcmyk-cmyk';
const spots = 'gwg2022-sheetspot-cmyk';
/** Ink below what is judged by its overlap. */
const under = '0.6 0.2 0 0.1 k';
/** Names of the reasons for breaking or keeping a rule. */
const told = (reasons: Record<string, unknown>): string =>
  Object.entries(reasons)
    .map(([name, value]) => `${name} ${typeof value === 'number' ? Number(value.toFixed(3)) : value}`)
    .join(', ');

const white: Record<string, (file: DrawnFile) => Colour> = {
  cmyk: () => cmyk(0, 0, 0, 0),
  spot: (file) => colourOf(file, separation('Gold', [0, 0.2, 0.8, 0.1]), [0]),
};
const nearWhite = () => cmyk(0.05, 0, 0, 0);
const inkOf: Record<string, (file: DrawnFile) => Colour> = {
  cmyk: () => cmyk(0, 0, 0, 1),
  separation: (file) => colourOf(file, separation('Black', [0, 0, 0, 1]), [1]),
};
/** Either side of a limit, never nearer than a hundredth of it. */
const beside = (random: Random, limit: number, isBelow: boolean): number =>
  isBelow ? between(random, limit * 0.4, limit * 0.98) : between(random, limit * 1.02, limit * 2.2);

function whiteOverprint(make: (file: DrawnFile, random: Random, look: Look) => ReturnType<typeof area>) {
  return (file: DrawnFile, random: Random): Drawn => {
    const kind = pick(random, Object.keys(white));
    const [isWhite, overprints, overlaps, isStroke] = [
      isDrawn(random, 0.8),
      isDrawn(random, 0.8),
      isDrawn(random, 0.8),
      isDrawn(random, 0.3),
    ];
    const colour = isWhite ? (white[kind]?.(file) ?? nearWhite()) : nearWhite();
    // What strokes has its own switch.
    const state = stateOf(
      file,
      `/${isStroke ? 'OP' : 'op'} ${overprints} /${isStroke ? 'op' : 'OP'} ${isDrawn(random, 0.5)} /OPM 1`,
    );
    const look = { state, ...(isStroke ? { stroke: colour } : { fill: colour }) };
    return placed(file, random, make(file, random, look), {
      breaks: isWhite && overprints && overlaps,
      about: told({ kind, isWhite, overprints, overlaps, isStroke }),
      ...(overlaps && { under }),
      margin: 20,
    });
  };
}

function blackKnocksOut(
  limit: number,
  make: (file: DrawnFile, random: Random, size: number, colour: Colour, look: Look) => ReturnType<typeof area>,
) {
  return (file: DrawnFile, random: Random): Drawn => {
    const kind = pick(random, Object.keys(inkOf));
    const [isSmall, isBlack, overlaps] = [isDrawn(random, 0.8), isDrawn(random, 0.85), isDrawn(random, 0.85)];
    const mode = pick(random, ['knocksOut', 'knocksOut', 'opm0', 'overprints', 'multiply']);
    const size = beside(random, limit, isSmall);
    const colour = isBlack ? (inkOf[kind]?.(file) ?? cmyk(0, 0, 0, 1)) : cmyk(0, 0, 0, 0.8);
    const entries =
      {
        knocksOut: '/OP false /op false',
        opm0: '/OP true /op true /OPM 0',
        overprints: '/OP true /op true /OPM 1',
        multiply: '/OP false /op false /BM /Multiply',
      }[mode] ?? '';
    const look: Look = { state: stateOf(file, entries), isTransparent: mode === 'multiply' };
    // The overprint mode is about DeviceCMYK only.
    const doesKnockOut = mode === 'knocksOut' || (mode === 'opm0' && kind === 'cmyk');
    return placed(file, random, make(file, random, size, colour, look), {
      breaks: isSmall && isBlack && overlaps && doesKnockOut,
      about: told({ kind, mode, size, isBlack, overlaps }),
      ...(overlaps && { under }),
      without: ['softMask', 'group', 'isolatedGroup'],
      margin: size + 2,
    });
  };
}

function grayBlack(
  limit: number,
  make: (file: DrawnFile, random: Random, size: number, colour: Colour) => ReturnType<typeof area>,
) {
  return (file: DrawnFile, random: Random): Drawn => {
    const [isSmall, isGray, isBlack] = [isDrawn(random, 0.8), isDrawn(random, 0.8), isDrawn(random, 0.8)];
    const size = beside(random, limit, isSmall);
    const colour = isGray ? gray(isBlack ? 0 : 0.4) : cmyk(0, 0, 0, isBlack ? 1 : 0.6);
    return placed(file, random, make(file, random, size, colour), {
      breaks: isSmall && isGray && isBlack,
      about: told({ size, isGray, isBlack }),
      under,
      without: ['softMask'],
      margin: size + 2,
    });
  };
}

const inkColours: Record<string, { inks: number; make: (file: DrawnFile) => Colour }> = {
  k: { inks: 1, make: () => cmyk(0, 0, 0, 0.7) },
  gray: { inks: 1, make: () => gray(0.3) },
  spot: { inks: 1, make: (file) => colourOf(file, separation('Gold', [0, 0.2, 0.8, 0.1]), [0.8]) },
  oneOfTwo: { inks: 1, make: (file) => colourOf(file, deviceN(file, ['Gold', 'Black']), [0, 0.8]) },
  cy: { inks: 2, make: () => cmyk(0.4, 0, 0.4, 0) },
  rich: { inks: 4, make: () => cmyk(0.4, 0.3, 0.3, 0.9) },
  twoOfTwo: { inks: 2, make: (file) => colourOf(file, deviceN(file, ['Gold', 'Black']), [0.5, 0.8]) },
};
function severalInks(
  limit: number,
  make: (file: DrawnFile, random: Random, size: number, colour: Colour) => ReturnType<typeof area>,
) {
  return (file: DrawnFile, random: Random): Drawn => {
    const kind = pick(random, Object.keys(inkColours));
    const { inks, make: colour } = inkColours[kind] ?? { inks: 1, make: () => gray(0) };
    const size = beside(random, limit, isDrawn(random, 0.6));
    return placed(file, random, make(file, random, size, colour(file)), {
      breaks: inks > 1 && size < limit,
      about: told({ kind, size }),
      margin: size + 2,
    });
  };
}
function smallWhite(
  limit: number,
  make: (file: DrawnFile, random: Random, size: number, colour: Colour) => ReturnType<typeof area>,
) {
  return (file: DrawnFile, random: Random): Drawn => {
    const kind = pick(random, ['cmyk', 'gray', 'spot', 'not']);
    const colour = kind === 'gray' ? gray(1) : (white[kind]?.(file) ?? cmyk(0, 0, 0, 0.5));
    const size = beside(random, limit, isDrawn(random, 0.6));
    return placed(file, random, make(file, random, size, colour), {
      breaks: kind !== 'not' && size < limit,
      about: told({ kind, size }),
      under,
      margin: size + 2,
    });
  };
}

const ofText = (file: DrawnFile, random: Random, size: number, colour: Colour, look: Look = {}) =>
  text(file, random, size, { ...look, fill: colour });
const ofLine = (_: DrawnFile, random: Random, width: number, colour: Colour, look: Look = {}) =>
  line(random, width, { ...look, colour });

/** A picture of noise, at a resolution on paper; the lower of both axes counts. */
function resolution(oneBit: boolean, limit: number) {
  return (file: DrawnFile, random: Random): Drawn => {
    const isLow = isDrawn(random, 0.6);
    const ppi = isLow ? between(random, limit * 0.3, limit - 1) : between(random, limit + 1.5, limit * 1.8);
    const isTiny = isDrawn(random, 0.1);
    const columns = isTiny ? 16 : 32 + Math.floor(random() * 60);
    const rows = isTiny ? 16 : 32 + Math.floor(random() * 60);
    const other = ppi * between(random, 1, 1.5);
    const [across, up] = isDrawn(random, 0.5) ? [ppi, other] : [other, ppi];
    const kind = oneBit ? pick(random, ['gray1', 'mask']) : pick(random, ['gray', 'cmyk', 'indexed', 'spot']);
    const kinds: Record<string, [entries: string, bytes: number]> = {
      gray1: ['/ColorSpace /DeviceGray /BitsPerComponent 1', Math.ceil(columns / 8) * rows],
      mask: ['/ImageMask true /BitsPerComponent 1', Math.ceil(columns / 8) * rows],
      gray: ['/ColorSpace /DeviceGray /BitsPerComponent 8', columns * rows],
      cmyk: ['/ColorSpace /DeviceCMYK /BitsPerComponent 8', columns * rows * 4],
      indexed: ['/ColorSpace [/Indexed /DeviceCMYK 1 <0000000080402010>] /BitsPerComponent 8', columns * rows],
      spot: [`/ColorSpace ${separation('Gold', [0, 0.2, 0.8, 0.1])} /BitsPerComponent 8`, columns * rows],
    };
    const [entries, bytes] = kinds[kind] ?? ['', 0];
    const data = Uint8Array.from({ length: bytes }, () =>
      kind === 'indexed' ? Math.floor(random() * 2) : 1 + Math.floor(random() * 254),
    );
    const thing = picture(file, { columns, rows, entries, data }, (columns * 72) / across, (rows * 72) / up);
    return placed(file, random, kind === 'mask' ? { ...thing, state: '0 0 0 0.8 k' } : thing, {
      breaks: isLow && !isTiny,
      about: told({ kind, ppi, columns, rows }),
      margin: 2,
    });
  };
}

const spaces: Record<string, { source: (file: DrawnFile) => string; values: number[]; isDevice: boolean }> = {
  DeviceCMYK: { source: () => '/DeviceCMYK', values: [0.2, 0.4, 0, 0.1], isDevice: true },
  DeviceGray: { source: () => '/DeviceGray', values: [0.4], isDevice: true },
  Separation: { source: () => separation('Gold', [0, 0.2, 0.8, 0.1]), values: [0.7], isDevice: true },
  IndexedCMYK: { source: () => '[/Indexed /DeviceCMYK 1 <1000000080402010>]', values: [1], isDevice: true },
  DeviceRGB: { source: () => '/DeviceRGB', values: [0.2, 0.4, 0.6], isDevice: false },
  IndexedRGB: { source: () => '[/Indexed /DeviceRGB 1 <100000804020>]', values: [1], isDevice: false },
  CalRGB: { source: () => '[/CalRGB << /WhitePoint [0.95 1 1.09] >>]', values: [0.2, 0.4, 0.6], isDevice: false },
  Lab: {
    source: () => '[/Lab << /WhitePoint [0.96 1 0.82] /Range [-100 100 -100 100] >>]',
    values: [50, 20, 30],
    isDevice: false,
  },
  IccRGB: { source: (file) => iccSpace(file, 'RGB '), values: [0.2, 0.4, 0.6], isDevice: false },
  IccCMYK: { source: (file) => iccSpace(file, 'CMYK'), values: [0.2, 0.4, 0, 0.1], isDevice: false },
  IccGray: { source: (file) => iccSpace(file, 'GRAY'), values: [0.4], isDevice: false },
  SeparationOfRGB: {
    source: () =>
      '[/Separation /Gold /DeviceRGB << /FunctionType 2 /Domain [0 1] /N 1 /C0 [1 1 1] /C1 [0.8 0.7 0.2] >>]',
    values: [0.7],
    isDevice: false,
  },
};
/** An object of any kind in any colour space; which objects may have which is the rule's. */
function colourSpace(allows: (space: string, kind: string) => boolean | null) {
  const open = Object.keys(spaces)
    .flatMap((space) => ['text', 'area', 'picture'].map((kind) => [space, kind] as const))
    .filter(([space, kind]) => allows(space, kind) !== null);
  return (file: DrawnFile, random: Random): Drawn => {
    const [space, kind] = pick(random, open);
    const { source, values } = spaces[space] ?? { source: () => '/DeviceGray', values: [0] };
    const made = (): ReturnType<typeof area> => {
      if (kind === 'picture') {
        const components = space.startsWith('Indexed') ? 1 : values.length;
        const data = Uint8Array.from({ length: 400 * components }, () =>
          space.startsWith('Indexed') ? 1 : Math.floor(random() * 256),
        );
        return picture(
          file,
          { columns: 20, rows: 20, entries: `/ColorSpace ${source(file)} /BitsPerComponent 8`, data },
          60,
          50,
        );
      }
      const colour = colourOf(file, source(file), values);
      return kind === 'text'
        ? text(file, random, 14, { fill: colour })
        : area(random, isDrawn(random, 0.4) ? { stroke: colour } : { fill: colour });
    };
    return placed(file, random, made(), {
      breaks: allows(space, kind) === false,
      about: told({ space, kind }),
      margin: 16,
    });
  };
}

export const objectFamilies: readonly Family[] = [
  {
    rule: 'GWG2022:R0007',
    preset: commercial,
    wording: 'White text over ink overprints.',
    draw: whiteOverprint((file, random, look) => text(file, random, between(random, 6, 30), look)),
  },
  {
    rule: 'GWG2022:R0008',
    preset: commercial,
    wording: 'A white path over ink overprints.',
    draw: whiteOverprint((_, random, look) => area(random, look)),
  },
  {
    rule: 'GWG2022:R0009',
    preset: commercial,
    wording: 'Black text below 12 pt over ink knocks out, or overprints with overprint mode 0 in DeviceCMYK.',
    draw: blackKnocksOut(12, ofText),
  },
  {
    rule: 'GWG2022:R0010',
    preset: commercial,
    wording: 'A black line below 2 pt over ink knocks out, or overprints with overprint mode 0 in DeviceCMYK.',
    draw: blackKnocksOut(2, ofLine),
  },
  {
    rule: 'GWG2022:R0011',
    preset: commercial,
    wording: 'Text below 12 pt is black in DeviceGray.',
    draw: grayBlack(12, ofText),
  },
  {
    rule: 'GWG2022:R0012',
    preset: commercial,
    wording: 'A line below 2 pt is black in DeviceGray.',
    draw: grayBlack(2, ofLine),
  },
  {
    rule: 'GWG2022:R0013',
    preset: commercial,
    wording: 'An object in DeviceGray overprints.',
    draw: (file, random) => {
      const [isGray, overprints, isStroke, isText] = [
        isDrawn(random, 0.75),
        isDrawn(random, 0.75),
        isDrawn(random, 0.4),
        isDrawn(random, 0.5),
      ];
      const colour = isGray ? gray(between(random, 0.1, 0.8)) : cmyk(0, 0, 0, between(random, 0.2, 0.9));
      const state = stateOf(
        file,
        `/${isStroke ? 'OP' : 'op'} ${overprints} /${isStroke ? 'op' : 'OP'} ${isDrawn(random, 0.5)} /OPM 1`,
      );
      const look = { state, ...(isStroke ? { stroke: colour } : { fill: colour }) };
      const thing = isText ? text(file, random, 20, look) : area(random, look);
      return placed(file, random, thing, {
        breaks: isGray && overprints,
        about: told({ isGray, overprints, isStroke, isText }),
        under,
        margin: 22,
      });
    },
  },
  {
    rule: 'GWG2022:R0014',
    preset: commercial,
    wording: 'Visible text has a font called exactly Courier.',
    draw: (file, random) => {
      const name = pick(random, ['Courier', 'Courier', 'Courier-Bold', 'CourierStd', 'ABCDEF+Square']);
      return placed(file, random, text(file, random, 14, { fill: cmyk(0, 0, 0, 1) }, fontOf(file, name)), {
        breaks: name === 'Courier',
        about: name,
        isWithoutPlace: true,
      });
    },
  },
  {
    rule: 'GWG2022:R0015',
    preset: commercial,
    wording: 'Text with at least 85 % black has more than 280 % ink.',
    draw: (file, random) => {
      const [isBlack, isHeavy, isStroke] = [isDrawn(random, 0.7), isDrawn(random, 0.7), isDrawn(random, 0.3)];
      const k = isBlack ? between(random, 0.86, 1) : between(random, 0.5, 0.84);
      const sum = isHeavy ? between(random, 2.82, 3.4) : between(random, 1.2, 2.78);
      const each = (sum - k) / 3;
      const colour = cmyk(each * 1.1, each, each * 0.9, k);
      return placed(
        file,
        random,
        text(file, random, between(random, 5, 40), isStroke ? { stroke: colour } : { fill: colour }),
        { breaks: isBlack && isHeavy, about: told({ k, sum, isStroke }), margin: 42 },
      );
    },
  },
  { rule: 'GWG2022:R0016', preset: commercial, wording: 'White text on ink below 8 pt.', draw: smallWhite(8, ofText) },
  {
    rule: 'GWG2022:R0017',
    preset: commercial,
    wording: 'Text in several inks below 8 pt.',
    draw: severalInks(8, ofText),
  },
  {
    rule: 'GWG2022:R0018',
    preset: commercial,
    wording: 'A white line on ink below 0.25 pt.',
    draw: smallWhite(0.25, ofLine),
  },
  {
    rule: 'GWG2022:R0019',
    preset: commercial,
    wording: 'A line in several inks below 0.25 pt.',
    draw: severalInks(0.25, ofLine),
  },
  {
    rule: 'GWG2022:R0024',
    preset: spots,
    wording: 'The colour All is used by an object inside the trim.',
    draw: (file, random) => {
      const isAll = isDrawn(random, 0.7);
      const colour = isAll
        ? colourOf(file, separation('All', [1, 1, 1, 1]), [0.9])
        : colourOf(file, separation('Gold', [0, 0.2, 0.8, 0.1]), [0.9]);
      return placed(file, random, area(random, isDrawn(random, 0.5) ? { fill: colour } : { stroke: colour }), {
        breaks: isAll,
        about: told({ isAll }),
        margin: 8,
      });
    },
  },
  {
    rule: 'GWG2022:R0027',
    preset: commercial,
    wording:
      'An object has a colour space other than DeviceGray, DeviceCMYK and spot colours with these as alternates.',
    draw: colourSpace((space) => spaces[space]?.isDevice ?? false),
  },
  {
    rule: 'GWG2022:R0028',
    preset: 'gwg2022-sheetcmyk-cmyk-rgb',
    wording: 'As R0027, but pictures may be RGB with a profile.',
    draw: colourSpace((space, kind) =>
      kind === 'picture' && ['IccRGB', 'IndexedRGB', 'CalRGB', 'Lab'].includes(space)
        ? space === 'IccRGB'
          ? true
          : null
        : (spaces[space]?.isDevice ?? false),
    ),
  },
  {
    rule: 'GWG2022:R0029',
    preset: 'gwg2022-large-format-print',
    wording: 'As R0027, but pictures may have a profile.',
    draw: colourSpace((space, kind) =>
      kind === 'picture' && ['IccRGB', 'IccCMYK', 'IccGray', 'IndexedRGB', 'CalRGB', 'Lab'].includes(space)
        ? space.startsWith('Icc')
          ? true
          : null
        : (spaces[space]?.isDevice ?? false),
    ),
  },
  {
    rule: 'GWG2022:R0031',
    preset: commercial,
    wording: 'A picture has no more than 224 ppi; pictures up to 16 pixels aside.',
    draw: resolution(false, 224),
  },
  {
    rule: 'GWG2022:R0032',
    preset: commercial,
    wording: 'A picture of one bit has no more than 799 ppi; pictures up to 16 pixels aside.',
    draw: resolution(true, 799),
  },
];
