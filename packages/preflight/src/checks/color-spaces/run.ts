import type { ColourFamily } from '../../reading/colour-families.ts';
import { colourFamily } from '../../reading/colour-family.ts';
import type { PageObject } from '../../reading/scene.ts';
import { spacesOf } from '../../reading/spots.ts';
import { conversionOf } from '../colour-conversion.ts';
import type { SettingsOf } from '../contracts.ts';
import { checkRunner } from '../runner.ts';
import { bindingFamilies } from './contract.ts';

type Key = 'ColorSpaces';

export const colorSpacesRunner = checkRunner<Key>()<ColourFamily[]>({
  page({ settings, report }) {
    const found = new Set<ColourFamily>();
    return {
      object(object) {
        if (object.hidden !== null || object.inGlyph) return;
        for (const space of spacesOf(object)) {
          const family = colourFamily(space);
          if (!family) continue;
          found.add(family);
          const about = {
            object,
            params: { family, kind: object.type },
            fixableBy: conversionOf(family),
          };
          if (!allowed(settings, object).includes(family)) report({ ...about, rule: 'notAllowed' });
          else if (family === 'DeviceRGB') report({ ...about, rule: 'untaggedRgb' });
          else if (family === 'ICCCMYK') report({ ...about, rule: 'iccCmyk' });
          else if (family === 'Lab') report({ ...about, rule: 'lab' });
        }
      },
      end: () => [...found],
    };
  },
  document: (_, pages) => ({ families: [...new Set(pages.flatMap(({ found }) => found ?? []))].sort() }),
});

function allowed(settings: SettingsOf<Key>, object: PageObject): readonly ColourFamily[] {
  if (settings.binding !== 'PerObject') return bindingFamilies[settings.binding];
  return settings[object.type === 'shading' ? 'vector' : object.type];
}
