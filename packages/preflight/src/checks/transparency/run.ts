import { type ColorSpace, dictOf, type Run, runPath } from '@pdf2press/pdf';
import { colourFamily } from '../../reading/colour-family.ts';
import { groupTransparency, objectTransparency } from '../../reading/transparency.ts';
import { checkRunner, type FixHint } from '../runner.ts';
import { masksInUse } from './masks-in-use.ts';

type Key = 'Transparency';
interface Found {
  isTransparent: boolean;
}

/** The transparency group of the page that a run belongs to. */
const pageGroupOf = (run: Run): Run['group'] => (run.parent ? pageGroupOf(run.parent) : run.group);

const fixableBy: FixHint = { action: 'FlatteningTransparencies', params: {} };

export const transparencyRunner = checkRunner<Key>()<Found>({
  page({ file, page, settings, report }) {
    let isTransparent = false;
    let pageSpace: ColorSpace | null = null;
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
    // Only what shows in the default configuration is judged (GWG 2022 D0003): groups with a visible object.
    const seen = new Set<Run>();
    const masks = masksInUse();
    const judgeRuns = (run: Run): void => {
      if (!run.parent || seen.has(run)) return;
      seen.add(run);
      masks.shows(run);
      if (run.group && !run.isInSoftMask) judgeSpace(run.group.space, false, run.object);
      judgeRuns(run.parent);
    };
    return {
      object(object) {
        if (object.hidden === null) {
          judgeRuns(object.event.place.run);
          masks.visible(object);
        }
        pageSpace ??= pageGroupOf(object.event.place.run)?.space ?? null;
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
        pageSpace ??= pageGroupOf(run)?.space ?? null;
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
        masks.runBegin(run, event.state.softMask);
      },
      end() {
        const group = dictOf(file, page.dict, 'Group');
        if (isTransparent && !group) report({ rule: 'noPageGroup', objectType: 'page', acrossPages: true });
        if (isTransparent) judgeSpace(pageSpace, false, page.object);
        for (const { object, space } of masks.groups()) judgeSpace(space, true, object);
        return { isTransparent };
      },
    };
  },
  document: (_, pages) => ({
    transparentPages: pages.filter(({ found }) => found?.isTransparent).map(({ page }) => page),
  }),
});
