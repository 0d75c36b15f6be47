import {
  type ImageEvent,
  interpretPage,
  intersect,
  isEmptyRect,
  numberText,
  type PageFacts,
  type PathEvent,
  type Rect,
  type Run,
  rewriteDocument,
  type ShadingEvent,
  type TextEvent,
  tidyBox,
  wrapContent,
} from '@pdf2press/pdf';
import { changeable, setBox } from '../../editing/boxes.ts';
import { placeKey } from '../../editing/place-key.ts';
import { pruneResources } from '../../editing/prune-resources.ts';
import type { FixContext, FixRunner } from '../../kind/runner.ts';
import type { removeOutside } from './contract.ts';

type Context = FixContext<typeof removeOutside>;
type Painted = TextEvent | PathEvent | ImageEvent | ShadingEvent;

const boxes = { Bleed: 'bleed', Trim: 'trim', Crop: 'crop', Media: 'media' } as const;

export const run: FixRunner<typeof removeOutside> = (context) => {
  const { settings, file, edit } = context;
  const drops = new Map<string, 'text' | 'path' | 'drop'>();
  const pages: { page: PageFacts; area: Rect; isCut: boolean; isChanged: boolean }[] = [];
  for (const page of changeable(context.pageFacts)) {
    const box = page.effective[boxes[settings.box]];
    const margin = settings.margin / page.userUnit;
    const area: Rect = [box[0] - margin, box[1] - margin, box[2] + margin, box[3] + margin];
    const found = findOutside(context, page, area, drops);
    pages.push({ page, area, isCut: found.crossing && settings.clipCrossing, isChanged: found.dropped });
  }
  const changed = pages.filter((entry) => entry.isChanged).map(({ page }) => page.number);
  if (changed.length > 0) {
    rewriteDocument(file, {
      pages: changed,
      annotations: false,
      operator({ place, state }) {
        const kind = drops.get(placeKey(place));
        if (kind === undefined) return undefined;
        return kind === 'text'
          ? { before: '3 Tr\n', after: `\n${state.text.mode} Tr\n` }
          : { replace: kind === 'path' ? 'n' : '' };
      },
    });
    edit.markChanged();
  }
  for (const { page, area, isCut } of pages) {
    if (isCut) {
      const rect = [area[0], area[1], area[2] - area[0], area[3] - area[1]]
        .map((value) => numberText(Math.round(value * 1e5) / 1e5))
        .join(' ');
      wrapContent(edit, file.pageNow(page.number), { before: `q ${rect} re W n\n`, after: '\nQ\n' });
      context.log({ what: 'cut', page: page.number, before: null, after: null, parameter: 'clipCrossing' });
    }
    if (settings.cropMedia) {
      const media = tidyBox(intersect(area, page.effective.media));
      setBox(context, page, 'media', media, 'cropMedia');
      for (const name of ['crop', 'bleed', 'trim', 'art'] as const) {
        if (page.boxes[name]) setBox(context, page, name, tidyBox(intersect(page.effective[name], media)), 'cropMedia');
      }
    }
  }
  if (changed.length > 0) pruneResources(edit, ['XObject', 'Font', 'Shading', 'Pattern']);
};

/** Finds objects that are completely outside, and whether any object crosses the edge. */
function findOutside(
  context: Context,
  page: PageFacts,
  area: Rect,
  drops: Map<string, 'text' | 'path' | 'drop'>,
): { dropped: boolean; crossing: boolean } {
  let dropped = false;
  let crossing = false;
  const see = (event: Painted, kind: 'text' | 'path' | 'drop'): void => {
    // In patterns, masks, glyphs and appearances, coordinates say nothing about the place on the page.
    if (isInside(event.place.run, ['pattern', 'softmask', 'type3', 'appearance'])) return;
    const box = intersect(
      'painted' in event
        ? event.painted
        : event.kind === 'text'
          ? grown(event.bbox, event.effectiveSize * 0.3)
          : event.bbox,
      event.state.clip.bbox,
    );
    if (isEmptyRect(box)) return;
    const seen = intersect(box, area);
    const isOut = isEmptyRect(seen) || seen[0] === seen[2] || seen[1] === seen[3];
    if (!isOut) {
      crossing ||=
        box[0] < area[0] - 0.05 || box[1] < area[1] - 0.05 || box[2] > area[2] + 0.05 || box[3] > area[3] + 0.05;
      return;
    }
    if (event.kind === 'text' && event.paints === 'none') return;
    if (!context.touches(event.kind === 'path' ? 'vector' : event.kind)) return;
    dropped = true;
    drops.set(placeKey(event.place), kind);
    context.log({ what: 'removed', page: page.number, before: event.kind, after: null, parameter: 'box' });
  };
  interpretPage(
    context.file,
    page.number,
    [
      {
        text: (event) => see(event, 'text'),
        path: (event) => see(event, 'path'),
        image: (event) => see(event, 'drop'),
        shading: (event) => see(event, 'drop'),
      },
    ],
    { annotations: false, everyUse: true },
  );
  return { dropped, crossing };
}

function isInside(run: Run, kinds: readonly Run['kind'][]): boolean {
  for (let at: Run | null = run; at; at = at.parent) if (kinds.includes(at.kind)) return true;
  return false;
}

const grown = (box: Rect, by: number): Rect => [box[0] - by, box[1] - by, box[2] + by, box[3] + by];
