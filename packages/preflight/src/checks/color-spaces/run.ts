import { baseSpace, type ColorSpace } from '@pdf2press/pdf';
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
          const among = allowed(settings, object);
          const replaced = settings.binding === 'PerObject' ? null : alternateFamily(space);
          if (!among.includes(family)) report({ ...about, rule: 'notAllowed' });
          else if (replaced && !among.includes(replaced))
            report({ ...about, rule: 'notAllowed', params: { family: replaced, kind: object.type }, fixableBy: null });
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

/** The family that stands for a spot colour on other devices. Lab is how the makers of spot colours define them. */
function alternateFamily(space: ColorSpace): ColourFamily | null {
  const base = baseSpace(space);
  if (base.family !== 'Separation' && base.family !== 'DeviceN') return null;
  const family = colourFamily(base.alternate);
  return family === 'Lab' ? null : family;
}

function allowed(settings: SettingsOf<Key>, object: PageObject): readonly ColourFamily[] {
  // A stencil is painted in the colour of graphics.
  if (settings.binding !== 'PerObject')
    return bindingFamilies[settings.binding][
      object.type === 'image' && !object.event.image.isStencil ? 'image' : 'other'
    ];
  return settings[object.type === 'shading' ? 'vector' : object.type];
}
