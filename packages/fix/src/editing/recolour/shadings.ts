/** Converts shadings to another colour space: functions are sampled, meshes are rewritten. */
import {
  type ColorSpace,
  compileFunction,
  isArray,
  type PdfDict,
  type PdfEditor,
  type PdfFile,
  type PdfValue,
  pdfDict,
  pdfRef,
  type Shading,
} from '@pdf2press/pdf';
import { clamp, type SpaceMap } from './space-map.ts';

/** Samples of a function of one input; a sharp colour stop is blurred over one sample. */
const curveSamples = 1024;
const gridSamples = 65;

/** Where new objects go; one that only looks keeps nothing. */
type Target = Pick<PdfEditor, 'file' | 'add' | 'addStream'>;

/** A sampled function over `domain` with one or more inputs (ISO 32000-1, 7.10.2). */
function sampledFunction(
  edit: Target,
  domain: readonly number[],
  size: readonly number[],
  outputs: number,
  at: (input: readonly number[]) => readonly number[],
): PdfValue {
  const total = size.reduce((product, count) => product * count, 1);
  const bytes = Buffer.alloc(total * outputs * 2);
  for (let index = 0; index < total; index += 1) {
    let rest = index;
    const input = size.map((count, axis) => {
      const step = rest % count;
      rest = Math.floor(rest / count);
      const [low, high] = [domain[axis * 2] ?? 0, domain[axis * 2 + 1] ?? 1];
      return count > 1 ? low + ((high - low) * step) / (count - 1) : low;
    });
    const values = at(input);
    for (let output = 0; output < outputs; output += 1)
      bytes.writeUInt16BE(Math.round(clamp(values[output] ?? 0) * 65_535), (index * outputs + output) * 2);
  }
  const range = Array.from({ length: outputs * 2 }, (_, index) => index % 2);
  return pdfRef(
    edit.addStream(
      bytes,
      pdfDict({ FunctionType: 0, Domain: [...domain], Range: range, Size: [...size], BitsPerSample: 16 }),
    ),
  );
}

const numbersOf = (value: PdfValue): number[] | null =>
  isArray(value) && value.every((entry) => typeof entry === 'number') ? (value as number[]) : null;

/**
 * Samples per ink, by number of inks. Few samples suffice for many inks: the alternate colour is used on proofs only.
 */
const tintSamples = [0, 256, 33, 17, 9, 6, 5, 4, 3, 3];
const mostInks = 18;

/** The tint transform of an ink space whose alternate space is converted; null for more inks than a table can hold. */
export function convertedTint(
  edit: Target,
  space: Extract<ColorSpace, { family: 'Separation' | 'DeviceN' }>,
  map: SpaceMap,
): PdfValue | null {
  const tint = compileFunction(edit.file, space.tint);
  const size = tintSamples[space.components] ?? 2;
  if (!tint || space.components > mostInks) return null;
  const domain = Array.from({ length: space.components * 2 }, (_, index) => index % 2);
  return sampledFunction(
    edit,
    domain,
    Array.from({ length: space.components }, () => size),
    map.components,
    (input) => map.convert(tint(input)),
  );
}

/** A copy of the shading in the new space: its object number, or null for a shading that cannot be read. */
export function convertShading(edit: Target, { dict, type, space }: Shading, map: SpaceMap): number | null {
  const { file } = edit;
  const entries: Record<string, PdfValue | undefined> = { ColorSpace: map.value, CS: undefined };
  const background = numbersOf(file.entry(dict, 'Background'));
  if (!map.isSameValues && background) entries.Background = map.convert(background);
  const isMesh = type >= 4;
  const hasFunction = dict.map.has('Function');
  if (!map.isSameValues && hasFunction) {
    const compiled = compileFunction(file, dict.map.get('Function'));
    if (!compiled) return null;
    const decode = isMesh ? numbersOf(file.entry(dict, 'Decode')) : null;
    const domain =
      type === 1
        ? (numbersOf(file.entry(dict, 'Domain')) ?? [0, 1, 0, 1])
        : isMesh
          ? (decode?.slice(4, 6) ?? [0, 1])
          : (numbersOf(file.entry(dict, 'Domain')) ?? [0, 1]);
    const size = type === 1 ? [gridSamples, gridSamples] : [curveSamples];
    entries.Function = sampledFunction(edit, domain, size, map.components, (input) => map.convert(compiled(input)));
  }
  if (!isMesh) return edit.add(pdfDict(entries, { ...dict, stream: 0 }));
  const rewritten = map.isSameValues || hasFunction ? null : convertMesh(file, dict, type, space, map);
  if (!map.isSameValues && !hasFunction && !rewritten) return null;
  const mesh = pdfDict(
    {
      ...entries,
      ...(rewritten && { Decode: rewritten.decode, BitsPerComponent: 16, Filter: undefined, DecodeParms: undefined }),
      Length: undefined,
    },
    { ...dict, stream: 0 },
  );
  return edit.addStream(
    rewritten?.bytes ?? file.rawStream(dict.stream),
    rewritten || mesh.map.has('Filter') ? mesh : pdfDict({ Filter: [] }, mesh),
  );
}

