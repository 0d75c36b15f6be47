/** What can be wrong with a print job, each drawn from what an expert would say of it, and what is right beside it. */
import type { Box } from '@pdf2press/contract';
import { mm } from '@pdf2press/settings';
import { drawnCode } from '../drawn-codes.ts';
import { pictureOfText } from '../drawn-text.ts';
import { jpegOf } from '../photo.ts';
import { between, isDrawn, num, pick, type Random } from '../random/chance.ts';
import { grown } from '../random/matrix.ts';
import type { Nesting, Thing } from '../random/nest.ts';
import {
  area,
  type Colour,
  cmyk,
  colourOf,
  text as drawnText,
  gray,
  type Look,
  picture,
  separation,
  stateOf,
} from '../random/things.ts';
import { type Job, type JobPage, type Needs, rectangle, type Side, sides } from './job.ts';

export type Level = 'Fail' | 'Warn';

/** What was done, and where. */
export interface Done {
  about: string;
  page: number | null;
}
export interface Fault {
  /** Rules of which one must tell it. */
  told: readonly string[];
  /** Rules that may tell it as well: the same thing seen from another side. */
  also?: readonly string[];
  /** Nothing where the job has no room for it. */
  plant: (job: Job, random: Random, needs: Needs) => Done | null;
}

const at = (value: number): string => `${Number(value.toFixed(2))}`;

/** An object in a free cell. */
function inCell(
  job: Job,
  random: Random,
  about: string,
  thing: Thing,
  nesting: Partial<Nesting> & { under?: string } = {},
): Done | null {
  const free = job.cell(random);
  if (!free) return null;
  const { under, ...rest } = nesting;
  if (under) job.put(free.page, { content: `q ${under} ${rectangle(grown(free.at, -1))} f Q`, uses: [] });
  const path = job.place(free.page, random, thing, free.middle, rest);
  return { about: `${about} in ${path}`, page: job.pages.indexOf(free.page) + 1 };
}

/** A line that fits into a cell, as a stroke or as a thin shape. */
function line(random: Random, width: number, colour: Colour, state?: ReturnType<typeof stateOf>): Thing {
  const isShape = isDrawn(random, 0.3);
  return {
    box: [0, -width / 2, 48, width / 2],
    state: [state?.operator, isShape ? colour.fill : colour.stroke].filter(Boolean).join(' '),
    uses: [...colour.uses, ...(state?.uses ?? [])],
    paint: (unit) =>
      isShape
        ? `0 ${num(-width / 2 / unit)} ${num(48 / unit)} ${num(width / unit)} re f`
        : `${num(width / unit)} w 0 0 m ${num(48 / unit)} 0 l S`,
  };
}

/** An area as high as wide. */
const square = (colour: Colour, side: number): Thing => ({
  box: [0, 0, side, side],
  state: colour.fill,
  uses: colour.uses,
  paint: (unit) => `0 0 ${num(side / unit)} ${num(side / unit)} re f`,
});

/** Tones as of a photograph, up to about 220 % of ink. */
function pixels(random: Random, count: number, components: number): Uint8Array {
  const [slow, phase] = [between(random, 40, 200), random() * 6];
  return Uint8Array.from({ length: count * components }, (_, i) =>
    Math.round(90 + 40 * Math.sin(i / slow / components + phase + (i % components)) + random() * 12),
  );
}
const spaceOf: Readonly<Record<string, readonly [name: string, components: number]>> = {
  cmyk: ['/DeviceCMYK', 4],
  gray: ['/DeviceGray', 1],
  rgb: ['/DeviceRGB', 3],
};
/** A picture at a resolution, larger in one direction than in the other. */
function photo(job: Job, random: Random, ppi: number, kind: string): Thing {
  const [name, components] = spaceOf[kind] ?? ['/DeviceCMYK', 4];
  // More than the sixteen pixels below which a picture counts as an ornament.
  const least = Math.max(26, (24 * 72) / ppi);
  const most = Math.max(least, 50);
  const [width, height] = [between(random, least, most), between(random, least, most)];
  const [columns, rows] = [Math.round((width * ppi) / 72), Math.round((height * ppi) / 72)];
  return picture(
    job.file,
    {
      columns,
      rows,
      entries: `/ColorSpace ${name} /BitsPerComponent 8`,
      data: pixels(random, columns * rows, components),
    },
    (columns * 72) / ppi,
    (rows * 72) / ppi,
  );
}

/** Text that fits into its cell. */
function text(job: Job, random: Random, size: number, look: Look, font = job.letters): Thing {
  for (;;) {
    const thing = drawnText(job.file, random, size, look, font);
    if (thing.box[2] - thing.box[0] <= job.room) return thing;
  }
}

const gold = (job: Job, value: number): Colour => colourOf(job.file, separation('Gold', [0, 0.2, 0.8, 0.1]), [value]);
const black = cmyk(0, 0, 0, 1);
const rgb = (...values: [number, number, number]): Colour => ({
  fill: `${values.map(num).join(' ')} rg`,
  stroke: `${values.map(num).join(' ')} RG`,
  uses: [],
});
const over = (job: Job) => stateOf(job.file, '/OP true /op true /OPM 1');
/** Overprint and opacity are not handed on to groups. */
const ofState = { without: ['softMask', 'group', 'isolatedGroup'] } as const;

