/** Colour in another space wherever it stands: operators, images, gradients, groups. */
import {
  type ColorSpace,
  type DeviceFamily,
  type ImageEvent,
  type ImageFacts,
  interpreterOf,
  interpretPage,
  isArray,
  isDict,
  isName,
  nameText,
  numberText,
  type OperatorEvent,
  objectPath,
  type Paint,
  type PathEvent,
  type PdfDict,
  type PdfFile,
  type PdfValue,
  pdfDict,
  pdfName,
  pdfRef,
  type Rect,
  type RewriteTools,
  type Run,
  rewriteDocument,
  type Shading,
  type ShadingEvent,
  type TextEvent,
} from '@pdf2press/pdf';
import type { FixContext } from '../../runner.ts';
import { colourName } from '../blacks.ts';
import { placeKey } from '../place-key.ts';
import { pruneResources } from '../prune-resources.ts';
import { convertImage } from './images.ts';
import { convertShading } from './shadings.ts';
import type { MapSpace, SpaceMap } from './space-map.ts';

export interface RecolourOptions {
  mapSpace: MapSpace;
  /** Space that groups blend in from then on; null leaves them. */
  blendSpace: DeviceFamily | null;
  jpegQuality: number;
  /** Content of soft masks too. */
  includesMasks: boolean;
  converts: { operators: boolean; images: boolean; shadings: boolean };
  parameter: string;
}

/** What the first walk finds. */
interface Found {
  images: Map<number, { image: ImageFacts; isInMask: boolean; places: { page: number; box: Rect; path: string }[] }>;
  inline: Map<string, { event: ImageEvent; page: number; isInMask: boolean }>;
  groups: Set<number>;
  maskGroups: Set<number>;
  changes: boolean;
}

export async function recolour(context: FixContext, options: RecolourOptions): Promise<void> {
  const { file, edit, pages } = context;
  const found = findColour(context, options);
  if (!found.changes) return;
  const renamed = options.converts.images ? await convertImages(context, found, options) : new Map<number, number>();
  const inline = options.converts.images ? await convertInline(context, found, options) : new Map<string, number>();
  setGroups(context, found, options);
  rewriteOperators(context, options, renamed, inline);
  edit.markChanged();
  // What reader applications show small shows the old colours.
  for (const page of context.pageFacts) if (page.dict.map.has('Thumb')) edit.putPage(page, 'Thumb', undefined);
  const isWhole =
    pages.length === file.pageCount &&
    options.converts.operators &&
    options.converts.images &&
    options.converts.shadings;
  if (isWhole)
    pruneResources(
      edit,
      ['XObject', 'Pattern', 'Shading', 'ColorSpace', 'ExtGState'],
      ['DefaultRGB', 'DefaultGray', 'DefaultCMYK'].filter((name) => isMappedDefault(options, name)),
    );
  else pruneResources(edit, ['XObject', 'Pattern', 'Shading', 'ExtGState']);
}

/** Whether a device space is converted, so that what stood in its place is in no use. */
function isMappedDefault(options: RecolourOptions, name: string): boolean {
  const device = ({ DefaultRGB: 'DeviceRGB', DefaultGray: 'DeviceGray', DefaultCMYK: 'DeviceCMYK' } as const)[name];
  return (
    device !== undefined &&
    options.mapSpace(
      { family: device, components: device === 'DeviceRGB' ? 3 : device === 'DeviceGray' ? 1 : 4, object: 0 },
      false,
    ) !== null
  );
}

