import { type ColorSpace, dictOf, runPath } from '@pdf2press/pdf';
import { colourFamily } from '../../reading/colour-family.ts';
import { groupTransparency, objectTransparency } from '../../reading/transparency.ts';
import { checkRunner, type FixHint } from '../runner.ts';

type Key = 'Transparency';
interface Found {
  isTransparent: boolean;
}

const fixableBy: FixHint = { action: 'FlatteningTransparencies', params: {} };

export const transparencyRunner = checkRunner<Key>()<Found>({
  page({ file, page, settings, report }) {
    let isTransparent = false;
    const judgeSpace = (space: ColorSpace | null, isMask: boolean, object: number) => {
      const family = space && colourFamily(space);
      if (!family || settings.blendSpace === 'Any' || family === 'DeviceCMYK') return;
      // A soft mask uses only luminosity, so DeviceGray is correct.
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
        const reason = object.hidden === null ? objectTransparency(object) : null;
        if (!reason) return;
        isTransparent = true;
        if (settings.policy === 'Disallow') {
          report({
            rule: 'notAllowed',
            object,
            params: { reason },
            fixableBy,
          });
        }
      },
      runBegin(event) {
        const { run } = event;
        const reason = groupTransparency(event);
        if (reason) {
          isTransparent = true;
          if (settings.policy === 'Disallow') {
            report({
              rule: 'notAllowed',
              objectType: 'vector',
              objectRef: `${run.object} 0 R ${runPath(run)}`,
              box: event.state.clip.bbox,
              params: { reason },
              fixableBy,
            });
          }
        }
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
