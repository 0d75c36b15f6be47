import type { Severity } from '@pdf2press/contract';
import {
  arrayOf,
  dictOf,
  type Font,
  hasStandIn,
  isDict,
  nameOf,
  namesByCode,
  type PdfFile,
  resourcesBelow,
} from '@pdf2press/pdf';
import type { InkGrid } from '../../reading/ink-grid.ts';
import { matchesAny } from '../../reading/names.ts';
import type { TextObject } from '../../reading/scene.ts';
import type { SettingsOf } from '../contracts.ts';
import { checkRunner, type PageContext } from '../runner.ts';
import { fontFinding, tenth, textFacts } from './font-finding.ts';
import { isProgramReadable } from './font-program.ts';
import { watchGlyphs } from './program-glyphs.ts';

type Key = 'Fonts';
interface Found {
  fonts: string[];
  minSize: number | null;
}

export const fontsRunner = checkRunner<Key>()<Found>({
  page(context) {
    const { minSize: limits, minSizeWhite, minSizeMultiInk } = context.settings;
    const isSized = [limits.failBelow, limits.warnBelow, minSizeWhite, minSizeMultiInk].some((limit) => limit !== null);
    const ink = isSized ? context.inkBelow() : null;
    const seen = new Set<Font>();
    const glyphs = watchGlyphs(context);
    let minSize: number | null = null;
    return {
      object(object) {
        if (object.type !== 'text' || object.hidden !== null) return;
        const { font, effectiveSize } = object.event;
        if (font && !seen.has(font)) {
          seen.add(font);
          judgeFont(context, font, object);
        }
        if (font && !judgeNotdef(context, font, object)) glyphs.note(font, object);
        if (object.inGlyph || !(effectiveSize > 0)) return;
        if (minSize === null || effectiveSize < minSize) minSize = effectiveSize;
        if (ink) judgeSize(context, object, ink);
      },
      syntax(event) {
        if (event.code === 'font.unreadable')
          context.report({
            rule: 'invalidFont',
            objectType: 'font',
            acrossPages: true,
            params: { ...event.params },
          });
      },
      end() {
        glyphs.report();
        if (!context.settings.onlyUsedGlyphs) judgeUnused(context, seen);
        const size = context.page.userUnit * (minSize ?? 0);
        return {
          fonts: [...seen].map((font) => font.baseName),
          minSize: minSize === null ? null : tenth(size),
        };
      },
    };
  },
  document(_, pages) {
    const names = new Set(pages.flatMap(({ found }) => found?.fonts ?? []));
    const sizes = pages.flatMap(({ found }) => found?.minSize ?? []);
    return {
      fonts: names.size,
      minSize: sizes.length > 0 ? Math.min(...sizes) : null,
    };
  },
});

/** The type of a font as a value of the setting `allowedTypes`. */
function typeOf(font: Font): SettingsOf<Key>['allowedTypes'][number] {
  if (font.type === 'Type3') return 'Type3';
  if (font.isComposite) return 'Type0';
  if (font.type === 'Type1C') return 'Type2';
  if (font.type === 'OpenType' || font.type === 'TrueType' || font.type === 'Type1') return font.type;
  return 'Type0';
}

function judgeFont(context: PageContext<Key>, font: Font, object: TextObject): void {
  const { settings, report, file } = context;
  const about = { ...fontFinding(font), object };
  const type = typeOf(font);
  const params = { font: font.baseName, type: font.type, ...textFacts(context, object) };
  if (settings.notEmbedded === 'Disallow' && !font.isEmbedded) {
    report({
      ...about,
      rule: 'notEmbedded',
      params,
      ...(hasStandIn(font) && { fixableBy: { action: 'EmbedFonts', params: {} } }),
    });
  }
  if (!settings.allowedTypes.includes(type)) report({ ...about, rule: 'type', params: { ...params, type } });
  if (type === 'Type3')
    report({ ...about, rule: 'type3', params, fixableBy: { action: 'FontsOutline', params: { scope: 'Type3' } } });
  const { policy, list } = settings.names;
  const isListed = policy !== 'Any' && matchesAny(font.baseName, list);
  if ((policy === 'AllowOnly' && !isListed) || (policy === 'Disallow' && isListed))
    report({ ...about, rule: 'name', params });
  // GWG 2022 R0014 names only Courier; Courier New and Courier Std are not used as substitutes.
  if (font.baseName === 'Courier') report({ ...about, rule: 'courierSubstitution', params });
  if (font.program !== 0 && !isProgramReadable(file, font)) report({ ...about, rule: 'invalidFont', params });
}

/**
 * Codes that show .notdef: CID 0 with an Identity encoding, and codes that Differences maps to .notdef.
 * @returns whether the text has one, and so a finding
 */