const jpegs = new Map<number, Uint8Array>();
const jpegSide = 128;
/** Makes the pictures of every quality that is drawn: encoding takes its time and is done once. */
export async function encodeJpegs(): Promise<void> {
  for (const quality of [4, 7, 10, 22, 30, 40, 75, 85, 92])
    if (!jpegs.has(quality)) jpegs.set(quality, await jpegOf(jpegSide, quality));
}
function jpeg(job: Job, ppi: number, quality: number): Thing {
  const side = (jpegSide * 72) / ppi;
  const data = jpegs.get(quality);
  if (!data) throw new Error('encodeJpegs');
  return picture(
    job.file,
    {
      columns: jpegSide,
      rows: jpegSide,
      entries: '/ColorSpace /DeviceGray /BitsPerComponent 8 /Filter /DCTDecode',
      data,
    },
    side,
    side,
  );
}

/** A box that ends at this distance outside the trim on one side, and at the bleed on the others. */
function endingAt(page: JobPage, side: Side, distance: number, bleed: number): Box {
  const [x0, y0, x1, y1] = page.trim;
  const off = (one: Side) => (one === side ? distance : bleed);
  return [x0 - off('left'), y0 - off('bottom'), x1 + off('right'), y1 + off('top')];
}

/** The strip between a distance inside the trim and the end of the bleed of one side. */
function strip(page: JobPage, side: Side, inside: number, outside: number): Box {
  const whole = grown(page.trim, outside);
  const [x0, y0, x1, y1] = whole;
  const [tx0, ty0, tx1, ty1] = page.trim;
  if (side === 'left') return [x0, y0, tx0 + inside, y1];
  if (side === 'right') return [tx1 - inside, y0, x1, y1];
  return side === 'bottom' ? [x0, y0, x1, ty0 + inside] : [x0, ty1 - inside, x1, y1];
}

/** Pages that a background may still be put on: one that another fault has not taken. */
const ground = (job: Job, random: Random): JobPage | null =>
  job.pick(random, ({ background }) => !background?.uses.length);

/** The sides of a page that must bleed: not the spine of a bound one. */
function outer(job: Job, page: JobPage, needs: Needs): readonly Side[] {
  if (!needs.spine) return sides;
  return sides.filter((side) => side !== spineOf(job.pages.indexOf(page)));
}
const spineOf = (index: number): Side => (index % 2 === 0 ? 'left' : 'right');

function bleeds(distance: (random: Random, bleed: number) => number): Fault['plant'] {
  return (job, random, needs) => {
    const page = ground(job, random);
    if (!page) return null;
    const bleed = mm(job.layout.bleed);
    const side = pick(random, outer(job, page, needs));
    const ends = distance(random, bleed);
    const isPicture = isDrawn(random, 0.4);
    const box = endingAt(page, side, ends, bleed);
    if (isPicture) {
      const ppi = needs.ppi.fine * 1.05;
      const high = bleed + 40;
      const band: Box =
        side === 'top' ? [box[0], box[3] - high, box[2], box[3]] : [box[0], box[1], box[2], box[1] + high];
      const [columns, rows] = [((band[2] - band[0]) * ppi) / 72, ((band[3] - band[1]) * ppi) / 72].map(Math.ceil);
      const use = job.file.use('XObject', {
        dict: `/Type /XObject /Subtype /Image /Width ${columns} /Height ${rows} /ColorSpace /DeviceCMYK /BitsPerComponent 8`,
        data: pixels(random, (columns ?? 0) * (rows ?? 0), 4),
      });
      const [width, height] = [band[2] - band[0], band[3] - band[1]];
      page.background = {
        content: `q ${[width, 0, 0, height, band[0], band[1]].map(num).join(' ')} cm /${use.name} Do Q`,
        uses: [use],
      };
    } else {
      const use = job.overprint;
      page.background = { content: `0.2 0.5 0 0 k ${rectangle(box)} f`, uses: [use] };
    }
    return {
      about: `${isPicture ? 'a picture' : 'an area'} ends ${at(ends / mm(1))} mm outside the ${side} trim`,
      page: job.pages.indexOf(page) + 1,
    };
  };
}

const bleedRules = ['Bleed.short', 'Bleed.boxLies', 'Bleed.gap'];
const bleedToo = [
  'Bleed.short',
  'Bleed.boxLies',
  'Bleed.gap',
  'Bleed.boxOnly',
  'SafetyDistance.nearEdge',
  'SafetyDistance.crossesEdge',
];
const boxesOf = (page: JobPage, trim: Box, more = ''): string =>
  `/TrimBox [${trim.map(num).join(' ')}] ${page.bleedBox ? `/BleedBox [${page.bleedBox.map(num).join(' ')}]` : ''} ${more}`;

/** Text so far inside the trim of one side. */
function nearEdge(inside: (random: Random, needs: Needs, isSpine: boolean) => number): Fault['plant'] {
  return (job, random, needs) => {
    const page = job.pick(random);
    if (!page) return null;
    const spine = spineOf(job.pages.indexOf(page));
    const side =
      needs.spine && isDrawn(random, 0.5)
        ? spine
        : pick(
            random,
            sides.filter((one) => !needs.spine || one !== spine),
          );
    const distance = mm(inside(random, needs, needs.spine !== undefined && side === spine) + (needs.cut ?? 0));
    const thing = text(job, random, Math.max(needs.text, 8), { fill: black, state: over(job) });
    const [x0, y0, x1, y1] = page.trim;
    const across =
      (side === 'left' || side === 'right' ? thing.box[2] - thing.box[0] : thing.box[3] - thing.box[1]) / 2;
    const isHorizontal = side === 'left' || side === 'right';
    const along = isHorizontal
      ? between(random, y0 + 0.3 * (y1 - y0), y0 + 0.6 * (y1 - y0))
      : between(random, x0 + 0.3 * (x1 - x0), x0 + 0.6 * (x1 - x0));
    const edge = {
      left: x0 + distance + across,
      right: x1 - distance - across,
      bottom: y0 + distance + across,
      top: y1 - distance - across,
    }[side];
    const upright: Thing = thing;
    job.put(page, {
      content: `q 1 0 0 1 ${num(isHorizontal ? edge - across : along)} ${num(isHorizontal ? along : edge - across)} cm ${upright.state} ${upright.paint(1)} Q`,
      uses: upright.uses,
    });
    return { about: `text ${at(distance / mm(1))} mm from the ${side} trim`, page: job.pages.indexOf(page) + 1 };
  };
}

