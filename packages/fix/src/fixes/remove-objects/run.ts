import {
  type DrawnAnnotation,
  drawnAnnotations,
  intersect,
  isArray,
  isDict,
  isEmptyRect,
  isName,
  isRef,
  type PageFacts,
  type PdfDict,
  type PdfValue,
  type Rect,
  rectOf,
  union,
} from '@pdf2press/pdf';
import { changeable } from '../../editing/boxes.ts';
import { drawAnnotations } from '../../editing/draw-annotations.ts';
import type { FixContext, FixRunner } from '../../kind/runner.ts';
import type { removeObjects } from './contract.ts';

type Context = FixContext<typeof removeObjects>;

const multimedia = new Set(['Movie', 'Sound', 'Screen', '3D', 'RichMedia']);
/** Annotations that are part of the print job. */
const printing = new Set(['PrinterMark', 'TrapNet']);

export const run: FixRunner<typeof removeObjects> = (context) => {
  const { settings } = context;
  for (const page of changeable(context.pageFacts)) treatAnnotations(context, page);
  if (settings.actions) for (const page of changeable(context.pageFacts)) dropPageActions(context, page);
  dropFromCatalog(context);
};

/** Points: half the size of the symbol of a note, and how far line endings extend beside the line. */
const symbolReach = 14;

/**
 * Area in which viewers draw an annotation without an appearance: a symbol around the centre of its rectangle, or lines
 * through its points (ISO 32000-2, 12.5.6) with line endings that extend beyond the rectangle.
 */
function shownByViewers(file: Context['file'], annotation: PdfDict, rect: Rect): Rect {
  const middle = [(rect[0] + rect[2]) / 2, (rect[1] + rect[3]) / 2];
  let shown = rect;
  const reach = (point: readonly PdfValue[]): void => {
    const [x, y] = point;
    if (typeof x !== 'number' || typeof y !== 'number') return;
    shown = union(shown, [x - symbolReach, y - symbolReach, x + symbolReach, y + symbolReach]);
  };
  const follow = (points: PdfValue | undefined): void => {
    if (isArray(points)) for (let at = 0; at < points.length; at += 2) reach(points.slice(at, at + 2));
  };
  reach(middle);
  for (const key of ['L', 'Vertices', 'QuadPoints', 'CL']) follow(file.entry(annotation, key));
  const strokes = file.entry(annotation, 'InkList');
  if (isArray(strokes)) for (const stroke of strokes) follow(file.resolve(stroke));
  return shown;
}

/** Whether an annotation stays, is removed or is drawn into the page. */
function fateOf({ settings, file }: Context, annotation: PdfDict): 'Keep' | 'Remove' | 'Flatten' {
  const subtype = file.entry(annotation, 'Subtype');
  const name = isName(subtype) ? subtype.name : '';
  if (printing.has(name)) return 'Keep';
  // What plays is gone either way; a poster that prints is part of the page where looks are kept.
  const gone = settings.annotations === 'Flatten' ? 'Flatten' : 'Remove';
  if (multimedia.has(name)) return settings.multimedia ? gone : settings.annotations;
  if (name === 'Link') return settings.links;
  if (name === 'Widget') return settings.formFields;
  if (name === 'FileAttachment' && settings.attachments) return gone;
  return settings.annotations;
}

function treatAnnotations(context: Context, page: PageFacts): void {
  const { file, edit, log, settings } = context;
  const drawn = drawnAnnotations(file, page);
  const all = page.annotations.map((entry) => ({ entry, annotation: file.resolve(entry) }));
  const kept: PdfValue[] = [];
  const looks: DrawnAnnotation[] = [];
  for (const { entry, annotation } of all) {
    if (!isDict(annotation)) continue;
    const rect = rectOf(file, annotation, 'Rect');
    const isInside = rect !== null && !isEmptyRect(intersect(rect, page.effective.bleed));
    const fate = settings.onlyInPrintArea && !isInside ? 'Keep' : fateOf(context, annotation);
    if (fate === 'Keep') {
      if (settings.actions && isRef(entry)) dropAnnotationActions(context, page, entry.num, annotation);
      kept.push(entry);
      continue;
    }
    const look = fate === 'Flatten' ? drawn.find((one) => one.annotation === annotation) : undefined;
    if (look) looks.push(look);
    const subtype = file.entry(annotation, 'Subtype');
    log({
      what: look ? 'flattened' : 'removed',
      page: page.number,
      before: isName(subtype) ? subtype.name : '',
      after: null,
      ...(rect && { box: annotation.map.has('AP') ? rect : shownByViewers(file, annotation, rect) }),
      params: { subtype: isName(subtype) ? subtype.name : '' },
    });
  }
  if (kept.length === page.annotations.length) return;
  edit.putPage(page, 'Annots', kept.length > 0 ? kept : undefined);
  drawAnnotations(context, page, looks);
}