/** Number of points and colours in one mesh record, by shading type and edge flag (ISO 32000-1, 8.7.4.5). */
function recordOf(type: number, flag: number): { points: number; colours: number } {
  if (type === 4 || type === 5) return { points: 1, colours: 1 };
  const first = type === 6 ? 12 : 16;
  return flag === 0 ? { points: first, colours: 4 } : { points: first - 4, colours: 2 };
}

function convertMesh(
  file: PdfFile,
  dict: PdfDict,
  type: number,
  space: ColorSpace,
  map: SpaceMap,
): { bytes: Uint8Array; decode: number[] } | null {
  const bits = {
    point: Number(file.entry(dict, 'BitsPerCoordinate')),
    colour: Number(file.entry(dict, 'BitsPerComponent')),
    flag: type === 5 ? 0 : Number(file.entry(dict, 'BitsPerFlag')),
  };
  const decode = numbersOf(file.entry(dict, 'Decode'));
  if (!decode || !(bits.point > 0) || !(bits.colour > 0) || Number.isNaN(bits.flag)) return null;
  const input = bitReader(file.stream(dict.stream));
  const output = bitWriter();
  const most = 2 ** bits.colour - 1;
  while (input.left() >= bits.flag + 2 * bits.point) {
    const flag = bits.flag ? input.read(bits.flag) : 0;
    if (bits.flag) output.write(flag, bits.flag);
    const { points, colours } = recordOf(type, flag & 3);
    for (let count = 0; count < points * 2; count += 1) output.write(input.read(bits.point), bits.point);
    for (let count = 0; count < colours; count += 1) {
      const values = Array.from({ length: space.components }, (_, component) => {
        const [low, high] = [decode[4 + component * 2] ?? 0, decode[5 + component * 2] ?? 1];
        return low + (input.read(bits.colour) / most) * (high - low);
      });
      for (const value of map.convert(values)) output.write(Math.round(clamp(value) * 65_535), 16);
    }
    // Every record starts at a byte boundary.
    input.align();
    output.align();
  }
  return {
    bytes: output.bytes(),
    decode: [...decode.slice(0, 4), ...Array.from({ length: map.components * 2 }, (_, index) => index % 2)],
  };
}

function bitReader(bytes: Uint8Array) {
  let at = 0;
  return {
    left: () => bytes.length * 8 - at,
    align: () => {
      at = Math.ceil(at / 8) * 8;
    },
    read(count: number): number {
      let value = 0;
      for (let bit = 0; bit < count; bit += 1, at += 1)
        value = value * 2 + (((bytes[at >> 3] ?? 0) >> (7 - (at & 7))) & 1);
      return value;
    },
  };
}

function bitWriter() {
  const bytes: number[] = [];
  let free = 0;
  return {
    write(value: number, count: number): void {
      for (let bit = count - 1; bit >= 0; bit -= 1) {
        if (free === 0) {
          bytes.push(0);
          free = 8;
        }
        free -= 1;
        const last = bytes.length - 1;
        bytes[last] = (bytes[last] as number) | ((Math.floor(value / 2 ** bit) & 1) << free);
      }
    },
    align: () => {
      free = 0;
    },
    bytes: () => Uint8Array.from(bytes),
  };
}
