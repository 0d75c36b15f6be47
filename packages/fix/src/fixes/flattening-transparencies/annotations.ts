/** Draws transparent printing annotations into the page, so that they are flattened with it. */
import {
  type DrawnAnnotation,
  drawnAnnotations,
  interpretPage,
  isDict,
  isName,
  type PageFacts,
  type Run,
} from '@pdf2press/pdf';
import { changeable } from '../../editing/boxes.ts';
import { drawAnnotations } from '../../editing/draw-annotations.ts';
import type { Painted } from '../../editing/painted.ts';
import type { FixContext } from '../../kind/runner.ts';
import type { flatteningTransparencies } from './contract.ts';
import { paintsTransparent } from './transparent.ts';

type Context = FixContext<typeof flatteningTransparencies>;

export function settleAnnotations(context: Context): void {
  const { file, edit, log } = context;
  for (const page of changeable(context.pageFacts)) {
    if (page.annotations.length === 0) continue;
    const settled = transparentOnes(context, page);
    if (settled.length === 0) continue;
    const gone = new Set(settled.map(({ annotation }) => annotation));
    // The pop-up of a removed annotation refers to it and is removed as well.
    const kept = page.annotations.filter((entry) => {
      const annotation = file.resolve(entry);
      if (!isDict(annotation)) return true;
      const parent = isName(file.entry(annotation, 'Subtype'), 'Popup') ? file.entry(annotation, 'Parent') : null;
      return !gone.has(annotation) && !(isDict(parent) && gone.has(parent));
    });
    for (const { annotation } of settled) {
      const subtype = file.entry(annotation, 'Subtype');
      log({
        what: 'annotation',
        page: page.number,
        before: isName(subtype) ? subtype.name : '',
        after: null,
        parameter: 'mode',
        params: { subtype: isName(subtype) ? subtype.name : '' },
      });
    }
    edit.putPage(page, 'Annots', kept.length > 0 ? kept : undefined);
    drawAnnotations(context, file.pageNow(page.number), settled);
  }
}

/** Annotations with transparent content. Form fields are not included: they stay and are reported. */
function transparentOnes({ file, touches }: Context, page: PageFacts): DrawnAnnotation[] {
  const drawn = touches('annotation') ? drawnAnnotations(file, page) : [];
  if (drawn.length === 0) return [];
  const found = new Set<number>();
  const indexOf = (run: Run): number | null => {
    for (let at: Run | null = run; at; at = at.parent) if (at.annotation) return at.annotation.index;
    return null;
  };
  const see = (event: Painted): void => {
    const index = indexOf(event.place.run);
    if (index !== null && paintsTransparent(event)) found.add(index);
  };
  interpretPage(file, page.number, [
    {
      text: see,
      path: see,
      image: see,
      shading: see,
      runBegin({ run }) {
        const index = run.group ? indexOf(run) : null;
        if (index !== null) found.add(index);
      },
    },
  ]);
  const transparent = new Set([...found].map((index) => file.resolve(page.annotations[index] ?? null)));
  return drawn.filter(
    ({ annotation }) => transparent.has(annotation) && !isName(file.entry(annotation, 'Subtype'), 'Widget'),
  );
}
