/** Lookup tables for images of one colour space. */
import {
  createDeepPixelTable,
  createPixelTable,
  gridPoints,
  type PixelTable,
} from '../../editing/recolour/pixel-table.ts';
import { type ConvertDeepPixels, type ConvertPixels, clamp, type SpaceMap } from '../../editing/recolour/space-map.ts';

/**
 * A table is built for the first image that needs it.
 * @param kept what `convertAll` makes of the points of a table, where that is known
 */
export function pixelTables(
  convertAll: Exact,
  components: number,
  finish: ((values: readonly number[]) => number[]) | null,
  kept: () => Float32Array | null = () => null,
): Required<Pick<SpaceMap, 'convertPixels' | 'separatePixels' | 'convertDeepPixels'>> {
  const finished = (given: Float32Array, count: number): Float32Array => {
    if (!finish) return given;
    const each = given.length / count;
    const all = new Float32Array(count * components);
    for (let at = 0; at < count; at += 1)
      all.set(finish([...given.subarray(at * each, (at + 1) * each)]), at * components);
    return all;
  };
  const exact: Exact = (colours) => finished(convertAll(colours), colours.length / 3);
  const atPoints = (): Float32Array => {
    const points = gridPoints();
    return finished(kept() ?? convertAll(points), points.length / 3);
  };
  let made: { table: PixelTable; isGentle: boolean } | null = null;
  let deep: ConvertDeepPixels | null = null;
  const shallow = () => {
    if (made) return made;
    const table = createPixelTable(atPoints(), components);
    const isGentle = isSmooth(table.convert, exact, components);
    const slow: PixelTable = { convert: (all, into) => oneByOne(all, exact, components, into), separate: null };
    made = { table: isGentle ? table : slow, isGentle };
    return made;
  };
  return {
    convertPixels: (pixels, out) => shallow().table.convert(pixels, out),
    separatePixels: (pixels) => shallow().table.separate?.(pixels) ?? null,
    convertDeepPixels(pixels) {
      if (!deep) {
        deep = shallow().isGentle
          ? createDeepPixelTable(atPoints(), components)
          : (all) => oneByOne(all, exact, components, new Uint16Array((all.length / 3) * components));
      }
      return deep(pixels);
    },
  };
}

type Exact = (colours: Float32Array) => Float32Array;

/** Largest error of a table between its points, in levels of 255: 1 % of ink. */
const mostOff = 2.55;

/**
 * Whether interpolation between the points of a table is accurate enough; steep profile curves may need exact
 * conversion.
 */
function isSmooth(table: ConvertPixels, exact: Exact, components: number): boolean {
  const ramps = [
    [1, 1, 1],
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ];
  const pixels = Uint8Array.from(
    ramps.flatMap((ramp) => Array.from({ length: 256 }, (_, level) => ramp.map((part) => part * level)).flat()),
  );
  const [got, wanted] = [table(pixels), exact(Float32Array.from(pixels, (level) => level / 255))];
  for (let at = 0; at < (pixels.length / 3) * components; at += 1)
    if (Math.abs((got[at] as number) - clamp(wanted[at] as number) * 255) > mostOff) return false;
  return true;
}

const chunkPixels = 1 << 16;

/** Converts pixels exactly; equal neighbouring colours are converted once. */
function oneByOne<Levels extends Uint8Array | Uint16Array>(
  pixels: Levels,
  exact: Exact,
  components: number,
  out: Levels = new Uint8Array(Math.floor(pixels.length / 3) * components) as Levels,
): Levels {
  const most = 2 ** (8 * pixels.BYTES_PER_ELEMENT) - 1;
  const count = Math.floor(pixels.length / 3);
  for (let start = 0; start < count; start += chunkPixels) {
    const places = new Map<number, number>();
    const colours: number[] = [];
    const end = Math.min(count, start + chunkPixels);
    const which = new Uint32Array(end - start);
    for (let pixel = start; pixel < end; pixel += 1) {
      const [r, g, b] = [pixels[pixel * 3], pixels[pixel * 3 + 1], pixels[pixel * 3 + 2]] as [number, number, number];
      const key = (r * 65_536 + g) * 65_536 + b;
      let place = places.get(key);
      if (place === undefined) {
        place = places.size;
        places.set(key, place);
        colours.push(r / most, g / most, b / most);
      }
      which[pixel - start] = place;
    }
    const made = exact(Float32Array.from(colours)).map((value) => Math.round(clamp(value) * most));
    for (let pixel = start; pixel < end; pixel += 1) {
      const from = (which[pixel - start] as number) * components;
      for (let c = 0; c < components; c += 1) out[pixel * components + c] = made[from + c] as number;
    }
  }
  return out;
}
