/**
 * Puts an object on a page at random: in forms, transparency groups, cells of tiling patterns, clips, layers and soft
 * masks, each in the others. What it looks like on paper stays the same, unless it is hidden on purpose.
 */
import type { Box } from '@pdf2press/contract';
import { between, isDrawn, num, pick, type Random } from './chance.ts';
import { type DrawnFile, type Piece, resourcesOf, type Use } from './file.ts';
import { chained, corners, drawnMatrix, grown, inverse, type Matrix, mapped } from './matrix.ts';

/** Something to paint. Lengths on paper are in points; one unit of its own space is `unit` points. */
export interface Thing {
  /** What it covers on paper, before it is moved and turned. */
  box: Box;
  /** Operators that set colours and graphics states. */
  state: string;
  paint: (unit: number) => string;
  uses: readonly Use[];
  /** Its state has opacity or a blend mode, which groups do not hand on. */
  isTransparent?: boolean;
}

export interface Nested extends Piece {
  /** Where it is on paper. */
  box: Box;
  isVisible: boolean;
  /** What it is in, from the page inwards; for the list of misses. */
  path: string;
}

interface Place {
  /** From the space of the operators to paper, now and at the start of the content stream. */
  now: Matrix;
  start: Matrix;
}
type Wrapper = (inner: (place: Place, isApart: boolean) => Piece, place: Place, context: Context) => Piece;
interface Context {
  file: DrawnFile;
  random: Random;
  /** Where the object is on paper. */
  box: Box;
}

export const operators = (matrix: Matrix): string => `${matrix.map(num).join(' ')} cm`;

/** A path around a box on paper. */
export function around(box: Box, now: Matrix): string {
  const [first, ...rest] = corners(box, inverse(now)).map((point) => point.map(num).join(' '));
  return `${first} m ${rest.map((point) => `${point} l`).join(' ')} h`;
}

const list = (box: Box): string => `[${box.map(num).join(' ')}]`;

function form(entries: string): Wrapper {
  return (inner, { now }, { file, random, box }) => {
    const [own, matrix] = [drawnMatrix(random), drawnMatrix(random)];
    const start = chained(own, chained(matrix, now));
    const { content, uses } = inner({ now: start, start }, false);
    const extent = mapped(grown(box, isDrawn(random, 0.5) ? 6 : 2000), inverse(start));
    const made = file.use('XObject', {
      dict: `/Type /XObject /Subtype /Form /BBox ${list(extent)} /Matrix ${list(own as unknown as Box)} ${entries} /Resources << ${resourcesOf(uses)} >>`,
      data: content,
    });
    return { content: `q ${operators(matrix)} /${made.name} Do Q`, uses: [made] };
  };
}

/** One cell of a pattern, whose origin may be far off the page. */
const pattern: Wrapper = (inner, { now, start }, { file, random, box }) => {
  const own = drawnMatrix(random);
  const toPaper = chained(own, start);
  const [x0, y0, x1, y1] = grown(mapped(grown(box, 8), inverse(toPaper)), 1e-3);
  const [width, height] = [x1 - x0, y1 - y0];
  const shift: Matrix = [
    1,
    0,
    0,
    1,
    Math.floor(between(random, -4, 5)) * width,
    Math.floor(between(random, -4, 5)) * height,
  ];
  const cell = chained(shift, toPaper);
  const { content, uses } = inner({ now: cell, start: cell }, true);
  const extent = mapped([x0, y0, x1, y1], inverse(shift));
  const made = file.use('Pattern', {
    dict:
      `/Type /Pattern /PatternType 1 /PaintType 1 /TilingType ${pick(random, [1, 2, 3])} /BBox ${list(extent)}` +
      ` /XStep ${num(width)} /YStep ${num(height)} /Matrix ${list(own as unknown as Box)} /Resources << ${resourcesOf(uses)} >>`,
    data: content,
  });
  const area = corners([x0, y0, x1, y1], chained(toPaper, inverse(now))).map((point) => point.map(num).join(' '));
  const shape = `${area[0]} m ${area
    .slice(1)
    .map((point) => `${point} l`)
    .join(' ')} h`;
  return { content: `q /Pattern cs /${made.name} scn ${shape} f Q`, uses: [made] };
};

const clip =
  (from: (box: Box) => Box): Wrapper =>
  (inner, place, { box }) => {
    const { content, uses } = inner(place, false);
    return { content: `q ${around(from(box), place.now)} W n ${content} Q`, uses };
  };

