/** Annotations that print and are transparent become part of the page first, so that they are flattened with it. */
import {
  type DrawnAnnotation,
  drawnAnnotations,
  interpretPage,
  isDict,
  isName,
  type PageFacts,
  type Run,
} from '@pdf2press/pdf';
import { changeable } from '../frame/boxes.ts';
import { drawAnnotations } from '../frame/draw-annotations.ts';
import type { Painted } from '../frame/painted.ts';
import type { FixContext } from '../runner.ts';
import { paintsTransparent } from './transparent.ts';

type Context = FixContext<'FlatteningTransparencies'>;

export function settleAnnotations(context: Context): void {
  const { file, edit, log } = context;
  for (const page of changeable(context.pageFacts)) {
    if (page.annotations.length === 0) continue;
    const settled = transparentOnes(context, page);
    if (settled.length === 0) continue;
    const gone = new Set(settled.map(({ annotation }) => annotation));
    // The note that opens from an annotation goes with it, and would keep it in the file.
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

/** Those that are drawn with anything transparent. Fields stay fields: they are told, not drawn. */
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