function judgeNotdef(context: PageContext<Key>, font: Font, object: TextObject): boolean {
  const { file, report } = context;
  const codes = notdefCodes(file, font);
  if (!codes) return false;
  const { bytes } = object.event;
  const step = font.isComposite ? 2 : 1;
  for (let i = 0; i + step <= bytes.length; i += step) {
    const code = step === 2 ? ((bytes[i] ?? 0) << 8) | (bytes[i + 1] ?? 0) : (bytes[i] ?? 0);
    if (!codes.has(code)) continue;
    report({
      ...fontFinding(font),
      rule: 'notdefGlyph',
      object,
      acrossPages: false,
      params: { font: font.baseName, type: font.type, ...textFacts(context, object) },
    });
    return true;
  }
  return false;
}

const notdefs = new WeakMap<Font, ReadonlySet<number> | null>();
function notdefCodes(file: PdfFile, font: Font): ReadonlySet<number> | null {
  let known = notdefs.get(font);
  if (known === undefined) {
    known = readNotdefCodes(file, font);
    notdefs.set(font, known);
  }
  return known;
}

function readNotdefCodes(file: PdfFile, font: Font): ReadonlySet<number> | null {
  if (font.isComposite) {
    const encoding = nameOf(file, font.dict, 'Encoding');
    return encoding === 'Identity-H' || encoding === 'Identity-V' ? new Set([0]) : null;
  }
  const names = namesByCode(file, file.entry(font.dict, 'Encoding'));
  const codes = new Set([...names].flatMap(([code, name]) => (name === '.notdef' ? [code] : [])));
  return codes.size > 0 ? codes : null;
}

function judgeSize(context: PageContext<Key>, object: TextObject, ink: Pick<InkGrid, 'isUnder'>): void {
  const { settings, profile, report, page } = context;
  const inks = object.fill ?? object.stroke;
  const isWhite = inks?.isWhite === true && object.stroke?.isWhite !== false;
  // White text on unprinted paper is invisible, so its size does not matter.
  if (isWhite && !ink.isUnder(object)) return;
  const size = tenth(object.event.effectiveSize * page.userUnit);
  const { font } = object.event;
  const name = font?.baseName ?? '';
  const about = (limit: number) => ({
    object,
    resourceName: name,
    measured: { value: size, unit: 'pt' as const },
    limit: { value: limit, unit: 'pt' as const, op: '>=' as const },
    params: { font: name, type: font?.type ?? '', ...textFacts(context, object) },
  });
  // GWG 2022 D0018: the scale of a large format file divides the limit.
  const scaled = (limit: number | null) => (limit === null ? null : limit / profile.scaleFactor);
  const steps: [Severity, number | null][] = [
    ['Fail', scaled(settings.minSize.failBelow)],
    ['Warn', scaled(settings.minSize.warnBelow)],
  ];
  const broken = steps.find(([, limit]) => limit !== null && size < limit);
  if (broken?.[1]) report({ ...about(broken[1]), rule: 'small', severity: broken[0] });
  if (!inks) return;
  const white = scaled(settings.minSizeWhite);
  if (white !== null && isWhite && size < white) report({ ...about(white), rule: 'smallWhite' });
  const multi = scaled(settings.minSizeMultiInk);
  if (multi !== null && inks.inkCount > 1 && size < multi) {
    const finding = about(multi);
    report({
      ...finding,
      rule: 'smallMultiInk',
      params: { ...finding.params, inks: inks.inkCount },
    });
  }
}

/** Reports fonts in the resources that no visible text uses and that are not embedded. */
function judgeUnused({ file, page, settings, report }: PageContext<Key>, used: ReadonlySet<Font>): void {
  if (settings.notEmbedded === 'Allow') return;
  const usedDicts = new Set([...used].map((font) => font.dict));
  for (const { dict } of resourcesBelow(file, page.resources, 'Font')) {
    if (usedDicts.has(dict) || nameOf(file, dict, 'Subtype') === 'Type3') continue;
    const [descendant] = arrayOf(file, dict, 'DescendantFonts');
    const inner = descendant === undefined ? dict : file.resolve(descendant);
    const descriptor = isDict(inner) ? dictOf(file, inner, 'FontDescriptor') : null;
    if (['FontFile', 'FontFile2', 'FontFile3'].some((entry) => descriptor?.map.has(entry))) continue;
    const font = (nameOf(file, dict, 'BaseFont') ?? '').replace(/^[A-Z]{6}\+/, '');
    report({
      rule: 'notEmbedded',
      objectType: 'font',
      resourceName: font,
      acrossPages: true,
      params: { font, type: nameOf(file, dict, 'Subtype') ?? '' },
    });
  }
}
