import type { Rect } from '@pdf2press/pdf';
import { covers } from '@pdf2press/pdf';
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
            if (!covers(cover, below.box)) continue;
            hidden += 1;
            report({ ...about(below), rule: 'obscured' });
          }
          visible = visible.filter((below) => !covers(cover, below.box));
        }
        visible.push(object);
        if (visible.length > maxRemembered) visible.shift();
      },
      end: () => ({ hidden }),
    };
  },
  document: (_, pages) => ({ hiddenObjects: pages.reduce((sum, { found }) => sum + (found?.hidden ?? 0), 0) }),
});

/** The area that an object covers: of opaque rectangles and upright images that knock out. Null for other objects. */
function coverOf(object: PageObject): Rect | null {
  const { state } = object.event;
  if (state.softMask || state.blendMode !== 'Normal' || state.fillAlpha < 1 || state.fillOverprint) return null;
  if (!state.clip.isRect) return null;
  if (object.type === 'vector')
    return object.event.isRect && object.event.paints !== 'stroke' && object.fill ? object.box : null;
  if (object.type !== 'image') return null;
  const { image, quad } = object.event;
  const isUpright = quad[1] === quad[3] || quad[0] === quad[2];
  return isUpright && !image.isStencil && !image.softMask && !image.mask && !image.colorKey ? object.box : null;
}