/** Looks at every use once: logs what will change and gathers images and groups. */
function findColour(context: FixContext, options: RecolourOptions): Found {
  const { file } = context;
  const found: Found = {
    images: new Map(),
    inline: new Map(),
    groups: new Set(),
    maskGroups: new Set(),
    changes: false,
  };
  const mapped = (space: ColorSpace, run: Run): SpaceMap | null =>
    run.isInSoftMask && !options.includesMasks ? null : options.mapSpace(space, run.isInSoftMask);
  for (const page of context.pageFacts) {
    context.signal.throwIfAborted();
    const group = file.entry(page.dict, 'Group');
    const isGroupOther =
      options.blendSpace !== null &&
      isDict(group) &&
      group.map.has('CS') &&
      isOther(context, group, options.blendSpace);
    // What blends in another space than before prints otherwise, even where its own colour stays.
    const see = (event: TextEvent | PathEvent | ShadingEvent | ImageEvent): void => {
      if (isGroupOther || isInOtherGroup(event.place.run, options.blendSpace))
        context.declare(page.number, boxOf(event));
    };
    let [isUsed, isSet] = [false, false];
    const log = (event: TextEvent | PathEvent | ShadingEvent | ImageEvent, before: string, after: string): void => {
      found.changes = true;
      isUsed = true;
      if (event.place.run.isInSoftMask) return;
      context.log({
        what: event.kind,
        page: page.number,
        object: `${event.place.run.object} 0 R ${objectPath(event.place)}`,
        box: boxOf(event),
        before,
        after,
        parameter: options.parameter,
      });
    };
    const paint = (event: TextEvent | PathEvent, used: Paint): void => {
      if (used.pattern?.type === 'shading') {
        shading(event, used.pattern.shading);
        return;
      }
      const map = options.converts.operators
        ? mapped(
            used.space.family === 'Pattern' && used.space.underlying ? used.space.underlying : used.space,
            event.place.run,
          )
        : null;
      if (map && !used.pattern)
        log(
          event,
          colourName(used),
          map.isSameValues
            ? familyName(file, map.value)
            : `${familyName(file, map.value)} ${map
                .convert(used.values)
                .map((value) => Math.round(value * 1000) / 10)
                .join(' ')}`,
        );
      else if (map) found.changes = true;
    };
    const shading = (event: TextEvent | PathEvent | ShadingEvent, used: Shading): void => {
      const map = options.converts.shadings ? mapped(used.space, event.place.run) : null;
      if (map) log(event, used.space.family, familyName(file, map.value));
    };
    interpretPage(
      file,
      page.number,
      [
        {
          text(event) {
            see(event);
            if (event.paints !== 'stroke') paint(event, event.state.fill);
            if (event.paints === 'stroke' || event.paints === 'both') paint(event, event.state.stroke);
          },
          path(event) {
            see(event);
            if (event.paints !== 'stroke') paint(event, event.state.fill);
            if (event.paints !== 'fill') paint(event, event.state.stroke);
          },
          shading(event) {
            see(event);
            shading(event, event.shading);
          },
          image(event) {
            const { image, place } = event;
            see(event);
            if (!options.converts.images) return;
            if (image.isStencil) return;
            const { isInSoftMask } = place.run;
            const base = image.space?.family === 'Indexed' ? image.space.base : image.space;
            if (base ? !mapped(base, place.run) : image.encoding !== 'JPX') return;
            found.changes = true;
            if (event.isInline) found.inline.set(placeKey(place), { event, page: page.number, isInMask: isInSoftMask });
            else {
              const known = found.images.get(image.object) ?? { image, isInMask: isInSoftMask, places: [] };
              known.places.push({
                page: page.number,
                box: boxOf(event),
                path: `${image.object} 0 R ${objectPath(place)}`,
              });
              found.images.set(image.object, known);
            }
          },
          runBegin({ run }) {
            if (run.group?.space && run.object) (run.isInSoftMask ? found.maskGroups : found.groups).add(run.object);
          },
          // Colours that are set and never used change, too: nothing of the old space is to stay behind.
          operator(event) {
            if (
              !isUsed &&
              options.converts.operators &&
              colourOperators.has(event.place.op) &&
              mapped(spaceBefore(file, event), event.place.run)
            )
              isSet = true;
          },
        },
      ],
      { annotations: context.touches('annotation'), everyUse: true },
    );
    if (isSet && !isUsed) {
      found.changes = true;
      context.log({ what: 'unused', page: page.number, before: null, after: null, parameter: options.parameter });
    }
    if (isGroupOther) found.changes = true;
    if (isDict(group) && group.map.has('CS')) found.groups.add(page.object);
  }
  return found;
}

function isInOtherGroup(run: Run, blendSpace: DeviceFamily | null): boolean {
  for (let at: Run | null = blendSpace === null ? null : run; at; at = at.parent) {
    if (at.group?.space && at.group.space.family !== blendSpace) return true;
  }
  return false;
}

const deviceOf: Readonly<Record<string, DeviceFamily>> = {
  g: 'DeviceGray',
  G: 'DeviceGray',
  rg: 'DeviceRGB',
  RG: 'DeviceRGB',
  k: 'DeviceCMYK',
  K: 'DeviceCMYK',
};
const colourOperators = new Set([...Object.keys(deviceOf), 'cs', 'CS', 'sc', 'SC', 'scn', 'SCN']);
const isStroke = (op: string): boolean => op === op.toUpperCase();