const layer =
  (isOn: boolean, isMember: boolean): Wrapper =>
  (inner, place, { file }) => {
    const { content, uses } = inner(place, false);
    const own = file.layer(isOn);
    const object = isMember ? file.add(`<< /Type /OCMD /OCGs [${own}] /P /AnyOn >>`) : own;
    const made: Use = { category: 'Properties', name: `La${object.split(' ')[0]}`, object };
    return { content: `/OC /${made.name} BDC ${content} EMC`, uses: [...uses, made] };
  };

/** A soft mask that lets everything through. */
const softMask: Wrapper = (inner, place, { file, box }) => {
  const { content, uses } = inner(place, false);
  const group = file.add({
    dict: `/Type /XObject /Subtype /Form /BBox ${list(mapped(grown(box, 50), inverse(place.now)))} /Group << /S /Transparency /CS /DeviceGray >>`,
    data: `1 g ${around(grown(box, 40), place.now)} f`,
  });
  const made = file.use('ExtGState', `<< /SMask << /Type /Mask /S /Luminosity /G ${group} >> >>`);
  return { content: `q /${made.name} gs ${content} Q`, uses: [...uses, made] };
};

const shown = {
  form: form(''),
  group: form('/Group << /S /Transparency /CS /DeviceCMYK >>'),
  isolatedGroup: form('/Group << /S /Transparency /CS /DeviceCMYK /I true >>'),
  pattern,
  clip: clip((box) => grown(box, 4)),
  layer: layer(true, false),
  layerMember: layer(true, true),
  softMask,
} satisfies Record<string, Wrapper>;

const hidden = {
  clippedAway: clip(([x0, y0, , y1]) => [x0 - 60, y0, x0 - 30, y1]),
  hiddenLayer: layer(false, false),
  hiddenLayerMember: layer(false, true),
} satisfies Record<string, Wrapper>;

export interface Nesting {
  /** From user space to paper. */
  page: Matrix;
  /** Where on paper its middle comes. */
  middle: readonly [x: number, y: number];
  /** Kinds of nesting that the rule's wording leaves open. */
  without?: readonly (keyof typeof shown)[];
  neverHidden?: boolean;
  /** Turned by quarters only. */
  isUpright?: boolean;
}

/** Nests a thing up to four deep. */
export function nest(file: DrawnFile, random: Random, thing: Thing, nesting: Nesting): Nested {
  const degrees =
    nesting.isUpright || isDrawn(random, 0.6) ? pick(random, [0, 0, 90, 180, 270]) : between(random, 0, 360);
  const [cos, sin] = [Math.cos((degrees * Math.PI) / 180), Math.sin((degrees * Math.PI) / 180)];
  const centre: Matrix = [1, 0, 0, 1, -(thing.box[0] + thing.box[2]) / 2, -(thing.box[1] + thing.box[3]) / 2];
  const placed = chained(centre, [cos, sin, -sin, cos, ...nesting.middle]);
  const box = mapped(thing.box, placed);
  const unit = 2 ** between(random, -2, 2);
  const allowed = (Object.keys(shown) as (keyof typeof shown)[]).filter((name) => !nesting.without?.includes(name));
  const names: string[] = Array.from({ length: Math.floor(random() * 4) }, () => pick(random, allowed));
  const isVisible = nesting.neverHidden === true || isDrawn(random, 0.8);
  if (!isVisible) names.splice(Math.floor(random() * (names.length + 1)), 0, pick(random, Object.keys(hidden)));
  const path = [...names];
  const wrappers: Record<string, Wrapper> = { ...shown, ...hidden };
  const paintAt = (place: Place, depth: number, isStateSet: boolean): Piece => {
    const wrapper = wrappers[names[depth] ?? ''];
    if (!wrapper) {
      const matrix = chained(chained([unit, 0, 0, unit, 0, 0], placed), inverse(place.now));
      const state = isStateSet ? '' : thing.state;
      return { content: `q ${operators(matrix)} ${state} ${thing.paint(unit)} Q`, uses: thing.uses };
    }
    const isGroup = /group|softMask/i.test(names[depth] ?? '');
    const isSetHere = !isStateSet && !(isGroup && thing.isTransparent) && isDrawn(random, 0.25);
    const { content, uses } = wrapper(
      (inner, isApart) => paintAt(inner, depth + 1, (isStateSet || isSetHere) && !isApart),
      place,
      { file, random, box },
    );
    if (isSetHere) path[depth] = `${path[depth]} after its colour`;
    return isSetHere
      ? {
          content: `q ${thing.state} ${content} Q`,
          uses: [...uses, ...thing.uses.filter(({ category }) => category !== 'XObject')],
        }
      : { content, uses };
  };
  const piece = paintAt({ now: nesting.page, start: nesting.page }, 0, false);
  return { ...piece, box, isVisible, path: path.join('/') || 'page' };
}
