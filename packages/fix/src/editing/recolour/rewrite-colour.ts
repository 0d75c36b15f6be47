/** Rewrites content with the new colours: colour operators and the names of patterns, shadings and images. */
import {
  type ColorSpace,
  interpreterOf,
  isDict,
  isName,
  nameText,
  numberText,
  type OperatorEvent,
  type PdfDict,
  type PdfValue,
  pdfDict,
  pdfName,
  pdfRef,
  type RewriteTools,
  type Run,
  rewriteDocument,
  type Shading,
} from '@pdf2press/pdf';
import { placeKey } from '../place-key.ts';
import { colourOperators, deviceOf, initialColour, isStroke, spaceBefore } from './colour-operators.ts';
import type { Recolouring } from './recolouring.ts';
import { convertShading } from './shadings.ts';

export interface NewImages {
  /** Object numbers of copied images, by those of the originals. */
  copies: ReadonlyMap<number, number>;
  /** Object numbers of image XObjects, by the place of the inline image they replace. */
  inline: ReadonlyMap<string, number>;
}

type Rewrite = (event: OperatorEvent, tools: RewriteTools) => string | undefined;

export function rewriteColour(job: Recolouring, images: NewImages): void {
  const { context } = job;
  const gradients = createGradients(job);
  const resource = (tools: RewriteTools, category: 'Shading' | 'XObject' | 'Pattern', num: number, hint: string) =>
    nameText(tools.resource(category, pdfRef(num), hint));

  const special: Readonly<Record<string, Rewrite>> = {
    sh({ place, operands }, tools) {
      const made = gradients.shading(place.run, operands.at(-1));
      return made === null ? undefined : `${resource(tools, 'Shading', made, 'P2PSh')} sh`;
    },
    Do({ place, operands }, tools) {
      const target = resourceOf(job, place.run, 'XObject', operands.at(-1));
      const made = target && images.copies.get(target.stream);
      return made ? `${resource(tools, 'XObject', made, 'P2PIm')} Do` : undefined;
    },
    BI({ place }, tools) {
      const made = images.inline.get(placeKey(place));
      return made === undefined ? undefined : `${resource(tools, 'XObject', made, 'P2PIm')} Do`;
    },
  };
  const colour: Rewrite = (event, tools) => {
    const { op, run } = event.place;
    const last = event.operands.at(-1);
    if ((op !== 'scn' && op !== 'SCN') || !isName(last)) return colourText(job, event, tools);
    const made = gradients.pattern(run, last);
    return made === null
      ? uncolouredPattern(job, event, last.name)
      : `${resource(tools, 'Pattern', made, 'P2PPa')} ${op}`;
  };

  rewriteDocument(context.file, {
    pages: context.pages,
    annotations: context.touches('annotation'),
    unshown: true,
    operator(event, tools) {
      const { op } = event.place;
      const replace = special[op]?.(event, tools) ?? (colourOperators.has(op) ? colour(event, tools) : undefined);
      return replace === undefined ? undefined : { replace };
    },
  });
}

/** A resource of the run by category and name. */
function resourceOf({ context: { file } }: Recolouring, run: Run, category: string, name: PdfValue | undefined) {
  const list = run.resources ? file.entry(run.resources, category) : null;
  const found = isDict(list) && isName(name) ? file.resolve(list.map.get(name.name)) : null;
  return isDict(found) ? found : null;
}

/** Converts shadings and shading patterns, each once: object numbers, or null where nothing changes. */
function createGradients(job: Recolouring) {
  const { context, options, mapIn } = job;
  const { file, edit } = context;
  const shadings = new Map<PdfDict, number | null>();
  const patterns = new Map<PdfDict, number | null>();

  const facts = (dict: PdfDict, run: Run): Shading => ({
    type: Number(file.entry(dict, 'ShadingType')) || 0,
    object: dict.stream,
    dict,
    space: interpreterOf(file).spaces.read(dict.map.get('ColorSpace') ?? dict.map.get('CS'), run.resources),
  });
  const converted = (dict: PdfDict, run: Run): number | null => {
    const known = shadings.get(dict);
    if (known !== undefined) return known;
    const shading = facts(dict, run);
    const mapShading = options.mapShading ?? ((one: Shading) => mapIn(one.space, run));
    const map = options.converts.shadings ? mapShading(shading, run) : null;
    const made = map && convertShading(edit, shading, map);
    if (map && made === null) context.warn('shadingUnreadable', { page: run.page });
    shadings.set(dict, made);
    return made;
  };
  return {
    shading(run: Run, name: PdfValue | undefined): number | null {
      const dict = resourceOf(job, run, 'Shading', name);
      return dict && converted(dict, run);
    },
    pattern(run: Run, name: PdfValue): number | null {
      const dict = resourceOf(job, run, 'Pattern', name);
      if (!dict || file.entry(dict, 'PatternType') !== 2) return null;
      const known = patterns.get(dict);
      if (known !== undefined) return known;
      const shading = file.entry(dict, 'Shading');
      const made = isDict(shading) ? converted(shading, run) : null;
      const pattern = made === null ? null : edit.add(pdfDict({ Shading: pdfRef(made) }, dict));
      patterns.set(dict, pattern);
      return pattern;
    },
  };
}

const text = (values: readonly number[]): string =>
  values.map((value) => numberText(Math.round(value * 10_000) / 10_000)).join(' ');
const numbersOf = (event: OperatorEvent): number[] =>
  event.operands.filter((operand): operand is number => typeof operand === 'number');

/** New source text of an operator that sets a colour space or a colour. */
function colourText({ context, options, mapIn }: Recolouring, event: OperatorEvent, tools: RewriteTools) {
  if (!options.converts.operators) return undefined;
  const { op, run } = event.place;
  const chosen = (value: PdfValue): string =>
    `${nameText(tools.resource('ColorSpace', value, 'P2PCS'))} ${isStroke(op) ? 'CS' : 'cs'}`;
  const space = spaceBefore(context.file, event);
  const isChoice = op === 'cs' || op === 'CS';
  if (space.family === 'Pattern') {
    const map = isChoice && space.underlying ? mapIn(space.underlying, run) : null;
    return map ? chosen([pdfName('Pattern'), map.value]) : undefined;
  }
  const map = mapIn(space, run);
  if (!map) return undefined;
  if (isChoice && !map.device) return chosen(map.value);
  if (map.isSameValues && !map.device) return undefined;
  const values = isChoice ? initialColour(space) : numbersOf(event).slice(-space.components);
  if (values.length < space.components) return undefined;
  const numbers = text(map.convert(values));
  if (map.device) return `${numbers} ${map.device[isStroke(op) ? 'stroke' : 'fill']}`;
  return `${deviceOf[op] ? `${chosen(map.value)} ` : ''}${numbers} ${isStroke(op) ? 'SCN' : 'scn'}`;
}

/** Converts the colour that an uncoloured pattern is painted in. */
function uncolouredPattern({ context, options, mapIn }: Recolouring, event: OperatorEvent, name: string) {
  const { op, run } = event.place;
  const space: ColorSpace = spaceBefore(context.file, event);
  const underlying = space.family === 'Pattern' && options.converts.operators ? space.underlying : null;
  const map = underlying && mapIn(underlying, run);
  if (!map || map.isSameValues) return undefined;
  return `${text(map.convert(numbersOf(event)))} ${nameText(name)} ${op}`;
}