/** The space an operator names, or that its numbers are in. */
function spaceBefore(file: FixContext['file'], { place, operands, state }: OperatorEvent): ColorSpace {
  const { spaces } = interpreterOf(file);
  const device = deviceOf[place.op];
  if (device) return spaces.device(device, place.run.resources);
  if (place.op === 'cs' || place.op === 'CS') return spaces.read(operands.at(-1), place.run.resources);
  return (isStroke(place.op) ? state.stroke : state.fill).space;
}

function boxOf(event: { bbox: Rect; state: { clip: { bbox: Rect } } }): Rect {
  const [a, b] = [event.bbox, event.state.clip.bbox];
  const box: Rect = [
    Math.max(a[0], b[0]) - 2,
    Math.max(a[1], b[1]) - 2,
    Math.min(a[2], b[2]) + 2,
    Math.min(a[3], b[3]) + 2,
  ];
  return box[0] <= box[2] && box[1] <= box[3] ? box : event.bbox;
}

/** `DeviceCMYK`; of inks with what stands for them: `Separation (DeviceCMYK)`. */
function familyName(file: PdfFile, value: PdfValue | undefined): string {
  const space = file.resolve(value);
  if (isName(space)) return space.name;
  const [first, , alternate] = isArray(space) ? space : [];
  const family = isName(first) ? first.name : '';
  return family === 'Separation' || family === 'DeviceN' ? `${family} (${familyName(file, alternate)})` : family;
}

/** At most so many images are in memory at a time. */
const lanes = 3;

async function convertImages(
  context: FixContext,
  found: Found,
  options: RecolourOptions,
): Promise<Map<number, number>> {
  const { edit } = context;
  const elsewhere = imagesElsewhere(context);
  const renamed = new Map<number, number>();
  const waiting = [...found.images.values()];
  const total = waiting.length;
  let failure: unknown = null;
  const work = async (): Promise<void> => {
    for (let next = waiting.shift(); next && failure === null; next = waiting.shift()) {
      context.signal.throwIfAborted();
      const { image, isInMask, places } = next;
      const result = await convertImage(edit, image, null, { ...options, isInMask });
      if (result.state === 'unreadable') {
        context.warn('imageUnreadable', { page: places[0]?.page ?? null, object: image.object });
        // What no decoder reads, each shows as it likes.
        for (const { page, box } of places) context.declare(page, box);
      }
      if (result.state !== 'converted') continue;
      if (elsewhere.has(image.object)) renamed.set(image.object, edit.addStream(result.data, result.dict));
      else edit.setStream(image.object, result.data, result.dict);
      const before = image.space?.family ?? 'JPX';
      for (const { page, box, path } of places)
        context.log({
          what: 'image',
          page,
          object: path,
          box,
          before,
          after: familyName(context.file, result.dict.map.get('ColorSpace')),
          parameter: options.parameter,
        });
      context.progress(total - waiting.length, total);
    }
  };
  await Promise.all(
    Array.from({ length: Math.min(lanes, total) }, () =>
      work().catch((error: unknown) => {
        failure ??= error;
      }),
    ),
  );
  if (failure !== null) throw failure;
  return renamed;
}

/** Images that pages show which are not to change: those get a copy. */
function imagesElsewhere({ file, pages }: FixContext): Set<number> {
  const shown = new Set<number>();
  const chosen = new Set(pages);
  for (const page of file.pages) {
    if (!chosen.has(page.number))
      interpretPage(file, page.number, [{ image: ({ image }) => void shown.add(image.object) }]);
  }
  return shown;
}

async function convertInline(
  context: FixContext,
  found: Found,
  options: RecolourOptions,
): Promise<Map<string, number>> {
  const replaced = new Map<string, number>();
  for (const [key, { event, page, isInMask }] of found.inline) {
    const { image } = event;
    const result = await convertImage(context.edit, image, event.inlineData, { ...options, isInMask });
    if (result.state === 'unreadable') context.warn('imageUnreadable', { page, object: 0 });
    if (result.state !== 'converted') continue;
    const dict = pdfDict(
      { Type: pdfName('XObject'), Subtype: pdfName('Image'), ...longFilter(result.dict) },
      result.dict,
    );
    replaced.set(key, context.edit.addStream(result.data, dict));
    context.log({
      what: 'image',
      page,
      box: boxOf(event),
      before: image.space?.family ?? '',
      after: familyName(context.file, result.dict.map.get('ColorSpace')),
      parameter: options.parameter,
    });
  }
  return replaced;
}

const longNames: Readonly<Record<string, string>> = {
  A85: 'ASCII85Decode',
  AHx: 'ASCIIHexDecode',
  CCF: 'CCITTFaxDecode',
  DCT: 'DCTDecode',
  Fl: 'FlateDecode',
  LZW: 'LZWDecode',
  RL: 'RunLengthDecode',
};