function otherBoxes(about: string, boxes: (page: JobPage, random: Random) => string): Fault['plant'] {
  return (job, random) => {
    const page = job.pick(random, ({ extra }) => !extra.includes('TrimBox'));
    if (!page) return null;
    page.extra += boxes(page, random);
    return { about, page: job.pages.indexOf(page) + 1 };
  };
}

function annotated(subtype: string, entries: string): Fault['plant'] {
  return (job, random) => {
    const page = job.pick(random, ({ extra }) => !extra.includes('Annots'));
    if (!page) return null;
    const look = job.file.add({
      dict: '/Type /XObject /Subtype /Form /BBox [0 0 20 10]',
      data: '0 0 0 0.2 k 0 0 20 10 re f',
    });
    const [x, y] = [page.trim[0] + 40, page.trim[1] + 40];
    const own = job.file.add(
      `<< /Type /Annot /Subtype /${subtype} /Rect [${num(x)} ${num(y)} ${num(x + 20)} ${num(y + 10)}] /F 4 /AP << /N ${look} >> ${entries} >>`,
    );
    page.extra += ` /Annots [${own}]`;
    if (subtype === 'Widget') job.file.catalog += ` /AcroForm << /Fields [${own}] >>`;
    return { about: `a ${subtype} annotation`, page: job.pages.indexOf(page) + 1 };
  };
}

/** Another page with words in its middle. */
function addPage(job: Job): void {
  const page = job.page();
  const [x0, y0, x1, y1] = page.trim;
  job.put(page, job.words((x0 + x1) / 2 - 30, (y0 + y1) / 2, 14, 'one page more'));
}

/** A barcode on white, in a place of its own at the lower right. */
function code(
  job: Job,
  random: Random,
  about: string,
  drawing: { module: number; colour?: string; wrong?: boolean; isReversed?: boolean; near?: boolean },
): Done | null {
  const page = job.pick(random);
  if (!page) return null;
  const across = 95 * mm(drawing.module);
  const quiet = 12 * mm(drawing.module);
  const [width, height] = [across + 2 * quiet, 64];
  const [x1, y0] = [page.trim[2] - mm(job.layout.inset), page.trim[1] + mm(job.layout.inset)];
  const place: Box = [x1 - width, y0, x1, y0 + height];
  const isTaken = (one: Box) => one[2] > place[0] && one[1] < place[3];
  if (place[0] < page.trim[0] + mm(job.layout.inset) || page.cells.filter(isTaken).length < Math.floor(width / 62))
    return null;
  page.cells = page.cells.filter((one) => !isTaken(one));
  const number = pick(random, ['5901234123457', '4006381333931', '9780306406157']);
  const digits = drawing.wrong ? `${number.slice(0, 12)}${(Number(number[12]) + 3) % 10}` : number;
  const bars = drawnCode('ean13', digits, {
    module: drawing.module,
    height: 44,
    x: place[0] + quiet,
    y: y0 + 10,
    colour: drawing.isReversed ? '0 0 0 0 k' : (drawing.colour ?? '0 0 0 1 k'),
    ...(drawing.wrong && { options: { dontlint: true } }),
  });
  const behind = drawing.isReversed ? '0 0 0 1 k' : '0 0 0 0 k';
  const beside = drawing.near
    ? `q 0 0 0 1 k ${rectangle([place[0] + quiet - 2 * mm(drawing.module) - 6, y0 + 8, place[0] + quiet - 2 * mm(drawing.module), y0 + 56])} f Q`
    : '';
  job.put(page, { content: `q ${behind} ${rectangle(place)} f Q ${bars} ${beside}`, uses: [] });
  return { about: `${about}, module ${at(drawing.module)} mm`, page: job.pages.indexOf(page) + 1 };
}

const scan = pictureOfText(
  [
    'Terms of delivery and payment',
    'The goods remain ours until they',
    'have been paid in full by those',
    'who ordered them from the house',
  ],
  300,
  16,
);

const cutNames = ['CutContour', 'Thru-cut', 'Dieline'];
/** A line in the colour of a cut, as far inside the trim as the product has it. */
export function cutLine(
  job: Job,
  random: Random,
  { cut = 0 }: Needs,
  look: { isFilled?: boolean; knocksOut?: boolean } = {},
): Done {
  const page = job.pages[0] as JobPage;
  const colour = colourOf(job.file, separation(pick(random, cutNames), [0, 1, 0, 0]), [1]);
  const state = look.knocksOut ? stateOf(job.file, '/OP false /op false') : over(job);
  const box = grown(page.trim, -mm(cut));
  const paint = look.isFilled ? `${colour.fill} ${rectangle(box)} f` : `${colour.stroke} 0.5 w ${rectangle(box)} S`;
  const piece = { content: `q ${state.operator} ${paint} Q`, uses: [...state.uses, ...colour.uses] };
  if (look.isFilled) page.pieces.unshift(piece);
  else page.pieces.push(piece);
  return { about: '', page: 1 };
}

/** A picture in inks, of a resolution in ppi that is drawn. */
const pictureOf =
  (resolution: (random: Random, needs: Needs) => number): Fault['plant'] =>
  (job, random, needs) => {
    const own = resolution(random, needs);
    const kind = pick(random, ['cmyk', 'gray']);
    return inCell(job, random, `a ${kind} picture of ${at(own)} ppi`, photo(job, random, own, kind));
  };

