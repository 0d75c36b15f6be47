/** Rules about barcodes and matrix codes, drawn from their wording: at any angle, in any form, sound and damaged. */
import type { Box } from '@pdf2press/contract';
import { mm } from '@pdf2press/settings';
import { between, isDrawn, num, pick, type Random } from './chance.ts';
import {
  blackOnWhite,
  type CodeLook,
  type CodeSymbol,
  codeOf,
  type Damage,
  type Form,
  forms,
  type Inks,
  readableBars,
  readableMatrix,
  symbols,
  unreadableBars,
  unreadableMatrix,
} from './codes.ts';
import type { Drawn, Family } from './family.ts';
import type { DrawnFile, Piece } from './file.ts';
import { anyLookAlike } from './look-alikes.ts';
import { inverse, mapped } from './matrix.ts';
import { type Nested, type Nesting, nest, type Thing } from './nest.ts';
import { addPage, drawnPage } from './page.ts';

/** Each page is drawn finely and read several times, which takes seconds: by day the drawn pairs of the check are enough. */
const judging = { check: 'Barcodes', cases: { day: 0, night: 40 }, hasMisses: true, seed: 5501 } as const;

interface Item {
  thing: Thing;
  about: string;
  nesting?: Partial<Nesting>;
}

/** A page with something to judge, and perhaps another thing beside it. */
function onPage(file: DrawnFile, random: Random, main: Item, other: Item | null): { nested: Nested; box: Box } {
  const { toPaper } = drawnPage(random);
  const put = ({ thing, nesting }: Item, height: number): Nested => {
    const reach = Math.hypot(thing.box[2], thing.box[3]) / 2 + 14;
    const room = Math.max(0, 170 - reach);
    const middle = [200 + between(random, -room, room), height] as const;
    return nest(file, random, thing, { neverHidden: true, ...nesting, page: toPaper, middle });
  };
  const isUpper = isDrawn(random, 0.5);
  const nested = put(main, other ? (isUpper ? 360 : 140) : between(random, 200, 300));
  const pieces: Piece[] = [nested];
  if (other) pieces.push(put(other, isUpper ? 140 : 360));
  addPage(
    file,
    random,
    { content: pieces.map(({ content }) => content).join(' '), uses: pieces.flatMap(({ uses }) => uses) },
    toPaper,
  );
  return { nested, box: mapped(nested.box, inverse(toPaper)) };
}

/** Points across of what may stand beside another thing. */
const mostOfTwo = 200;

const limits = { retail: 0.264, linear: 0.25, matrix: 0.396 };
/** A module that keeps every limit and fits on the page, in millimetres. */
const sound = (random: Random, { kind }: CodeSymbol): number => limits[kind] * between(random, 1.08, 1.7);

interface Choice {
  symbol: CodeSymbol;
  form: Form;
  damaged: string;
  damage: Damage | undefined;
}
function choose(
  random: Random,
  damages: { bars: Record<string, Damage>; matrix: Record<string, Damage> },
  share: number,
): Choice {
  const symbol = pick(random, symbols);
  const from = symbol.kind === 'matrix' ? damages.matrix : damages.bars;
  const damaged = isDrawn(random, share) ? pick(random, Object.keys(from)) : 'sound';
  return { symbol, form: pick(random, forms), damaged, damage: from[damaged] };
}
const readable = { bars: readableBars, matrix: readableMatrix };
const unreadable = { bars: unreadableBars, matrix: unreadableMatrix };

/** Something that breaks no rule: a sound code, or what only looks like one. */
function harmless(file: DrawnFile, random: Random): Item {
  if (isDrawn(random, 0.6)) {
    const { name, thing } = anyLookAlike(file, random);
    return { thing, about: name };
  }
  const symbol = pick(random, symbols);
  const form = pick(random, forms);
  const thing = codeOf(file, random, symbol, { module: mm(sound(random, symbol)), form });
  return { thing, about: `${symbol.name} ${form}`, nesting: { without: tight } };
}

const widthOf = ({ box }: Thing): number => Math.hypot(box[2], box[3]);

function drawCode(
  file: DrawnFile,
  random: Random,
  { symbol, form, damage, damaged }: Choice,
  look: Omit<CodeLook, 'form' | 'damage'>,
  nesting: Partial<Nesting> = {},
): { box?: Box; about: string } {
  const thing = codeOf(file, random, symbol, { ...look, form, damage });
  const about = `${symbol.name}, ${form}, ${damaged}, module ${num(Number((thing.box[2] / thing.size.width / mm(1)).toFixed(3)))} mm`;
  let other = widthOf(thing) <= mostOfTwo && isDrawn(random, 0.5) ? harmless(file, random) : null;
  if (other && widthOf(other.thing) > mostOfTwo) other = null;
  const { nested, box } = onPage(file, random, { thing, about, nesting }, other);
  // Of a damaged code it is left open how much of it is one.
  const place = damage ? {} : { box };
  return { ...place, about: `${about} in ${nested.path}${other ? `, beside ${other.about}` : ''}` };
}

