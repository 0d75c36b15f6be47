/** A page with an object drawn on it: turned, in other units, with an origin anywhere. */
import type { Box } from '@pdf2press/contract';
import { between, isDrawn, num, pick, type Random } from './chance.ts';
import type { Drawn } from './family.ts';
import { type DrawnFile, type Piece, resourcesOf, type Use } from './file.ts';
import { grown, inverse, type Matrix, mapped } from './matrix.ts';
import { around, type Nesting, nest, type Thing } from './nest.ts';

/** Size of every page on paper, in points, and of its trim. */
export const paper: Box = [0, 0, 400, 500];
export const trim: Box = [20, 20, 380, 480];

/** From user space to paper: a unit of the page and an origin. */
export function drawnPage(random: Random): { toPaper: Matrix; unit: number } {
  const unit = pick(random, [1, 1, 1, 0.5, 2]);
  const at = () => (isDrawn(random, 0.5) ? 0 : Math.round(between(random, -900, 900)));
  return { toPaper: [unit, 0, 0, unit, at(), at()], unit };
}

/** Adds a page with this content. */
export function addPage(file: DrawnFile, random: Random, { content, uses }: Piece, toPaper: Matrix, extra = ''): void {
  const box = (area: Box) => `[${mapped(area, inverse(toPaper)).map(num).join(' ')}]`;
  const unit = toPaper[0] === 1 ? '' : `/UserUnit ${toPaper[0]}`;
  file.pages.push({
    content,
    mediaBox: mapped(paper, inverse(toPaper)).map((value) => Number(value.toFixed(5))),
    resources: resourcesOf(uses),
    extra: `/TrimBox ${box(trim)} /BleedBox ${box(grown(trim, 8.504))} ${unit} /Rotate ${pick(random, [0, 0, 90, 180, 270])} ${extra}`,
  });
}

export interface Placing extends Partial<Nesting> {
  breaks: boolean;
  about: string;
  margin?: number;
  /** Colour operators of a field under the object; none where there is none. */
  under?: string;
  /** Resources of that field. */
  underUses?: readonly Use[];
  /** The rule also counts what does not print. */
  countsHidden?: boolean;
  /** No place: the rule says it of the file. */
  isWithoutPlace?: boolean;
}

/** Adds a page with a nested object, over a field or over bare paper. */
export function placed(file: DrawnFile, random: Random, thing: Thing, placing: Placing): Drawn {
  const { toPaper } = drawnPage(random);
  const reach = Math.hypot(thing.box[2] - thing.box[0], thing.box[3] - thing.box[1]) / 2 + 6;
  const roomX = Math.max(0, 150 - reach);
  const roomY = Math.max(0, 200 - reach);
  const middle = [200 + between(random, -roomX, roomX), 250 + between(random, -roomY, roomY)] as const;
  const nested = nest(file, random, thing, { ...placing, page: toPaper, middle });
  const field = placing.under ? `q ${placing.under} ${around(grown(nested.box, 5), toPaper)} f Q ` : '';
  addPage(
    file,
    random,
    { content: field + nested.content, uses: [...nested.uses, ...(placing.underUses ?? [])] },
    toPaper,
  );
  return {
    breaks: placing.breaks && (nested.isVisible || placing.countsHidden === true),
    ...(!placing.isWithoutPlace && { box: mapped(nested.box, inverse(toPaper)) }),
    ...(placing.margin !== undefined && { margin: placing.margin / toPaper[0] }),
    about: `${placing.about} in ${nested.path}`,
  };
}
