import type { PdfFile, Rect } from '@pdf2press/pdf';
import { dictOf, dictsIn, nameOf, rectOf, resourcesBelow, touches } from '@pdf2press/pdf';
import {
  conformanceClaims,
  documentActions,
  formFacts,
  nameTreeValues,
  type OutputIntent,
  outputIntents,
} from '../../reading/document-facts.ts';
import { matchesAny } from '../../reading/names.ts';
import type { SettingsOf } from '../contracts.ts';
import { checkRunner, type DocumentContext, type FixHint, type PageContext } from '../runner.ts';

const key = 'DocumentIntegrity';
type Key = typeof key;

/** Syntax faults that can change the printed page; other faults are only noted. */
const serious = new Set([
  'operator.unknown',
  'token.bad',
  'restore.unmatched',
  'save.unmatched',
  'inlineImage.unterminated',
  'content.unreadable',
  'content.recursive',
  'content.tooDeep',
]);

/** Faults that rewriting the content stream corrects. */
const balanced = new Set(['save.unmatched', 'restore.unmatched']);
const repair: FixHint = { action: 'Repair', params: {} };
const removal: FixHint = { action: 'RemoveObjects', params: {} };

const multimediaAnnotations = new Set(['Movie', 'Sound', 'Screen', '3D', 'RichMedia']);
/** Annotations that ISO 15930 permits in the print area. */
const harmlessAnnotations = new Set(['Link', 'Popup', 'TrapNet', 'PrinterMark']);

export const documentIntegrityRunner = checkRunner<Key>()<{ faults: number }>({
  page(context) {
    let faults = 0;
    return {
      syntax(event) {
        const isMissing = event.code === 'resource.missing';
        const rule = isMissing ? 'resourceMissing' : serious.has(event.code) ? 'syntaxErrors' : 'syntaxMinor';
        if (rule !== 'syntaxMinor') faults += 1;
        context.report({
          rule,
          objectType: 'page',
          objectRef: `${event.place.run.object} 0 R`,
          params: {
            code: event.code,
            operator: event.place.op,
            offset: event.place.start,
            ...event.params,
          },
          fixableBy: balanced.has(event.code) ? repair : null,
        });
      },
      end() {
        lookAtAnnotations(context);
        lookAtXObjects(context);
        return { faults };
      },
    };
  },
  async document(context, pages) {
    const { file } = context;
    const claims = conformanceClaims(file);
    const intents = outputIntents(file);
    reportState(context);
    reportLostPages(context);
    reportVersion(context);
    reportConformance(context, claims);
    reportOutputIntent(context, intents);
    reportContents(context);
    const { renderTest } = context.settings;
    const failures =
      renderTest.isOn && context.isOn('renderFailed')
        ? await context.renderTest({
            pages: context.pages,
            dpi: renderTest.dpi,
            cpuSeconds: renderTest.timeoutSeconds,
          })
        : [];
    for (const { page, reason } of failures)
      context.report({
        rule: 'renderFailed',
        page,
        acrossPages: true,
        objectType: 'page',
        params: { reason },
      });
    return {
      version: file.version,
      encrypted: file.encryption !== null,
      repaired: file.isRepaired,
      claims,
      syntaxFaults: pages.reduce((sum, { found }) => sum + (found?.faults ?? 0), 0),
    };
  },
});

function lookAtAnnotations(context: PageContext<Key>): void {
  const { file, page, area } = context;
  for (const annotation of dictsIn(file, page.annotations)) {
    const subtype = nameOf(file, annotation, 'Subtype') ?? '';
    if (multimediaAnnotations.has(subtype))
      context.report({
        rule: 'multimedia',
        objectType: 'annotation',
        params: { subtype },
        fixableBy: removal,
      });
    const rect = rectOf(file, annotation, 'Rect');
    const printArea: Rect = area.bleed;
    if (!rect || harmlessAnnotations.has(subtype) || !touches(rect, printArea)) continue;
    const rule = subtype === 'Widget' ? 'formFieldsInPrintArea' : 'annotationsInPrintArea';
    context.report({
      rule,
      objectType: 'annotation',
      box: rect,
      params: { subtype },
      fixableBy: removal,
    });
  }
}

function lookAtXObjects(context: PageContext<Key>): void {
  for (const { name, dict } of resourcesBelow(context.file, context.page.resources, 'XObject')) {
    const isPostScript =
      nameOf(context.file, dict, 'Subtype') === 'PS' || nameOf(context.file, dict, 'Subtype2') === 'PS';
    if (isPostScript)
      context.report({
        rule: 'postscriptXObject',
        objectType: 'document',
        objectRef: `${dict.stream} 0 R`,
        resourceName: name,
      });
  }
}

