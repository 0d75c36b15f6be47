import type { Severity } from '@pdf2press/contract';
import { isTiledOnly } from '../../reading/scene.ts';
import { checkRunner } from '../runner.ts';

type Limits = { failAbove: number | null; warnAbove: number | null };

/** The worst limit that a number exceeds; null when it exceeds none. */
function broken(count: number, { failAbove, warnAbove }: Limits): { severity: Severity; limit: number } | null {
  if (failAbove !== null && count > failAbove) return { severity: 'Fail', limit: failAbove };
  return warnAbove !== null && count > warnAbove ? { severity: 'Warn', limit: warnAbove } : null;
}

export const pathNodesRunner = checkRunner<'PathNodes'>()<{ most: number; all: number }>({
  page({ settings, report }) {
    let most = 0;
    let all = 0;
    return {
      object(object) {
        if (object.type !== 'vector' || object.hidden !== null || object.inGlyph || isTiledOnly(object)) return;
        const count = object.event.segmentCount;
        most = Math.max(most, count);
        all += count;
        const found = broken(count, settings.perPath);
        if (found)
          report({
            rule: 'path',
            severity: found.severity,
            object,
            measured: { value: count },
            limit: { value: found.limit, op: '<=' },
          });
      },
      end() {
        const found = broken(all, settings.perPage);
        if (found)
          report({
            rule: 'page',
            severity: found.severity,
            objectType: 'page',
            measured: { value: all },
            limit: { value: found.limit, op: '<=' },
          });
        return { most, all };
      },
    };
  },
  document: (_, pages) => ({
    mostNodes: pages.reduce((most, { found }) => Math.max(most, found?.most ?? 0), 0),
    mostNodesOnPage: pages.reduce((most, { found }) => Math.max(most, found?.all ?? 0), 0),
  }),
});
