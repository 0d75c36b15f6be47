import type { ColorSpace, GraphicsState } from '@pdf2press/pdf';
import { colourFamily } from '../../preflight/colour-family.ts';
import { dictOf } from '../../preflight/pdf-access.ts';
import type { PageObject } from '../../preflight/scene.ts';
import { checkRunner } from '../runner.ts';

type Key = 'Transparency';
interface Found {
  isTransparent: boolean;
}

export const transparencyRunner = checkRunner<Key>()<Found>({
  page({ file, page, settings, report }) {
    let isTransparent = false;
    const judgeSpace = (space: ColorSpace | null, isMask: boolean, object: number) => {
      const family = space && colourFamily(space);
      if (!family || settings.blendSpace === 'Any' || family === 'DeviceCMYK') return;
      // A mask needs lightness only, so grey is right for it.
      if (isMask && family === 'DeviceGray') return;
      if (settings.blendSpace === 'CMYK' && family === 'ICCCMYK') return;
      report({
        rule: 'blendSpace',
        objectType: 'page',
        objectRef: `${object} 0 R`,
        acrossPages: true,
        params: { family },
      });
    };
    return {
      object(object) {
        const reason = object.hidden === null ? reasonOf(object) : null;
        if (!reason) return;
        isTransparent = true;
        if (settings.policy === 'Disallow') {
          report({
            rule: 'notAllowed',
            object,
            params: { reason },
            fixableBy: { action: 'FlatteningTransparencies', params: {} },
          });
        }
      },
      runBegin({ run }) {
        if (run.kind === 'page' || !run.group) return;
        judgeSpace(run.group.space, run.isInSoftMask, run.object);
      },
      end() {
        const group = dictOf(file, page.dict, 'Group');
        if (isTransparent && !group) report({ rule: 'noPageGroup', objectType: 'page', acrossPages: true });
        if (group) judgePageGroup();
        return { isTransparent };
      },
    };

    function judgePageGroup(): void {
      const group = dictOf(file, page.dict, 'Group');
      const space = group && file.entry(group, 'CS');
      const name =
        typeof space === 'object' && space !== null && 'kind' in space && space.kind === 'name' ? space.name : null;
      if (!name || settings.blendSpace === 'Any' || name === 'DeviceCMYK' || !isTransparent) return;
      report({
        rule: 'blendSpace',
        objectType: 'page',
        objectRef: `${page.object} 0 R`,
        acrossPages: true,
        params: { family: name },
      });
    }
  },
  document: (_, pages) => ({
    transparentPages: pages.filter(({ found }) => found?.isTransparent).map(({ page }) => page),
  }),
});

/** Why an object is transparent: its alpha, blend mode or mask; null when it is opaque. */
function reasonOf(object: PageObject): string | null {
  const { state } = object.event;
  if (object.type === 'image' && object.event.image.softMask) return 'softMask';
  return stateReason(
    state,
    object.fill !== null || object.type === 'image' || object.type === 'shading',
    object.stroke !== null,
  );
}

function stateReason(state: GraphicsState, fills: boolean, strokes: boolean): string | null {
  if (state.softMask) return 'softMask';
  if (state.blendMode !== 'Normal') return 'blendMode';
  return (fills && state.fillAlpha < 1) || (strokes && state.strokeAlpha < 1) ? 'alpha' : null;
}
