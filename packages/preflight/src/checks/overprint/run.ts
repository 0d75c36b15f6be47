import { baseSpace, isSolidBlack } from '@pdf2press/pdf';
import { lineColour, lineColourPart, lineWidthOf } from '../../reading/lines.ts';
import { matchesAny } from '../../reading/names.ts';
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
        const rules = brokenRules(context, object);
        if (overprints(object, partOf(object))) overprinting += 1;
        // The grid is asked only for objects that break a rule.
        for (const rule of rules)
          if (!onlyOverlapping || ink.isUnder(object, aboutBlack.has(rule) ? 'colour' : 'any'))
            reportRule(context, object, rule, ink.kindsUnder(object));
      },
      end: () => ({ overprinting }),
    };
  },
  document: (_, pages) => ({
    overprintingObjects: pages.reduce((sum, { found }) => sum + (found?.overprinting ?? 0), 0),
  }),
});

const partOf = (object: PageObject): 'fill' | 'stroke' =>
  object.type === 'vector' ? lineColourPart(object) : object.type === 'text' && !object.fill ? 'stroke' : 'fill';

const overprints = (object: PageObject, part: 'fill' | 'stroke'): boolean =>
  part === 'stroke' ? object.event.state.strokeOverprint : object.event.state.fillOverprint;

/** Rules that an object breaks, not yet considering what is under it. */
function brokenRules(context: PageContext<Key>, object: PageObject): RuleOf<Key>[] {
  const { settings } = context;
  const { state } = object.event;
  const part = partOf(object);
  const doesOverprint = overprints(object, part);
  const rules: RuleOf<Key>[] = [];
  if (inkedSpots(object).some((name) => matchesAny(name, settings.technicalNames)))
    return doesOverprint ? [] : ['technicalKnocksOut'];
  if (doesOverprint) {
    rules.push('anyOverprint');
    if (state.overprintMode === 0 && baseSpace(state[part].space).family === 'DeviceCMYK') rules.push('opmZeroOnCMYK');
    if (object.type === 'image' && !object.event.image.isStencil) rules.push('imageOverprint');
    if (state.softMask || state.blendMode !== 'Normal' || (part === 'fill' ? state.fillAlpha : state.strokeAlpha) < 1)
      rules.push('overprintWithTransparency');
  }
  if (object.type === 'text') rules.push(...textRules(context, object, doesOverprint));
  if (object.type === 'vector') rules.push(...pathRules(context, object, doesOverprint));
  return rules;
}

function textRules(
  { settings, page, profile }: PageContext<Key>,
  object: Extract<PageObject, { type: 'text' }>,
  doesOverprint: boolean,
): RuleOf<Key>[] {
  const inks = object.fill ?? object.stroke;
  if (!inks) return [];
  if (inks.isWhite) return doesOverprint ? ['whiteTextOverprint'] : [];
  const isGray =
    baseSpace((object.fill ? object.event.state.fill : object.event.state.stroke).space).family === 'DeviceGray';
  const rules: RuleOf<Key>[] = isGray && doesOverprint ? ['grayOverprint'] : [];
  const limit = settings.blackTextBelow;
  const size = Math.round(object.event.effectiveSize * page.userUnit * 10) / 10;
  if (limit === null || size >= limit / profile.scaleFactor || !isSolidBlack(inks)) return rules;
  // GWG 2022 R0011: DeviceGray paints all four process inks, so it cannot overprint as K or Separation Black does.
  if (isGray) rules.push('grayText');
  else if (!doesOverprint) rules.push('blackTextNotOverprint');
  return rules;
}

function pathRules(
  { settings, page, profile }: PageContext<Key>,
  object: Extract<PageObject, { type: 'vector' }>,
  doesOverprint: boolean,
): RuleOf<Key>[] {
  const inks = lineColour(object) ?? object.fill;
  if (!inks) return [];
  if (inks.isWhite) return doesOverprint ? ['whitePathOverprint'] : [];
  const isGray = baseSpace(object.event.state[lineColourPart(object)].space).family === 'DeviceGray';
  const rules: RuleOf<Key>[] = isGray && doesOverprint ? ['grayOverprint'] : [];
  const limit = settings.blackLineBelow;
  const width = lineWidthOf(object);
  if (limit === null || width === null || width * page.userUnit >= limit / profile.scaleFactor || !isSolidBlack(inks))
    return rules;
  if (isGray) rules.push('grayLine');
  else if (!doesOverprint) rules.push('blackLineNotOverprint');
  return rules;
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

const fixFor = (rule: RuleOf<Key>, spot: string | undefined): FixHint | null =>
  spot !== undefined
    ? { action: 'Overprint', params: { technicalInks: [spot] } }
    : fixable.has(rule)
      ? { action: 'Overprint', params: {} }
      : null;

function reportRule(
  { report, page }: PageContext<Key>,
  object: PageObject,
  rule: RuleOf<Key>,
  under: readonly PageObject['type'][],
): void {
  const isText = object.type === 'text';
  const width = object.type === 'vector' ? lineWidthOf(object) : null;
  const size = isText ? object.event.effectiveSize : width;
  const [spot] = rule === 'technicalKnocksOut' ? inkedSpots(object) : [];
  report({
    rule,
    object,
    colourOf: partOf(object),
    ...(spot !== undefined && { resourceName: spot }),
    ...(size !== null && { measured: { value: Math.round(size * page.userUnit * 100) / 100, unit: 'pt' as const } }),
    params: {
      op: object.event.state.fillOverprint,
      OP: object.event.state.strokeOverprint,
      OPM: object.event.state.overprintMode,
      under: under.length > 0 ? [...under] : ['paper'],
    },
    fixableBy: fixFor(rule, spot),
  });
}