/** Abbreviations are for inline images only. */
function longFilter(dict: PdfDict): Record<string, PdfValue> {
  const long = (value: PdfValue): PdfValue =>
    isName(value)
      ? pdfName(longNames[value.name] ?? value.name)
      : Array.isArray(value)
        ? value.map((entry: PdfValue) => long(entry))
        : value;
  const filter = dict.map.get('Filter');
  return filter === undefined ? {} : { Filter: long(filter) };
}

function isOther({ file }: FixContext, group: PdfDict, family: DeviceFamily): boolean {
  return !isName(file.resolve(group.map.get('CS')), family);
}

/** Groups blend in the new space; masks, whose luminosity counts, in grey. */
function setGroups(context: FixContext, found: Found, { blendSpace, mapSpace, includesMasks }: RecolourOptions): void {
  if (!blendSpace) return;
  const { file, edit } = context;
  const set = (num: number, family: DeviceFamily, isInMask: boolean): void => {
    const dict = file.get(num);
    const group = isDict(dict) ? file.entry(dict, 'Group') : null;
    if (!isDict(dict) || !isDict(group) || !group.map.has('CS') || !isOther(context, group, family)) return;
    const space = interpreterOf(file).spaces.read(group.map.get('CS'), null);
    const isMapped =
      mapSpace(space, isInMask) !== null ||
      (!isInMask && space.components === 4 && space.family === 'ICCBased' && family === 'DeviceCMYK');
    if (!isMapped && !(space.components === 3)) return;
    edit.put(num, 'Group', pdfDict({ CS: pdfName(family) }, group));
    if (!isInMask)
      context.log({
        what: 'group',
        page: file.pages.find((page) => page.object === num)?.number ?? null,
        object: `${num} 0 R`,
        before: space.family,
        after: family,
        parameter: 'setBlendSpace',
      });
  };
  for (const num of found.groups) set(num, blendSpace, false);
  if (includesMasks) for (const num of found.maskGroups) set(num, 'DeviceGray', true);
}

