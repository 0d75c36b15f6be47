import { numberText, type Paint, type PathEvent, type TextEvent } from '@pdf2press/pdf';
import { colourName, isPureBlack, processValues, rgbValues } from '../../editing/blacks.ts';
import { type ColourText, overridePaint } from '../../editing/override.ts';
import { isTransparent } from '../../editing/painted.ts';
import type { FixContext, FixRunner } from '../../kind/runner.ts';
import type { richBlack } from './contract.ts';

type Context = FixContext<typeof richBlack>;

export const run: FixRunner<typeof richBlack> = (context) => {
  const decide = context.settings.direction === 'ToK' ? toBlackAlone : toRecipe;
  overridePaint(context, (event) => {
    const override = decide(context, event);
    if (!override || !isInTransparency(event)) return override;
    const isLeft = context.settings.excludeInsideTransparency === 'Exclude';
    context.warn(isLeft ? 'transparencyLeft' : 'transparency', { page: event.place.run.page });
    return isLeft ? null : override;
  });
};

const isInTransparency = ({ state, place }: TextEvent | PathEvent): boolean =>
  isTransparent(state) || place.run.group !== null;

/** Whether the colour is black of several inks, RGB black or registration colour, by the limits of the settings. */
function isRich(paint: Paint, settings: Context['settings']): boolean {
  if (paint.pattern) return false;
  const { space, values } = paint;
  const { tolerance } = settings;
  if (space.family === 'Separation' && space.names[0] === 'All')
    return settings.includeRegistration && (values[0] ?? 0) * 100 >= settings.minK - tolerance;
  const rgb = rgbValues(paint);
  if (rgb) return Math.max(...rgb) * 100 <= settings.rgbMax + tolerance;
  const inks = processValues(paint);
  if (!inks) return false;
  const sum = inks.reduce((total, ink) => total + ink, 0) * 100;
  const isChromatic = Math.max(inks[0], inks[1], inks[2]) > 0.004;
  return inks[3] * 100 >= settings.minK - tolerance && isChromatic && sum > settings.minSum - tolerance;
}

/** Whether the object is text up to the size limit, or a line or thin shape up to the width limit. */
function isSmall(event: TextEvent | PathEvent, { settings, file }: Context, isStroke: boolean): boolean {
  const unit = file.pages[event.place.run.page - 1]?.userUnit ?? 1;
  if (event.kind === 'text')
    return (
      settings.objects.includes('text') &&
      (!settings.textMaxSize || event.effectiveSize * unit <= settings.textMaxSize + 1e-6)
    );
  if (!settings.objects.includes('vector')) return false;
  const width = isStroke ? event.lineWidth : event.thinFill;
  if (width === null) return false;
  return !settings.lineMaxWidth || width * unit <= settings.lineMaxWidth + 1e-6;
}

function toBlackAlone(context: Context, event: TextEvent | PathEvent) {
  const { settings } = context;
  if (
    !context.touches(event.kind === 'text' ? 'text' : 'vector') ||
    event.paints === 'none' ||
    isOutsideBleed(context, event)
  )
    return null;
  const isFill = event.paints !== 'stroke' && isRich(event.state.fill, settings) && isSmall(event, context, false);
  const isStroke = event.paints !== 'fill' && isRich(event.state.stroke, settings) && isSmall(event, context, true);
  if (!isFill && !isStroke) return null;
  const overprints = settings.keepOverprint
    ? { overprintMode: 1 as const, ...(isFill && { fillOverprint: true }), ...(isStroke && { strokeOverprint: true }) }
    : {};
  return {
    ...(isFill && { fill: { text: '0 0 0 1 k' } }),
    ...(isStroke && { stroke: { text: '0 0 0 1 K' } }),
    ...overprints,
    log: {
      what: event.kind === 'text' ? 'text' : 'vector',
      before: colourName(isFill ? event.state.fill : event.state.stroke),
      after: 'C 0 M 0 Y 0 K 100',
      parameter: 'direction',
    },
  };
}

/** Marks outside the bleed have to print on every plate. */
function isOutsideBleed({ file, settings }: Context, { place, bbox }: TextEvent | PathEvent): boolean {
  if (!settings.includeRegistration) return false;
  const bleed = file.pages[place.run.page - 1]?.effective.bleed;
  return bleed !== undefined && (bbox[2] < bleed[0] || bbox[0] > bleed[2] || bbox[3] < bleed[1] || bbox[1] > bleed[3]);
}

/** The recipe within the ink limit: cyan, magenta and yellow are reduced by the same factor. */
function recipeText({ recipe, maxInk }: Context['settings']): ColourText {
  const chromatic = recipe.c + recipe.m + recipe.y;
  const share = chromatic > 0 ? Math.min(1, Math.max(0, maxInk - recipe.k) / chromatic) : 1;
  const inks = [recipe.c * share, recipe.m * share, recipe.y * share, recipe.k].map((ink) =>
    numberText(Math.round(ink * 100) / 10_000),
  );
  return { text: `${inks.join(' ')} k` };
}

/** Applies the recipe to large areas of black only (ToRich) or of any deep black (Recipe). */
function toRecipe(context: Context, event: TextEvent | PathEvent) {
  const { settings, file } = context;
  if (
    event.kind !== 'path' ||
    event.paints === 'stroke' ||
    !context.touches('vector') ||
    isOutsideBleed(context, event)
  )
    return null;
  const unit = file.pages[event.place.run.page - 1]?.userUnit ?? 1;
  const [x0, y0, x1, y1] = event.bbox;
  if ((x1 - x0) * (y1 - y0) * unit ** 2 < settings.minArea || event.state.fill.pattern) return null;
  const { fill } = event.state;
  const isWanted =
    isPureBlack(fill, settings.minK / 100) || (settings.direction === 'Recipe' && isRich(fill, settings));
  const recipe = recipeText(settings);
  const said = `${(processValues(fill) ?? []).map((ink) => numberText(Math.round(ink * 10_000) / 10_000)).join(' ')} k`;
  if (!isWanted || said === recipe.text) return null;
  return { fill: recipe, log: { what: 'rich', before: colourName(fill), after: recipe.text, parameter: 'recipe' } };
}