function reportState(context: DocumentContext<Key>): void {
  const { file, settings, report } = context;
  if (file.isRepaired && settings.damaged !== 'Allow') {
    const problems = [...file.structure.problems];
    report({
      rule: 'damaged',
      severity: settings.damaged === 'Disallow' ? 'Fail' : 'Warn',
      objectType: 'document',
      params: { problems, repaired: true },
      fixableBy: repair,
    });
  }
  if (!file.encryption) return;
  const { permissions, method, bits } = file.encryption;
  const mayPrint = permissions.print;
  const isRefused =
    settings.encryption === 'Disallow' || (settings.encryption === 'AllowIfPrintingPermitted' && !mayPrint);
  if (settings.encryption === 'AllowIfPrintingPermitted' && mayPrint) return;
  report({
    rule: 'encrypted',
    severity: isRefused ? 'Fail' : 'Warn',
    objectType: 'document',
    params: { method, bits, mayPrint },
    fixableBy: repair,
  });
}

/** Pages whose dictionary is missing from the file. */
function reportLostPages({ file, pages, report }: DocumentContext<Key>): void {
  for (const page of pages) {
    const isLost = file.pages[page - 1]?.dict.map.size === 0;
    if (isLost) report({ rule: 'pageLost', page, objectType: 'page', params: { page } });
  }
}

function reportVersion({ file, settings, report }: DocumentContext<Key>): void {
  const { minPdfVersion: min, maxPdfVersion: max } = settings;
  const measured = { value: file.version, unit: 'version' } as const;
  if (min && Number(file.version) < Number(min)) {
    report({
      rule: 'versionLow',
      objectType: 'document',
      measured,
      limit: { value: min, unit: 'version', op: '>=' },
    });
  }
  if (max && Number(file.version) > Number(max)) {
    report({
      rule: 'versionHigh',
      objectType: 'document',
      measured,
      limit: { value: max, unit: 'version', op: '<=' },
    });
  }
}

function reportConformance({ settings, report }: DocumentContext<Key>, claims: readonly string[]): void {
  const level = settings.requiredConformance;
  if (level === 'None') return;
  const wanted = level.startsWith('X') ? `PDF/${level}` : level;
  // X-1a and X-3 have a year, which must be equal; the others may have a suffix (`PDF/X-4p`, `PDF/A-2b`).
  const comesInKinds = !wanted.includes(':');
  if (claims.some((claim) => claim === wanted || (comesInKinds && claim.startsWith(wanted)))) return;
  report({
    rule: 'conformance',
    objectType: 'document',
    params: { required: wanted, claims: [...claims] },
  });
}

type OutputIntentSettings = SettingsOf<Key>['outputIntent'];
const intentRules: Record<
  OutputIntentSettings['mode'],
  (intents: readonly OutputIntent[], settings: OutputIntentSettings) => boolean
> = {
  NotRequired: () => true,
  Required: (intents) => intents.length > 0,
  OneOf: (intents, { names }) =>
    intents.some((intent) => matchesAny(intent.identifier, names) || matchesAny(intent.condition, names)),
  CMYKOnly: (intents) =>
    intents.length > 0 && intents.every(({ profileSpace }) => profileSpace === null || profileSpace === 'CMYK'),
};

function reportOutputIntent({ settings, report }: DocumentContext<Key>, intents: readonly OutputIntent[]): void {
  const { mode } = settings.outputIntent;
  if (intentRules[mode](intents, settings.outputIntent)) return;
  report({
    rule: 'outputIntent',
    objectType: 'document',
    params: {
      mode,
      found: intents.map((intent) => intent.identifier || intent.condition || intent.subtype),
    },
    fixableBy: { action: 'ConvertToPdfX', params: { standard: 'None', replaceIntent: true } },
  });
}

function reportContents(context: DocumentContext<Key>): void {
  const { file, report } = context;
  const { javascript, actions } = documentActions(file);
  const form = formFacts(file);
  if (javascript)
    report({
      rule: 'javascript',
      objectType: 'document',
      fixableBy: removal,
    });
  if (actions.length > 0) report({ rule: 'actions', objectType: 'document', params: { actions }, fixableBy: removal });
  const files = embeddedFileCount(file);
  if (files > 0)
    report({
      rule: 'embeddedFiles',
      objectType: 'document',
      params: { count: files },
      fixableBy: { action: 'RemoveObjects', params: { attachments: true } },
    });
  if (form.hasXfa) report({ rule: 'XFA', objectType: 'document', fixableBy: removal });
  if (form.signatures > 0)
    report({
      rule: 'digitalSignature',
      objectType: 'document',
      params: { count: form.signatures },
    });
  const separated = file.pages.filter((page) => dictOf(file, page.dict, 'SeparationInfo')).length;
  if (separated > 0)
    report({
      rule: 'preseparated',
      objectType: 'document',
      params: { count: separated },
    });
}

function embeddedFileCount(file: PdfFile): number {
  const tree = dictOf(file, dictOf(file, file.catalog, 'Names'), 'EmbeddedFiles');
  const attached = file.pages.reduce(
    (sum, page) =>
      sum +
      dictsIn(file, page.annotations).filter((annotation) => nameOf(file, annotation, 'Subtype') === 'FileAttachment')
        .length,
    0,
  );
  return nameTreeValues(file, tree).length + attached;
}