/** What would cut off a quiet zone. */
const tight: NonNullable<Nesting['without']> = ['clip', 'pattern', 'form', 'group', 'isolatedGroup'];

function drawModule(file: DrawnFile, random: Random): Drawn {
  const choice = choose(random, readable, 0.4);
  const isSmall = isDrawn(random, 0.55);
  const limit = limits[choice.symbol.kind];
  const module = mm(isSmall ? limit * between(random, 0.72, 0.95) : sound(random, choice.symbol));
  return { breaks: isSmall, margin: 8, ...drawCode(file, random, choice, { module }) };
}

function drawQuiet(file: DrawnFile, random: Random): Drawn {
  const choice = choose(random, readable, 0.2);
  const isNear = isDrawn(random, 0.55);
  const { quiet } = choice.symbol;
  const isBefore = isDrawn(random, 0.5);
  const needed = isBefore ? quiet[0] : quiet[1];
  const free =
    needed === 1 ? (isNear ? 0.4 : 1.6) : needed * (isNear ? between(random, 0.6, 0.85) : between(random, 1.12, 1.6));
  const beside = ({ width, height }: { width: number; height: number }) =>
    `${num(isBefore ? -free - 6 : width + free)} ${num(height * 0.1)} 6 ${num(height * 0.8)} re`;
  const module = mm(sound(random, choice.symbol));
  const drawn = drawCode(file, random, choice, { module, beside }, { without: tight });
  return { breaks: isNear, margin: 8, ...drawn, about: `${drawn.about}, ${num(Number(free.toFixed(2)))} free` };
}

/** Inks by whether red light tells them apart from their ground: cyan and black are dark in it, magenta and yellow are not. */
const seenInRed: readonly Inks[] = [
  blackOnWhite,
  { ink: '1 0.6 0 0.1 k', ground: '0 0 0 0 k' },
  { ink: '1 0 1 0.2 k', ground: '0 0 0.8 0 k' },
  { ink: '0 0 0 1 k', ground: '0 0.7 0.7 0 k' },
  { ink: '0.9 0.3 0.9 0.5 k', ground: '0 0.2 0.5 0 k' },
];
const unseenInRed: readonly Inks[] = [
  { ink: '0 1 1 0 k', ground: '0 0 0 0 k' },
  { ink: '0 0.6 1 0 k', ground: '0 0 0 0 k' },
  { ink: '0 0 0 0.3 k', ground: '0 0 0 0 k' },
  { ink: '0.25 0.9 0 0 k', ground: '0 0 0 0 k' },
  { ink: '0 0 0 1 k', ground: '1 0.2 0 0.3 k' },
];

function drawContrast(file: DrawnFile, random: Random): Drawn {
  // A picture in gray has its own ink.
  const choice = {
    ...choose(random, readable, 0.2),
    form: pick(random, ['rectangles', 'lines', 'mask', 'type'] as const),
  };
  const isPale = isDrawn(random, 0.55);
  const inks = pick(random, isPale ? unseenInRed : seenInRed);
  const module = mm(sound(random, choice.symbol));
  const drawn = drawCode(file, random, choice, { module, inks }, { without: tight });
  const page = file.pages.at(-1);
  // The ground lies under everything on the page.
  if (page && inks.ground !== blackOnWhite.ground)
    page.content = `${inks.ground} -9000 -9000 18000 18000 re f ${page.content}`;
  return { ...drawn, breaks: isPale, margin: 8, about: `${drawn.about}, ${inks.ink} on ${inks.ground}` };
}

function drawDamaged(file: DrawnFile, random: Random): Drawn {
  const isLost = isDrawn(random, 0.5);
  if (!isLost && isDrawn(random, 0.6)) {
    const { name, thing } = anyLookAlike(file, random);
    let other = isDrawn(random, 0.4) && widthOf(thing) <= mostOfTwo ? harmless(file, random) : null;
    if (other && widthOf(other.thing) > mostOfTwo) other = null;
    const { nested } = onPage(file, random, { thing, about: name }, other);
    return { breaks: false, about: `${name} in ${nested.path}${other ? `, beside ${other.about}` : ''}` };
  }
  const choice = choose(random, isLost ? unreadable : readable, 1);
  const module = mm(sound(random, choice.symbol));
  return { breaks: isLost, margin: 12, ...drawCode(file, random, choice, { module }) };
}

export const codeFamilies: readonly Family[] = [
  {
    rule: 'Barcodes.moduleSize',
    wording: 'The module of a code is below 0.264 mm (EAN, UPC), 0.25 mm (other bars) or 0.396 mm (matrix codes).',
    ...judging,
    draw: drawModule,
  },
  {
    rule: 'Barcodes.quietZone',
    wording: 'Beside a code is less free space than its symbology asks for.',
    ...judging,
    draw: drawQuiet,
  },
  {
    rule: 'Barcodes.contrast',
    wording: 'A code differs from its ground by less than 55 % in red light.',
    ...judging,
    draw: drawContrast,
  },
  {
    rule: 'Barcodes.unreadable',
    wording: 'What is a code for every eye cannot be read.',
    ...judging,
    seed: 6203,
    draw: drawDamaged,
  },
];
