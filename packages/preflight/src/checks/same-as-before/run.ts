import { z } from 'zod';
import { checkRunner } from '../runner.ts';
import { boxAround, differingSquares, type LookPlace, lookOf, type PageLook, pageLookSchema } from './page-look.ts';

/** What is kept of a file until the next version of it comes. */
const rememberedSchema = z.object({
  sha256: z.string(),
  pageCount: z.int().nonnegative(),
  looks: z.array(z.tuple([z.int().positive(), pageLookSchema])),
});
type Remembered = z.infer<typeof rememberedSchema>;

export const sameAsBeforeRunner = checkRunner<'SameAsBefore'>()<undefined, { look: PageLook; place: LookPlace }>({
  plates: {
    dpi: () => 150,
    look: ({ plates, area }) => lookOf(plates, area.trim),
  },
  remembers: ({ sha256, pageCount }, pages): Remembered => ({
    sha256,
    pageCount,
    looks: pages.flatMap(({ page, plates }) => (plates ? [[page, plates.look] as [number, PageLook]] : [])),
  }),
  document({ settings, report, pageCount, sha256, before }, pages) {
    const read = rememberedSchema.safeParse(before);
    if (!read.success) return { comparedPages: 0, differingPages: [] };
    const looksBefore = new Map(read.data.looks);
    const isUnchangedWanted = settings.expect === 'Unchanged';
    const differing: number[] = [];
    let compared = 0;
    for (const { page, plates } of pages) {
      const earlier = looksBefore.get(page);
      if (!plates || !earlier) continue;
      compared += 1;
      const { look, place } = plates;
      const squares = differingSquares(look, earlier, settings.tolerance / 100);
      if (squares?.length === 0) continue;
      differing.push(page);
      if (isUnchangedWanted)
        report({
          rule: 'pageDiffers',
          page,
          objectType: 'page',
          measured: { value: squares ? (squares.length / (look.columns * look.rows)) * 100 : 100, unit: '%' },
          ...(squares && { box: boxAround(squares, look, place) }),
        });
    }
    const isSameCount = pageCount === read.data.pageCount;
    if (isUnchangedWanted && !isSameCount)
      report({
        rule: 'pageCountDiffers',
        objectType: 'document',
        measured: { value: pageCount, unit: 'count' },
        limit: { value: read.data.pageCount, unit: 'count', op: '=' },
      });
    // Pages that were not compared may be different.
    const isSame = isSameCount && differing.length === 0 && compared === pages.length && compared > 0;
    if (!isUnchangedWanted && isSame)
      report({ rule: sha256 === read.data.sha256 ? 'sameFile' : 'sameLook', objectType: 'document' });
    return { comparedPages: compared, differingPages: differing };
  },
});
