import { type ColorSpace, isSolidBlack } from '@pdf2press/pdf';
import { lineColourPart, lineWidthOf } from '../../reading/lines.ts';
import { matchesAny } from '../../reading/names.ts';
import { overprints, type Part, partsOf, spaceOf } from '../../reading/parts.ts';
import type { PageObject } from '../../reading/scene.ts';
import { inkedSpots } from '../../reading/spots.ts';
import type { RuleOf } from '../contracts.ts';
import { checkRunner, type FixHint, type PageContext } from '../runner.ts';

type Key = 'OverPrint';
interface Found {
  overprinting: number;
}

export const overprintRunner = checkRunner<Key>()<Found>({
  page(context) {
    const ink = context.inkBelow();
    const { onlyOverlapping } = context.settings;
    let overprinting = 0;
    return {
      object(object) {
        if (object.hidden !== null || object.inGlyph) return;
        if (partsOf(object).some((part) => overprints(object, part))) overprinting += 1;
        // The grid is asked only for objects that break a rule.
        for (const broken of brokenRules(context, object))
          if (!onlyOverlapping || ink.isUnder(object, aboutBlack.has(broken.rule) ? 'colour' : 'any'))
            reportRule(context, object, broken, ink.kindsUnder(object));
      },
      end: () => ({ overprinting }),
    };
  },
  document: (_, pages) => ({
    overprintingObjects: pages.reduce((sum, { found }) => sum + (found?.overprinting ?? 0), 0),
  }),
});

/** A rule that an object breaks, and which of its paints breaks it. */
interface Broken {
  rule: RuleOf<Key>;
  part: Part;
}

/** Rules that an object breaks, not yet considering what is under it. */
function brokenRules(context: PageContext<Key>, object: PageObject): Broken[] {
  const { settings } = context;
  const { state } = object.event;
  const parts = partsOf(object);
  const overprinting = parts.filter((part) => overprints(object, part));
  const [part] = overprinting;
  if (inkedSpots(object).some((name) => matchesAny(name, settings.technicalNames)))
    return part || !parts[0] ? [] : [{ rule: 'technicalKnocksOut', part: parts[0] }];
  const broken: Broken[] = [];
  if (part) {
    broken.push({ rule: 'anyOverprint', part });
    const overwriting = overprinting.find((one) => spaceOf(object, one).family === 'DeviceCMYK');
    if (state.overprintMode === 0 && overwriting) broken.push({ rule: 'opmZeroOnCMYK', part: overwriting });
    if (object.type === 'image' && !object.event.image.isStencil) broken.push({ rule: 'imageOverprint', part });
    if (isTransparent(object, overprinting)) broken.push({ rule: 'overprintWithTransparency', part });
  }
  if (object.type === 'shading' || (object.type === 'image' && !object.event.image.isStencil)) return broken;
  const white = overprinting.find((one) => (one === 'fill' ? object.fill : object.stroke)?.isWhite);
  if (white && object.type !== 'image')
    broken.push({ rule: object.type === 'text' ? 'whiteTextOverprint' : 'whitePathOverprint', part: white });
  const grey = overprinting.find((one) => one !== white && spaceOf(object, one).family === 'DeviceGray');
  if (grey) broken.push({ rule: 'grayOverprint', part: grey });
  return [...broken, ...blackRules(context, object)];
}

const isTransparent = ({ event: { state } }: PageObject, parts: readonly Part[]): boolean =>
  state.softMask !== null ||
  state.blendMode !== 'Normal' ||
  parts.some((part) => (part === 'fill' ? state.fillAlpha : state.strokeAlpha) < 1);

/** Small black text and thin black lines, which should overprint what is under them (GWG 2022 R0009 to R0012). */
function blackRules({ settings, page, profile }: PageContext<Key>, object: PageObject): Broken[] {
  const isText = object.type === 'text';
  if (!isText && object.type !== 'vector') return [];
  const limit = isText ? settings.blackTextBelow : settings.blackLineBelow;
  const width = isText ? Math.round(object.event.effectiveSize * page.userUnit * 10) / 10 : lineWidthOf(object);
  const parts = isText ? partsOf(object) : [lineColourPart(object)];
  if (limit === null || width === null || (isText ? width : width * page.userUnit) >= limit / profile.scaleFactor)
    return [];
  // Text with an outline in another colour is no black text.
  const isBlack = parts.every((part) => {
    const inks = part === 'fill' ? object.fill : object.stroke;
    return inks !== null && isSolidBlack(inks);
  });
  // Of what is transparent, overprint decides nothing; Multiply and Darken let the colours below show through.
  if (!isBlack || isTransparent(object, parts)) return [];
  // DeviceGray paints all four process inks, so it cannot overprint as K or Separation Black does (R0011, R0012).
  const grey = parts.find((part) => spaceOf(object, part).family === 'DeviceGray');
  if (grey) return [{ rule: isText ? 'grayText' : 'grayLine', part: grey }];
  const knocking = parts.find((part) => !isKept(object, part));
  return knocking ? [{ rule: isText ? 'blackTextNotOverprint' : 'blackLineNotOverprint', part: knocking }] : [];
}

/**
 * Whether black leaves the colours below as they are. With overprint mode 0, and in ICCBased CMYK with any mode, all four
 * process inks are painted, three of them with nothing (ISO 32000-1, 8.6.7).
 */
function isKept(object: PageObject, part: Part): boolean {
  if (!overprints(object, part)) return false;
  const { family } = spaceOf(object, part);
  return family === 'DeviceCMYK' ? object.event.state.overprintMode === 1 : family !== 'ICCBased';
}

/** Rules that need ink other than black under the object; black that knocks out black does not change. */
const aboutBlack = new Set<RuleOf<Key>>(['blackTextNotOverprint', 'blackLineNotOverprint', 'grayText', 'grayLine']);

/** Rules that the overprint fix corrects without further settings. */
const fixable = new Set<RuleOf<Key>>([
  'blackTextNotOverprint',
  'blackLineNotOverprint',
  'grayText',
  'grayLine',
  'whiteTextOverprint',
  'whitePathOverprint',
]);

/** Black in an ICCBased space has to be converted first: there overprint paints all four inks. */
const fixFor = (rule: RuleOf<Key>, spot: string | undefined, space: ColorSpace): FixHint | null =>
  spot !== undefined
    ? { action: 'Overprint', params: { technicalInks: [spot] } }
    : fixable.has(rule) && !(aboutBlack.has(rule) && space.family === 'ICCBased')
      ? { action: 'Overprint', params: {} }
      : null;

function reportRule(
  { report, page }: PageContext<Key>,
  object: PageObject,
  { rule, part }: Broken,
  under: readonly PageObject['type'][],
): void {
  const isText = object.type === 'text';
  const width = object.type === 'vector' ? lineWidthOf(object) : null;
  const size = isText ? object.event.effectiveSize : width;
  const [spot] = rule === 'technicalKnocksOut' ? inkedSpots(object) : [];
  report({
    rule,
    object,
    colourOf: part,
    ...(spot !== undefined && { resourceName: spot }),
    ...(size !== null && { measured: { value: Math.round(size * page.userUnit * 100) / 100, unit: 'pt' as const } }),
    params: {
      op: object.event.state.fillOverprint,
      OP: object.event.state.strokeOverprint,
      OPM: object.event.state.overprintMode,
      under: under.length > 0 ? [...under] : ['paper'],
    },
    fixableBy: fixFor(rule, spot, spaceOf(object, part)),
  });
}
