/** Areas of a page as an image of all inks: process inks, and spot colours as separate components. */
import {
  type Matrix,
  numberText,
  type PagePlates,
  type PdfEditor,
  type PdfValue,
  pdfDict,
  pdfName,
  pdfRef,
  type Raster,
  type Rect,
} from '@pdf2press/pdf';

export interface InkImageOptions {
  plates: PagePlates;
  /** Area that the image covers, in default user space (points). */
  area: Rect;
  /** The point whose colour is shown at (x, y); (x, y) itself by default. */
  from?: (x: number, y: number) => readonly [number, number];
  /** Pixels per point. */
  scale: number;
  /** Spot colours are converted to process inks. */
  isProcessOnly?: boolean;
}

/** Operators that paint the image, with `{}` in place of its resource name. Null for an empty area. */
export function inkImage(
  edit: PdfEditor,
  { plates, area, from, scale, isProcessOnly }: InkImageOptions,
): number | null {
  const width = Math.max(1, Math.round((area[2] - area[0]) * scale));
  const height = Math.max(1, Math.round((area[3] - area[1]) * scale));
  if (!(area[2] > area[0] && area[3] > area[1])) return null;
  const source = sourcePixels(plates, area, from, width, height);
  const sheets = plates.inks.map((ink) => picked(plates.plate(ink.id), source));
  const spots = plates.inks
    .map((_, index) => index)
    .filter((index) => index >= 4 && (sheets[index] as Uint8Array).some((level) => level > 0));
  const kept = isProcessOnly ? [] : spots;
  if (isProcessOnly) for (const spot of spots) layInto(sheets, spot, plates.inks[spot]?.cmyk ?? [0, 0, 0, 0]);
  const channels = [0, 1, 2, 3, ...kept];
  const data = new Uint8Array(width * height * channels.length);
  channels.forEach((channel, index) => {
    const sheet = sheets[channel] as Uint8Array;
    for (let at = 0, to = index; at < sheet.length; at += 1, to += channels.length) data[to] = sheet[at] as number;
  });
  const space =
    kept.length === 0
      ? pdfName('DeviceCMYK')
      : inkSpace(
          edit,
          kept.map((spot) => plates.inks[spot] as PagePlates['inks'][number]),
        );
  return edit.addStream(data, imageDict(width, height, space));
}

/** Part of an RGB raster as an image. */
export function rgbImage(
  edit: PdfEditor,
  raster: Raster,
  area: Rect,
  scale: number,
  from?: InkImageOptions['from'],
): number | null {
  const width = Math.max(1, Math.round((area[2] - area[0]) * scale));
  const height = Math.max(1, Math.round((area[3] - area[1]) * scale));
  if (!(area[2] > area[0] && area[3] > area[1])) return null;
  const source = sourcePixels(raster, area, from, width, height);
  const data = new Uint8Array(width * height * 3);
  for (let at = 0, to = 0; at < source.length; at += 1, to += 3) {
    const from = (source[at] as number) * 3;
    data[to] = raster.pixels[from] as number;
    data[to + 1] = raster.pixels[from + 1] as number;
    data[to + 2] = raster.pixels[from + 2] as number;
  }
  return edit.addStream(data, imageDict(width, height, pdfName('DeviceRGB')));
}

const imageDict = (width: number, height: number, space: PdfValue) =>
  pdfDict({
    Type: pdfName('XObject'),
    Subtype: pdfName('Image'),
    Width: width,
    Height: height,
    BitsPerComponent: 8,
    ColorSpace: space,
  });

export const placeImage = (area: Rect): string =>
  `${[area[2] - area[0], 0, 0, area[3] - area[1], area[0], area[1]].map((value) => numberText(Math.round(value * 1e5) / 1e5)).join(' ')} cm`;

/** For each pixel of the new image, rows from the top: index of the pixel of the plates that it shows. */
function sourcePixels(
  plates: Pick<PagePlates, 'frame' | 'width' | 'height'>,
  area: Rect,
  from: InkImageOptions['from'],
  width: number,
  height: number,
): Int32Array {
  const [a, b, c, d, e, f]: Matrix = plates.frame.toPixel;
  const source = new Int32Array(width * height);
  for (let row = 0, at = 0; row < height; row += 1) {
    const y = area[3] - ((row + 0.5) / height) * (area[3] - area[1]);
    for (let column = 0; column < width; column += 1, at += 1) {
      const x = area[0] + ((column + 0.5) / width) * (area[2] - area[0]);
      const [u, v] = from ? from(x, y) : [x, y];
      const px = Math.min(plates.width - 1, Math.max(0, Math.floor(a * u + c * v + e)));
      const py = Math.min(plates.height - 1, Math.max(0, Math.floor(b * u + d * v + f)));
      source[at] = py * plates.width + px;
    }
  }
  return source;
}

function picked(plate: Uint8Array, source: Int32Array): Uint8Array {
  const sheet = new Uint8Array(source.length);
  for (let at = 0; at < source.length; at += 1) sheet[at] = plate[source[at] as number] as number;
  return sheet;
}

function layInto(sheets: readonly Uint8Array[], spot: number, cmyk: readonly number[]): void {
  const sheet = sheets[spot] as Uint8Array;
  for (let channel = 0; channel < 4; channel += 1) {
    const strength = cmyk[channel] ?? 0;
    const target = sheets[channel] as Uint8Array;
    if (strength > 0)
      for (let at = 0; at < sheet.length; at += 1)
        target[at] = Math.min(255, (target[at] as number) + (sheet[at] as number) * strength);
  }
}

/** A DeviceN space of the process inks and spots; its alternate is CMYK. */
export function inkSpace(edit: PdfEditor, spots: readonly { name: string; cmyk: readonly number[] }[]): PdfValue {
  const count = 4 + spots.length;
  // A PostScript calculator function: each output adds the spots' CMYK shares to its process ink, then the inputs are
  // dropped.
  const outputs = [0, 1, 2, 3].map((channel) => {
    const shares = spots.map(
      (spot, index) =>
        `${count - 1 - (4 + index) + channel + 1} index ${numberText(Math.round((spot.cmyk[channel] ?? 0) * 1e4) / 1e4)} mul add`,
    );
    return `${count - 1 - channel + channel} index ${shares.join(' ')}`;
  });
  const program = `{${outputs.join(' ')} ${count + 4} 4 roll ${'pop '.repeat(count)}}`;
  const domain = Array.from({ length: count * 2 }, (_, index) => index % 2);
  const tint = edit.addStream(
    Buffer.from(program, 'latin1'),
    pdfDict({ FunctionType: 4, Domain: domain, Range: [0, 1, 0, 1, 0, 1, 0, 1] }),
  );
  const names = ['Cyan', 'Magenta', 'Yellow', 'Black', ...spots.map((spot) => spot.name)].map((name) =>
    pdfName(Buffer.from(name, 'utf8').toString('latin1')),
  );
  return pdfRef(edit.add([pdfName('DeviceN'), names, pdfName('DeviceCMYK'), pdfRef(tint)]));
}
