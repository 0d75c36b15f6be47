import { dictOf, dictsIn, nameOf, numberOf, rectOf, touches } from '@pdf2press/pdf';
import { matchesAny } from '../../reading/names.ts';
import { checkRunner } from '../runner.ts';

/** Annotation flags Hidden (bit 2) and Print (bit 3), ISO 32000-1:2008, table 165. */
const hidden = 1 << 1;
const print = 1 << 2;

export const annotationsRunner = checkRunner<'Annotations'>()<{ count: number }>({
  page({ file, page, area, settings, report }) {
    return {
      end() {
        let count = 0;
        for (const annotation of dictsIn(file, page.annotations)) {
          const type = nameOf(file, annotation, 'Subtype') ?? '';
          const rect = rectOf(file, annotation, 'Rect');
          const flags = numberOf(file, annotation, 'F') ?? 0;
          const prints = (flags & print) !== 0 && (flags & hidden) === 0;
          if (!rect || matchesAny(type, settings.ignoreTypes) || (settings.printingOnly && !prints)) continue;
          count += 1;
          const isInTrim = touches(rect, area.trim);
          const isInBleed = touches(rect, area.bleed);
          const about = { objectType: 'annotation' as const, box: rect, params: { type, prints } };
          const place = isInTrim ? 'insideTrim' : isInBleed ? 'insideBleed' : 'outside';
          const rule = type === 'Link' ? 'link' : type === 'Widget' && isInBleed ? 'formField' : place;
          report({ ...about, rule, fixableBy: { action: 'RemoveObjects', params: {} } });
          if (prints && isInBleed && type !== 'Link' && !dictOf(file, annotation, 'AP'))
            report({ ...about, rule: 'noAppearance' });
        }
        return { count };
      },
    };
  },
  document: (_, pages) => ({ annotations: pages.reduce((sum, { found }) => sum + (found?.count ?? 0), 0) }),
});
