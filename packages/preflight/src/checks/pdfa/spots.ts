/** Spot colours of a page (ISO 19005-2, 6.2.4.4): described wherever they are mixed, and everywhere alike. */
import { baseSpace, dictOf, evaluateTint, type PdfFile, processInks } from '@pdf2press/pdf';
import type { PageObject } from '../../reading/scene.ts';
import { spacesOf } from '../../reading/spots.ts';

const described = new Set<string>([...processInks, 'None', 'All']);
const tints = [0, 0.25, 0.5, 0.75, 1];

/** Names of spot colours that break the rule, each time they are met. */
export function createSpotJudge(file: PdfFile): (object: PageObject) => { name: string; reason: string }[] {
  const curves = new Map<string, string>();
  // Colour spaces are read once: what a space describes is computed once, not for each object.
  const curveOf = new WeakMap<object, string>();
  return (object) =>
    spacesOf(object).flatMap((space) => {
      const base = baseSpace(space);
      if (base.family === 'DeviceN') {
        const colorants = dictOf(file, base.attributes, 'Colorants');
        const process = dictOf(file, base.attributes, 'Process');
        return base.names
          .filter((name, at) => !described.has(name) && !colorants?.map.has(base.written[at] ?? name) && !process)
          .map((name) => ({ name, reason: 'missing' }));
      }
      if (base.family !== 'Separation') return [];
      const [name] = base.names;
      const curve =
        curveOf.get(base) ??
        `${base.alternate.family} ${tints.map((tint) => evaluateTint(file, base, [tint])?.map((value) => value.toFixed(3))).join(' ')}`;
      curveOf.set(base, curve);
      const known = curves.get(name) ?? curve;
      curves.set(name, known);
      return known === curve ? [] : [{ name, reason: 'several' }];
    });
}
