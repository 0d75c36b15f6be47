/** Tables for the pixels of images in one space. */
import { createDeepPixelTable, createPixelTable } from '../frame/recolour/pixel-table.ts';
import type { ConvertDeepPixels, ConvertPixels, SpaceMap } from '../frame/recolour/space-map.ts';

/** Each table is made for the first image: colours that stand in no image need none. */
export function pixelTables(
  convertAll: (grid: Float32Array) => Float32Array,
  components: number,
  finish: ((values: readonly number[]) => number[]) | null,
): Required<Pick<SpaceMap, 'convertPixels' | 'convertDeepPixels'>> {
  const exact = (grid: Float32Array): Float32Array => {
    const [count, given] = [grid.length / 3, convertAll(grid)];
    if (!finish) return given;
    const each = given.length / count;
    const all = new Float32Array(count * components);
    for (let at = 0; at < count; at += 1)
      all.set(finish([...given.subarray(at * each, (at + 1) * each)]), at * components);
    return all;
  };
  let table: ConvertPixels | null = null;
  let deep: ConvertDeepPixels | null = null;
  return {
    convertPixels(pixels, out) {
      table ??= createPixelTable(exact, components);
      return table(pixels, out);
    },
    convertDeepPixels(pixels) {
      deep ??= createDeepPixelTable(exact, components);
      return deep(pixels);
    },
  };
}