export const faults = {
  softPicture: {
    told: ['ImageResolution.low'],
    also: ['JpegQuality.low'],
    plant: pictureOf((random, { ppi }) => between(random, ppi.fail * 0.35, ppi.fail * 0.94)),
  },
  ratherSoftPicture: {
    told: ['ImageResolution.low'],
    plant: pictureOf((random, { ppi }) => between(random, ppi.fail * 1.06, ppi.warn * 0.96)),
  },
  rgbPicture: {
    told: ['ColorSpaces.notAllowed'],
    also: ['PdfX.colour'],
    plant: (job, random, { ppi }) => inCell(job, random, 'an RGB picture', photo(job, random, ppi.fine, 'rgb')),
  },
  rgbText: {
    told: ['ColorSpaces.notAllowed'],
    also: ['PdfX.colour', 'Fonts.smallMultiInk'],
    plant: (job, random, needs) =>
      inCell(job, random, 'red RGB text', text(job, random, Math.max(10, needs.text), { fill: rgb(0.8, 0.1, 0.1) })),
  },
  rgbBlackText: {
    told: ['RichBlack.rgbBlack', 'ColorSpaces.notAllowed'],
    also: [
      'PdfX.colour',
      'RichBlack.rgbBlack',
      'RichBlack.sum',
      'RichBlack.tooManyInks',
      'ColorSpaces.notAllowed',
      'Fonts.smallMultiInk',
      'OverPrint.blackTextNotOverprint',
    ],
    plant: (job, random) => inCell(job, random, 'black RGB text', text(job, random, 9, { fill: rgb(0, 0, 0) })),
  },
  spot: {
    told: ['SpotColors.notAllowed', 'SpotColors.tooMany'],
    plant: (job, random) =>
      inCell(
        job,
        random,
        'a spot colour',
        area(random, isDrawn(random, 0.5) ? { fill: gold(job, 0.8) } : { stroke: gold(job, 1) }, 36),
      ),
  },
  tinyText: {
    told: ['Fonts.small'],
    plant: (job, random, needs) => {
      const size = between(random, needs.text * 0.6, needs.text * 0.95);
      return inCell(
        job,
        random,
        `text of ${at(size)} pt`,
        text(job, random, size, { fill: black, state: over(job) }),
        ofState,
      );
    },
  },
  smallWhiteText: {
    told: ['Fonts.smallWhite'],
    also: ['Fonts.small'],
    plant: (job, random, { white }) => {
      const size = between(random, white * 0.6, white * 0.95);
      const under = pick(random, ['0.8 0.5 0 0 k', '0 0 0 1 k', '0.6 0 0.9 0.2 k']);
      return inCell(
        job,
        random,
        `white text of ${at(size)} pt`,
        text(job, random, size, { fill: pick(random, [cmyk(0, 0, 0, 0), gray(1)]) }),
        { under },
      );
    },
  },
  smallTextOfInks: {
    told: ['Fonts.smallMultiInk'],
    also: ['Fonts.small'],
    plant: (job, random, { inks }) => {
      const size = between(random, inks * 0.65, inks * 0.95);
      return inCell(
        job,
        random,
        `text of ${at(size)} pt in two inks`,
        text(job, random, size, { fill: cmyk(0.8, 0.6, 0, 0) }),
      );
    },
  },
  hairline: {
    told: ['ThinLines.thin'],
    also: ['ThinLines.white', 'ThinLines.multiInk'],
    plant: (job, random, { line: limit }) => {
      const width = between(random, limit.fail * 0.2, limit.fail * 0.9);
      return inCell(job, random, `a line of ${at(width)} pt`, line(random, width, black, over(job)), ofState);
    },
  },
  thinLine: {
    told: ['ThinLines.thin'],
    also: ['ThinLines.multiInk'],
    plant: (job, random, { line: limit }) => {
      const width = between(random, limit.fail * 1.06, limit.warn * 0.94);
      return inCell(
        job,
        random,
        `a line of ${at(width)} pt`,
        line(random, width, pick(random, [black, cmyk(1, 0, 0, 0)]), over(job)),
        ofState,
      );
    },
  },
  thinWhiteLine: {
    told: ['ThinLines.white', 'ThinLines.thin'],
    also: ['ThinLines.white', 'ThinLines.thin'],
    plant: (job, random) => {
      const width = between(random, 0.13, 0.23);
      return inCell(job, random, `a white line of ${at(width)} pt`, line(random, width, cmyk(0, 0, 0, 0)), {
        under: '0.8 0.6 0 0.1 k',
      });
    },
  },
  whiteTextOverprints: {
    told: ['OverPrint.whiteTextOverprint'],
    plant: (job, random, needs) =>
      inCell(
        job,
        random,
        'white text that overprints',
        text(job, random, Math.max(11, needs.text), { fill: cmyk(0, 0, 0, 0), state: over(job) }),
        {
          ...ofState,
          under: '0.7 0.3 0 0 k',
        },
      ),
  },
  whiteAreaOverprints: {
    told: ['OverPrint.whitePathOverprint'],
    plant: (job, random) =>
      inCell(
        job,
        random,
        'a white area that overprints',
        area(random, { fill: cmyk(0, 0, 0, 0), state: over(job) }, 36),
        {
          ...ofState,
          under: '0.7 0.3 0 0 k',
        },
      ),
  },
  blackTextKnocksOut: {
    told: ['OverPrint.blackTextNotOverprint'],
    plant: (job, random, needs) =>
      inCell(
        job,
        random,
        'small black text that knocks out',
        text(job, random, between(random, Math.max(needs.text, 7), 11), { fill: black }),
        {
          ...ofState,
          under: '0.6 0.2 0 0 k',
        },
      ),
  },
  grayOverprints: {
    told: ['OverPrint.grayOverprint'],
    plant: (job, random) =>
      inCell(job, random, 'a gray area that overprints', area(random, { fill: gray(0.4), state: over(job) }, 36), {
        ...ofState,
        under: '0.6 0.2 0 0 k',
      }),
  },
  richText: {
    told: ['RichBlack.sum', 'RichBlack.tooManyInks'],
    also: ['RichBlack.sum', 'RichBlack.tooManyInks', 'Fonts.smallMultiInk', 'OverPrint.blackTextNotOverprint'],
    plant: (job, random) =>
      inCell(
        job,
        random,
        'small text in four inks',
        text(job, random, between(random, 8, 11), { fill: cmyk(0.7, 0.6, 0.6, 0.95) }),
      ),
  },
  registrationColour: {
    told: ['RichBlack.registrationBlack', 'SpotColors.registrationInArtwork'],
    also: [
      'RichBlack.registrationBlack',
      'RichBlack.sum',
      'RichBlack.tooManyInks',
      'SpotColors.registrationInArtwork',
      'TotalInkCoverage.cmyk',
      'TotalInkCoverage.allInks',
      'SpotColors.notAllowed',
    ],
    plant: (job, random) => {
      const all = isDrawn(random, 0.5);
      const colour = all ? colourOf(job.file, separation('All', [1, 1, 1, 1]), [1]) : cmyk(1, 1, 1, 1);
      return inCell(job, random, `an area in ${all ? 'All' : 'four full inks'}`, area(random, { fill: colour }, 40));
    },
  },
  tooMuchInk: {
    told: ['TotalInkCoverage.cmyk', 'TotalInkCoverage.allInks'],
    also: ['TotalInkCoverage.cmyk', 'TotalInkCoverage.allInks', 'RichBlack.sum'],
    plant: (job, random) => {
      const c = between(random, 0.85, 1);
      return inCell(job, random, 'an area with too much ink', square(cmyk(c, 0.9, 0.9, 0.8), 52));
    },
  },
  fontMissing: {
    told: ['Fonts.notEmbedded', 'PdfX.fontEmbedded'],
    also: ['Fonts.notEmbedded', 'PdfX.fontEmbedded'],
    plant: (job, random, needs) => {
      const name = pick(random, ['Helvetica', 'Arial', 'Times-Roman']);
      const font = job.file.use(
        'Font',
        `<< /Type /Font /Subtype /${name === 'Arial' ? 'TrueType' : 'Type1'} /BaseFont /${name} /Encoding /WinAnsiEncoding /FirstChar 97 /LastChar 97 /Widths [556] >>`,
      );
      return inCell(
        job,
        random,
        `${name} is not embedded`,
        text(job, random, Math.max(10, needs.text), { fill: black, state: over(job) }, font),
        ofState,
      );
    },
  },
  ruinedJpeg: {
    told: ['JpegQuality.low'],
    also: ['JpegQuality.blocking', 'ImageResolution.low'],
    plant: (job, random, { ppi }) => {
      const quality = pick(random, [4, 7, 10]);
      return inCell(job, random, `a JPEG of quality ${quality}`, jpeg(job, ppi.fine, quality));
    },
  },
  poorJpeg: {
    told: ['JpegQuality.low'],
    also: ['JpegQuality.blocking'],
    plant: (job, random, { ppi }) => {
      const quality = pick(random, [22, 30, 40]);
      return inCell(job, random, `a JPEG of quality ${quality}`, jpeg(job, ppi.fine, quality));
    },
  },
  noBleed: { told: bleedRules, also: bleedToo, plant: bleeds((random) => between(random, -0.05, 0.05)) },
  littleBleed: {
    told: bleedRules,
    also: bleedToo,
    plant: bleeds((random, bleed) => bleed * between(random, 0.1, 0.4)),
  },
  ratherLittleBleed: {
    told: bleedRules,
    also: bleedToo,
    plant: bleeds((random, bleed) => bleed * between(random, 0.56, 0.85)),
  },
  whiteGap: { told: bleedRules, also: bleedToo, plant: bleeds((random) => -between(random, 0.6, 0.9)) },
  whiteOverBleed: {
    told: bleedRules,
    also: bleedToo,
    plant: (job, random, needs) => {
      const page = ground(job, random);
      if (!page) return null;
      const bleed = mm(job.layout.bleed);
      const side = pick(random, outer(job, page, needs));
      page.background = {
        content: `0.2 0.5 0 0 k ${rectangle(grown(page.trim, bleed))} f 0 0 0 0 k ${rectangle(strip(page, side, 0, bleed))} f`,
        uses: [job.overprint],
      };
      return { about: `white covers the ${side} bleed`, page: job.pages.indexOf(page) + 1 };
    },
  },
  noBleedBox: {
    told: ['Bleed.boxOnly', 'PageBoxes.bleedMissing'],
    also: ['Bleed.boxOnly', 'PageBoxes.bleedMissing'],
    plant: (job, random) => {
      const page = ground(job, random);
      if (!page?.bleedBox) return null;
      page.background = { content: `0.2 0.5 0 0 k ${rectangle(page.bleedBox)} f`, uses: [job.overprint] };
      page.bleedBox = null;
      return { about: 'bleed without a BleedBox', page: job.pages.indexOf(page) + 1 };
    },
  },
  textAtEdge: {
    told: ['SafetyDistance.nearEdge', 'SafetyDistance.crossesEdge', 'SafetyDistance.nearDieLine'],
    also: ['SafetyDistance.nearDieLine', 'SafetyDistance.nearEdge'],
    plant: nearEdge(
      (random, { safety, spine }, isSpine) => (isSpine ? (spine?.fail ?? 0) : safety.fail) * between(random, 0.1, 0.85),
    ),
  },
  textNearEdge: {
    told: ['SafetyDistance.nearEdge', 'SafetyDistance.crossesEdge', 'SafetyDistance.nearDieLine'],
    also: ['SafetyDistance.nearDieLine', 'SafetyDistance.nearEdge'],
    plant: nearEdge((random, { safety, spine }, isSpine) => {
      const limit = (isSpine && spine) || safety;
      return between(random, limit.fail * 1.1 + 0.1, limit.warn * 0.9);
    }),
  },
  textOverEdge: {
    told: ['SafetyDistance.crossesEdge', 'SafetyDistance.nearEdge'],
    also: ['SafetyDistance.crossesEdge', 'SafetyDistance.nearEdge', 'SafetyDistance.nearDieLine', ...bleedToo],
    plant: nearEdge((random) => -between(random, 1, 1.6)),
  },
  trimOutsideMedia: {
    told: ['PageBoxes.nesting', 'PageBoxes.invalid'],
    also: [
      'PageBoxes.nesting',
      'PageBoxes.invalid',
      'PdfX.boxes',
      ...bleedToo,
      'PageDimentions.differs',
      'PageDimentions.size',
      'Preflight.trimMissing',
    ],
    plant: otherBoxes('the TrimBox reaches beyond the MediaBox', (page, random) => {
      const by = between(random, 5, 40);
      return boxesOf({ ...page, bleedBox: null }, [page.media[0] - by, page.trim[1], page.trim[2], page.trim[3]]);
    }),
  },
  trimAndArt: {
    told: ['PageBoxes.trimAndArt', 'PdfX.boxes'],
    also: ['PageBoxes.trimAndArt', 'PdfX.boxes'],
    plant: otherBoxes('TrimBox and ArtBox', (page) =>
      boxesOf(page, page.trim, `/ArtBox [${page.trim.map(num).join(' ')}]`),
    ),
  },
  wrongSize: {
    told: ['PageDimentions.size', 'PageDimentions.differs'],
    also: ['PageOrientation.differs', 'PageDimentions.sizeIncludesBleed', ...bleedToo],
    plant: (job, random) => {
      const isWhole = job.pages.length === 1;
      if (isWhole && Object.keys(job.variables).length === 0) return null;
      const by = mm(between(random, 2, 12)) * (isDrawn(random, 0.5) ? 1 : -1);
      const page = job.pages.at(isWhole ? 0 : Math.max(1, Math.floor(random() * job.pages.length)));
      if (!page || page.extra.includes('TrimBox')) return null;
      const [x0, y0, x1, y1] = page.trim;
      page.extra += boxesOf(
        { ...page, bleedBox: null },
        isDrawn(random, 0.5) ? [x0, y0, x1 + by, y1] : [x0, y0, x1, y1 + by],
      );
      // What is cut off elsewhere has neither bleed nor distance; the expert says the size and no more.
      page.background = null;
      page.isTaken = true;
      return { about: `a page ${at(by / mm(1))} mm larger`, page: job.pages.indexOf(page) + 1 };
    },
  },
  rotatedPage: {
    told: ['PageOrientation.differs', 'PageDimentions.differs', 'PageDimentions.size'],
    also: ['PageOrientation.differs', 'PageDimentions.differs', 'PageDimentions.size'],
    plant: (job, random) => {
      const { width, height } = job.layout;
      if (width === height || job.pages.length < 3) return null;
      const at = 1 + Math.floor(random() * (job.pages.length - 2));
      const made = job.page({ width: mm(height), height: mm(width) });
      job.pages.pop();
      job.pages[at] = made;
      job.put(made, job.words(made.trim[0] + 60, made.trim[1] + 80, 14, 'a page that lies on its side'));
      made.isTaken = true;
      return { about: 'a page lies on its side', page: at + 1 };
    },
  },
  tooManyPages: {
    told: ['PageCount.tooMany', 'MultiplePages.notSingle', 'PageCount.notExact'],
    plant: (job, random) => {
      for (let pages = 3 + Math.floor(random() * 2); job.pages.length < pages; ) addPage(job);
      return { about: `${job.pages.length} pages`, page: null };
    },
  },
  notMultiple: {
    told: ['MultiplePages.notMultiple'],
    plant: (job, random, { multiple }) => {
      if (!multiple) return null;
      const more = 1 + Math.floor(random() * (multiple - 1));
      for (let i = 0; i < more; i += 1) addPage(job);
      return { about: `${job.pages.length} pages`, page: null };
    },
  },
  emptyPage: {
    told: ['EmptyPages.empty'],
    also: ['EmptyPages.consecutive'],
    plant: (job, random) => {
      const places = job.pages
        .map((_, at) => at)
        .filter((at) => job.pages.length < 3 || (at > 1 && at < job.pages.length - 2));
      const at = job.pages.length > 1 ? pick(random, places.length > 0 ? places : [job.pages.length - 1]) : 0;
      const page = job.pages[at];
      if (!page || job.pages.length === 1 || page.isTaken) return null;
      page.isEmpty = true;
      return { about: 'an empty page', page: at + 1 };
    },
  },
  formField: {
    told: ['DocumentIntegrity.formFieldsInPrintArea', 'Annotations.formField', 'PdfX.annotations'],
    also: ['DocumentIntegrity.annotationsInPrintArea', 'Annotations.formField', 'PdfX.annotations'],
    plant: annotated('Widget', '/FT /Tx /T (name)'),
  },
  comment: {
    told: ['DocumentIntegrity.annotationsInPrintArea', 'PdfX.annotations', 'Annotations.insideTrim'],
    also: ['PdfX.annotations'],
    plant: annotated('Square', '/Contents (please check)'),
  },
  javascript: {
    told: ['DocumentIntegrity.javascript', 'PdfX.actions'],
    also: ['DocumentIntegrity.actions', 'PdfX.actions'],
    plant: (job) => {
      job.file.catalog += ' /OpenAction << /S /JavaScript /JS (app.alert\\(1\\)) >>';
      return { about: 'JavaScript', page: null };
    },
  },
  attachment: {
    told: ['DocumentIntegrity.embeddedFiles', 'PdfX.embeddedFiles'],
    also: ['PdfX.embeddedFiles'],
    plant: (job) => {
      const data = job.file.add({ dict: '/Type /EmbeddedFile', data: 'a,b' });
      job.file.catalog += ` /Names << /EmbeddedFiles << /Names [(a.csv) << /Type /Filespec /F (a.csv) /UF (a.csv) /EF << /F ${data} >> >>] >> >>`;
      return { about: 'an attached file', page: null };
    },
  },
  bandedGradient: {
    told: ['GradientSteps.bands'],
    plant: (job, random) => {
      const page = ground(job, random);
      if (!page) return null;
      const reach = grown(page.trim, mm(job.layout.bleed));
      const [from, to] = [between(random, 0.2, 0.3), between(random, 0.36, 0.42)];
      const isAlongX = isDrawn(random, 0.5);
      const use = job.file.use(
        'Shading',
        `<< /ShadingType 2 /ColorSpace /DeviceCMYK /Coords [${reach[0]} ${reach[1]} ${isAlongX ? reach[2] : reach[0]} ${isAlongX ? reach[1] : reach[3]}] /Extend [true true] /Function << /FunctionType 2 /Domain [0 1] /N 1 /C0 [${num(from)} 0.1 0 0] /C1 [${num(to)} 0.1 0 0] >> >>`,
      );
      page.background = { content: `q ${rectangle(reach)} W n /${use.name} sh Q`, uses: [use] };
      return { about: `cyan from ${at(from)} to ${at(to)} over the page`, page: job.pages.indexOf(page) + 1 };
    },
  },
  manyNodes: {
    told: ['PathNodes.path', 'PathNodes.page'],
    plant: (job, random) => {
      const count = 26_000 + Math.floor(random() * 20_000);
      const free = job.cell(random);
      if (!free) return null;
      const points = Array.from({ length: count }, (_, i) => {
        const angle = (i * 2 * Math.PI) / count;
        const radius = 20 + random() * 4;
        return `${(free.middle[0] + radius * Math.cos(angle)).toFixed(3)} ${(free.middle[1] + radius * Math.sin(angle)).toFixed(3)} ${i === 0 ? 'm' : 'l'}`;
      });
      job.put(free.page, { content: `q 0 0.4 0.6 0 k ${points.join(' ')} f Q`, uses: [] });
      return { about: `a path of ${count} points`, page: job.pages.indexOf(free.page) + 1 };
    },
  },
  scannedPage: {
    told: ['TextInPictures.scannedPage', 'ImageResolution.singleImagePage'],
    also: ['ImageResolution.low', ...bleedToo],
    plant: (job, random) => {
      const { width, height, data } = scan;
      const page = job.pick(random);
      if (!page) return null;
      const use = job.file.use('XObject', {
        dict: `/Type /XObject /Subtype /Image /Width ${width} /Height ${height} /ColorSpace /DeviceGray /BitsPerComponent 8`,
        data,
      });
      const [x0, y0, x1, y1] = grown(page.trim, -4);
      page.background = null;
      page.pieces = [
        { content: `q ${[x1 - x0, 0, 0, y1 - y0, x0, y0].map(num).join(' ')} cm /${use.name} Do Q`, uses: [use] },
      ];
      page.isTaken = true;
      return { about: 'a scanned page', page: job.pages.indexOf(page) + 1 };
    },
  },
  noCut: {
    told: ['ProcessingSteps.spotMissing', 'ProcessingSteps.missing'],
    plant: () => ({ about: 'no cut line', page: null }),
  },
  cutKnocksOut: {
    told: ['ProcessingSteps.knocksOut', 'OverPrint.technicalKnocksOut'],
    also: ['ProcessingSteps.knocksOut', 'OverPrint.technicalKnocksOut'],
    plant: (job, random, needs) => ({
      ...cutLine(job, random, needs, { knocksOut: true }),
      about: 'the cut line knocks out',
    }),
  },
  filledCut: {
    told: ['ProcessingSteps.filled'],
    plant: (job, random, needs) => ({
      ...cutLine(job, random, needs, { isFilled: true }),
      about: 'the cut is an area',
    }),
  },
  smallCode: {
    told: ['Barcodes.moduleSize'],
    also: ['ThinLines.thin'],
    plant: (job, random) => code(job, random, 'a small EAN', { module: between(random, 0.17, 0.235) }),
  },
  crowdedCode: {
    told: ['Barcodes.quietZone', 'Barcodes.unreadable'],
    plant: (job, random) =>
      code(job, random, 'a shape in the quiet zone', { module: between(random, 0.3, 0.36), near: true }),
  },
  paleCode: {
    told: ['Barcodes.contrast', 'Barcodes.unreadable'],
    plant: (job, random) =>
      code(job, random, 'bars that a scanner does not see', {
        module: between(random, 0.3, 0.36),
        colour: pick(random, ['0 1 1 0 k', '0 0 0 0.3 k', '0 0.8 1 0 k']),
      }),
  },
  reversedCode: {
    told: ['Barcodes.reversed', 'Barcodes.unreadable'],
    plant: (job, random) =>
      code(job, random, 'white bars on black', { module: between(random, 0.3, 0.36), isReversed: true }),
  },
} satisfies Record<string, Fault>;

