import { coverOf } from '../../reading/cover.ts';
import type { Hidden, PageObject } from '../../reading/scene.ts';
import { checkRunner, type FixHint } from '../runner.ts';

type Reason = Exclude<Hidden, null | 'mask'>;
interface Found {
  hidden: number;
}
const fixes: Partial<Record<Reason, FixHint>> = {
  outside: { action: 'RemoveOutside', params: {} },
  layer: { action: 'FlattenLayers', params: {} },
  annotation: { action: 'RemoveObjects', params: {} },
};

/** Limits the comparisons: only so many of the latest objects are tested for being covered. */
const maxRemembered = 500;

export const hiddenObjectsRunner = checkRunner<'HiddenObjects'>()<Found>({
  page({ settings, report }) {
    let hidden = 0;
    let visible: PageObject[] = [];
    const about = (object: PageObject) => ({ object, params: { kind: object.type } });
    return {
      object(object) {
        if (object.inGlyph || object.hidden === 'mask') return;
        if (object.hidden !== null) {
          hidden += 1;
          const reason: Reason = object.hidden;
          report({ ...about(object), rule: reason, fixableBy: fixes[reason] ?? null });
          return;
        }
        if (!settings.findObscured) return;
        const cover = coverOf(object);
        if (cover) {
          for (const below of visible) {
            if (!cover(below)) continue;
            hidden += 1;
            report({ ...about(below), rule: 'obscured' });
          }
          visible = visible.filter((below) => !cover(below));
        }
        visible.push(object);
        if (visible.length > maxRemembered) visible.shift();
      },
      end: () => ({ hidden }),
    };
  },
  document: (_, pages) => ({ hiddenObjects: pages.reduce((sum, { found }) => sum + (found?.hidden ?? 0), 0) }),
});