/** Links go to a destination or open an address; other actions run something. */
const harmless = new Set(['GoTo', 'URI']);

function dropAnnotationActions({ file, edit, log }: Context, page: PageFacts, num: number, annotation: PdfDict): void {
  const action = file.entry(annotation, 'A');
  const kind = isDict(action) ? file.entry(action, 'S') : null;
  if (annotation.map.has('AA') || (isName(kind) && !harmless.has(kind.name))) {
    if (annotation.map.has('AA')) edit.put(num, 'AA', undefined);
    if (isName(kind) && !harmless.has(kind.name)) edit.put(num, 'A', undefined);
    log({
      what: 'actionRemoved',
      page: page.number,
      before: isName(kind) ? kind.name : 'AA',
      after: null,
      parameter: 'actions',
    });
  }
}

function dropPageActions({ edit, log }: Context, page: PageFacts): void {
  if (!page.dict.map.has('AA')) return;
  edit.putPage(page, 'AA', undefined);
  log({ what: 'actionRemoved', page: page.number, before: 'AA', after: null, parameter: 'actions' });
}

function dropFromCatalog(context: Context): void {
  const { settings, file, edit, log } = context;
  const { catalog } = file;
  const drop = (key: string, parameter: string): void => {
    if (!catalog.map.has(key)) return;
    edit.putCatalog(key, undefined);
    log({ what: 'entryRemoved', before: key, after: null, parameter });
  };
  const names = file.entry(catalog, 'Names');
  const dropName = (key: string, parameter: string): void => {
    if (!isDict(names) || !names.map.has(key)) return;
    const rest = new Map([...names.map].filter(([name]) => name !== key));
    // Entries removed earlier in this run must not come back.
    const now = file.get(rootOf(file.trailer));
    const current = isDict(now) ? file.entry(now, 'Names') : names;
    edit.putCatalog('Names', {
      kind: 'dict',
      map: new Map([...(isDict(current) ? current.map : rest)].filter(([name]) => name !== key)),
      stream: 0,
    });
    log({ what: 'entryRemoved', before: key, after: null, parameter });
  };
  if (settings.javascript) {
    dropName('JavaScript', 'javascript');
    const open = file.entry(catalog, 'OpenAction');
    const kind = isDict(open) ? file.entry(open, 'S') : null;
    if (isName(kind, 'JavaScript')) drop('OpenAction', 'javascript');
  }
  if (settings.actions) {
    drop('AA', 'actions');
    const open = file.entry(catalog, 'OpenAction');
    const kind = isDict(open) ? file.entry(open, 'S') : null;
    // An address that opens with the document is not a link.
    if (isName(kind) && kind.name !== 'GoTo' && kind.name !== 'JavaScript') drop('OpenAction', 'actions');
  }
  if (settings.attachments) {
    dropName('EmbeddedFiles', 'attachments');
    drop('AF', 'attachments');
    drop('Collection', 'attachments');
  }
  if (settings.bookmarks) drop('Outlines', 'bookmarks');
  if (settings.articleThreads) drop('Threads', 'articleThreads');
  if (settings.thumbnails) {
    for (const page of changeable(context.pageFacts)) {
      if (!page.dict.map.has('Thumb')) continue;
      edit.putPage(page, 'Thumb', undefined);
      log({ what: 'entryRemoved', page: page.number, before: 'Thumb', after: null, parameter: 'thumbnails' });
    }
  }
  dropForm(context);
}

const rootOf = (trailer: PdfDict): number => {
  const root = trailer.map.get('Root');
  return isRef(root) ? root.num : 0;
};

/** Removes the form with its last field, or only its XFA data. */
function dropForm({ settings, file, edit, log }: Context): void {
  const form = file.catalog.map.get('AcroForm');
  const dict = file.resolve(form);
  if (!isDict(dict)) return;
  const isEmptied =
    settings.formFields !== 'Keep' && !settings.onlyInPrintArea && file.pages.every((page) => !hasWidgets(file, page));
  if (isEmptied) {
    edit.putCatalog('AcroForm', undefined);
    log({ what: 'entryRemoved', before: 'AcroForm', after: null, parameter: 'formFields' });
  } else if (settings.xfa && dict.map.has('XFA')) {
    if (isRef(form)) edit.put(form.num, 'XFA', undefined);
    else edit.put(rootOf(file.trailer), ['AcroForm', 'XFA'], undefined);
    log({ what: 'entryRemoved', before: 'XFA', after: null, parameter: 'xfa' });
  }
}

function hasWidgets(file: Context['file'], page: PageFacts): boolean {
  return file.pageNow(page.number).annotations.some((entry) => {
    const annotation = file.resolve(entry);
    return isDict(annotation) && isName(file.entry(annotation, 'Subtype'), 'Widget');
  });
}