function rewriteOperators(
  context: FixContext,
  options: RecolourOptions,
  renamed: ReadonlyMap<number, number>,
  inline: ReadonlyMap<string, number>,
): void {
  const { file, edit } = context;
  const shadings = new Map<PdfDict, number | null>();
  const patterns = new Map<PdfDict, number | null>();
  const mapIn = (space: ColorSpace, run: Run): SpaceMap | null =>
    run.isInSoftMask && !options.includesMasks ? null : options.mapSpace(space, run.isInSoftMask);

  const newShading = (shading: Shading, run: Run): number | null => {
    const known = shadings.get(shading.dict);
    if (known !== undefined) return known;
    const map = options.converts.shadings ? mapIn(shading.space, run) : null;
    const made = map && convertShading(edit, shading, map);
    if (map && made === null) context.warn('shadingUnreadable', { page: run.page });
    shadings.set(shading.dict, made);
    return made;
  };
  const list = (run: Run, category: string): PdfDict | null => {
    const found = run.resources ? file.entry(run.resources, category) : null;
    return isDict(found) ? found : null;
  };
  const shadingNamed = (run: Run, name: string): Shading | null => {
    const dict = file.resolve(list(run, 'Shading')?.map.get(name));
    if (!isDict(dict)) return null;
    return {
      type: Number(file.entry(dict, 'ShadingType')) || 0,
      object: dict.stream,
      dict,
      space: interpreterOf(file).spaces.read(dict.map.get('ColorSpace') ?? dict.map.get('CS'), run.resources),
    };
  };
  const newPattern = (run: Run, name: string): number | null => {
    const dict = file.resolve(list(run, 'Pattern')?.map.get(name));
    if (!isDict(dict) || file.entry(dict, 'PatternType') !== 2) return null;
    const known = patterns.get(dict);
    if (known !== undefined) return known;
    const shading = file.entry(dict, 'Shading');
    const made = isDict(shading)
      ? newShading(
          {
            type: Number(file.entry(shading, 'ShadingType')) || 0,
            object: shading.stream,
            dict: shading,
            space: interpreterOf(file).spaces.read(
              shading.map.get('ColorSpace') ?? shading.map.get('CS'),
              run.resources,
            ),
          },
          run,
        )
      : null;
    const pattern = made === null ? null : edit.add(pdfDict({ Shading: pdfRef(made) }, dict));
    patterns.set(dict, pattern);
    return pattern;
  };
  const ref = (num: number) => edit.engineObject(pdfRef(num));

  const special: Readonly<Record<string, (event: OperatorEvent, tools: RewriteTools) => string | undefined>> = {
    sh({ place, operands }, tools) {
      const name = operands.at(-1);
      const shading = isName(name) ? shadingNamed(place.run, name.name) : null;
      const made = shading && newShading(shading, place.run);
      return made ? `${nameText(tools.resource('Shading', ref(made), 'P2PSh'))} sh` : undefined;
    },
    Do({ place, operands }, tools) {
      const name = operands.at(-1);
      const value = isName(name) ? list(place.run, 'XObject')?.map.get(name.name) : undefined;
      const target = file.resolve(value);
      const made = isDict(target) ? renamed.get(target.stream) : undefined;
      return made === undefined ? undefined : `${nameText(tools.resource('XObject', ref(made), 'P2PIm'))} Do`;
    },
    BI({ place }, tools) {
      const made = inline.get(placeKey(place));
      return made === undefined ? undefined : `${nameText(tools.resource('XObject', ref(made), 'P2PIm'))} Do`;
    },
  };

  rewriteDocument(file, {
    pages: context.pages,
    annotations: context.touches('annotation'),
    operator(event, tools) {
      const { op } = event.place;
      const replace =
        special[op]?.(event, tools) ?? (colourOperators.has(op) ? recolouredOperator(event, tools) : undefined);
      return replace === undefined ? undefined : { replace };
    },
  });

  function recolouredOperator(event: OperatorEvent, tools: RewriteTools): string | undefined {
    const { op, run } = event.place;
    const space = spaceBefore(file, event);
    const stroke = isStroke(op);
    const last = event.operands.at(-1);
    if ((op === 'scn' || op === 'SCN') && isName(last)) return patternOperator(event, tools, space, last.name);
    if (!options.converts.operators) return undefined;
    if (space.family === 'Pattern') {
      const map = (op === 'cs' || op === 'CS') && space.underlying ? mapIn(space.underlying, run) : null;
      return map
        ? `${nameText(tools.resource('ColorSpace', edit.engineObject([pdfName('Pattern'), map.value]), 'P2PCS'))} ${op}`
        : undefined;
    }
    const map = mapIn(space, run);
    if (!map) return undefined;
    const isChoice = op === 'cs' || op === 'CS';
    if (isChoice && !map.device)
      return `${nameText(tools.resource('ColorSpace', edit.engineObject(map.value), 'P2PCS'))} ${op}`;
    const values = isChoice
      ? initial(space)
      : event.operands.filter((operand): operand is number => typeof operand === 'number').slice(-space.components);
    if (values.length < space.components) return undefined;
    if (map.isSameValues && !map.device) return undefined;
    const text = map
      .convert(values)
      .map((value) => numberText(Math.round(value * 10_000) / 10_000))
      .join(' ');
    if (map.device) return `${text} ${map.device[stroke ? 'stroke' : 'fill']}`;
    const chosen = deviceOf[op]
      ? `${nameText(tools.resource('ColorSpace', edit.engineObject(map.value), 'P2PCS'))} ${stroke ? 'CS' : 'cs'} `
      : '';
    return `${chosen}${text} ${stroke ? 'SCN' : 'scn'}`;
  }

  function patternOperator(
    event: OperatorEvent,
    tools: RewriteTools,
    space: ColorSpace,
    name: string,
  ): string | undefined {
    const { op, run } = event.place;
    const made = newPattern(run, name);
    if (made !== null) return `${nameText(tools.resource('Pattern', ref(made), 'P2PPa'))} ${op}`;
    const map =
      options.converts.operators && space.family === 'Pattern' && space.underlying
        ? mapIn(space.underlying, run)
        : null;
    if (!map || map.isSameValues) return undefined;
    const values = event.operands.filter((operand): operand is number => typeof operand === 'number');
    return `${map
      .convert(values)
      .map((value) => numberText(Math.round(value * 10_000) / 10_000))
      .join(' ')} ${nameText(name)} ${op}`;
  }
}

/** The colour a space begins with (ISO 32000-1, 8.6.8): tints are full, others as near to 0 as they go. */
function initial(space: ColorSpace): number[] {
  if (space.family === 'Separation' || space.family === 'DeviceN')
    return Array.from({ length: space.components }, () => 1);
  if (space.family === 'DeviceCMYK' || (space.family === 'ICCBased' && space.components === 4)) return [0, 0, 0, 1];
  return Array.from({ length: space.components }, () => 0);
}
