import { touches } from '../../preflight/geometry.ts';
import { matchesAny } from '../../preflight/names.ts';
import { dictOf, dictsIn, nameOf, numberOf, rectOf } from '../../preflight/pdf-access.ts';
import { checkRunner } from '../runner.ts';

/** Bits of /F (ISO 32000-1, table 165): Hidden 2, Print 3. */
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