export type FaultName = keyof typeof faults;

/** What no expert says anything of; most of it is near a limit or hidden. */
export const innocents: Readonly<Record<string, Fault['plant']>> = {
  finePicture: (job, random, { ppi }) =>
    inCell(
      job,
      random,
      'a fine picture',
      photo(job, random, between(random, ppi.fine, ppi.fine * 1.3), pick(random, ['cmyk', 'gray'])),
    ),
  coveredPicture: (job, random, { ppi }) => {
    const free = job.cell(random);
    if (!free) return null;
    job.place(free.page, random, photo(job, random, Math.max(ppi.fail / 3, 38), 'cmyk'), free.middle);
    job.put(free.page, { content: `q 0.1 0.2 0.3 0 k ${rectangle(free.at)} f Q`, uses: [] });
    return { about: 'a coarse picture that is covered', page: job.pages.indexOf(free.page) + 1 };
  },
  // A standard is about hidden objects, too.
  clippedRgb: (job, random) => {
    if (job.isStandard) return null;
    const free = job.cell(random);
    if (!free) return null;
    job.put(free.page, { content: `q -500 -500 4 4 re W n 1 0 0 rg ${rectangle(free.at)} f Q`, uses: [] });
    return { about: 'RGB that is clipped away', page: job.pages.indexOf(free.page) + 1 };
  },
  thinEnoughLine: (job, random, { line: limit }) => {
    const width = between(random, limit.warn * 1.06, limit.warn * 2);
    return inCell(
      job,
      random,
      `a line of ${at(width)} pt`,
      line(random, width, pick(random, [black, cmyk(0, 1, 0, 0)]), over(job)),
      ofState,
    );
  },
  smallEnoughText: (job, random, needs) => {
    const size = between(random, needs.text * 1.05, needs.text * 1.4);
    return inCell(
      job,
      random,
      `text of ${at(size)} pt`,
      text(job, random, size, { fill: black, state: over(job) }),
      ofState,
    );
  },
  whiteText: (job, random, needs) =>
    inCell(
      job,
      random,
      'white text',
      text(job, random, Math.max(needs.white, needs.text) * between(random, 1.05, 1.3), { fill: cmyk(0, 0, 0, 0) }),
      {
        under: '0.9 0.5 0 0 k',
      },
    ),
  richArea: (job, random) =>
    inCell(job, random, 'a rich black area', area(random, { fill: cmyk(0.5, 0.4, 0.4, 1) }, 44)),
  noGold: (job, random) =>
    inCell(job, random, 'a spot colour of which there is none', area(random, { fill: gold(job, 0) }, 36)),
  blackByName: (job, random, needs) =>
    inCell(
      job,
      random,
      'text in the ink Black',
      text(job, random, Math.max(needs.text, 8), {
        fill: colourOf(job.file, separation('Black', [0, 0, 0, 1]), [1]),
        state: over(job),
      }),
      ofState,
    ),
  bigBlackText: (job, random, needs) =>
    inCell(
      job,
      random,
      'black text that knocks out, large enough',
      text(job, random, Math.max(needs.text, between(random, 12.5, 13.5)), { fill: black }),
      {
        under: '0.4 0.1 0 0 k',
      },
    ),
  goodJpeg: (job, random, { ppi }) =>
    inCell(job, random, 'a good JPEG', jpeg(job, ppi.fine, pick(random, [75, 85, 92]))),
  shadow: (job, random) =>
    inCell(
      job,
      random,
      'a shadow that multiplies',
      area(
        random,
        { fill: cmyk(0, 0, 0, 0.4), state: stateOf(job.file, '/BM /Multiply /ca 0.6'), isTransparent: true },
        40,
      ),
      {
        ...ofState,
        under: '0.3 0 0.2 0 k',
      },
    ),
  drawing: (job, random, { line: limit }) => {
    const free = job.cell(random);
    if (!free) return null;
    const [x, y] = free.middle;
    const points = Array.from(
      { length: 900 },
      (_, i) => `${num(x + 22 * Math.cos(i / 37) + random())} ${num(y + 22 * Math.sin(i / 41))} ${i === 0 ? 'm' : 'l'}`,
    );
    job.put(free.page, {
      content: `q 0.1 0.7 0.6 0 k 0.1 0.7 0.6 0 K ${num(Math.max(0.6, limit.warn * 1.2))} w ${points.join(' ')} S Q`,
      uses: [],
    });
    return { about: 'a drawing', page: job.pages.indexOf(free.page) + 1 };
  },
  steepGradient: (job, random) => {
    const free = job.cell(random);
    if (!free) return null;
    const use = job.file.use(
      'Shading',
      `<< /ShadingType 2 /ColorSpace /DeviceCMYK /Coords [${free.at[0]} 0 ${free.at[2]} 0] /Extend [true true] /Function << /FunctionType 2 /Domain [0 1] /N 1 /C0 [0 0 0 0] /C1 [0.9 0.4 0 0] >> >>`,
    );
    job.put(free.page, { content: `q ${rectangle(grown(free.at, -3))} W n /${use.name} sh Q`, uses: [use] });
    return { about: 'a steep gradient', page: job.pages.indexOf(free.page) + 1 };
  },
  textInside: (job, random, needs) => {
    const plant = nearEdge(
      (_, { safety, spine }, isSpine) => ((isSpine && spine) || safety).warn * between(random, 1.06, 1.3),
    );
    return plant(job, random, needs);
  },
};
