/**
 * Reads the files of Ghostscript's `psdcmyk` device. They contain all plates of a page uncompressed, and the names and
 * process equivalents of the spot inks (Adobe Photoshop File Formats Specification: header, image resources 1006 and
 * 1007, image data).
 */
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { decodeInkName, processInks } from '../colour/ink-names.ts';

export interface PlateInk {
  name: string;
  kind: 'process' | 'spot';
  /** Process equivalent of the ink at 100 %, 0 to 1 each. */
  cmyk: readonly [number, number, number, number];
}

export interface PsdFile {
  width: number;
  height: number;
  inks: readonly PlateInk[];
  /**
   * Rows of one plate; 0 is no ink, 255 is solid.
   * @returns `into`, or a new array
   */
  readPlate(ink: number, rows?: { from: number; count: number }, into?: Uint8Array): Uint8Array;
}

const processEquivalents = [
  [1, 0, 0, 0],
  [0, 1, 0, 0],
  [0, 0, 1, 0],
  [0, 0, 0, 1],
] as const;

function withFile<T>(path: string, work: (fd: number) => T): T {
  const fd = openSync(path, 'r');
  try {
    return work(fd);
  } finally {
    closeSync(fd);
  }
}

/**
 * The file is open only while it is read: the plates of thousands of small pages are kept at once, and a process has no
 * descriptor for each.
 * @returns null when the file is incomplete because Ghostscript died while writing it
 */
export const openPsd = (path: string): PsdFile | null =>
  withFile(path, (fd) => {
    const layout = readLayout(fd);
    if (layout === null || fstatSync(fd).size < layout.dataStart + layout.planes * layout.width * layout.height)
      return null;
    return reading(path, layout);
  });

/** The four plates of the process inks without a header, one after the other, as light (255 is no ink). */
export const processPlates = (path: string, width: number, height: number): PsdFile =>
  reading(path, { width, height, planes: 4, inks: inksOf(Buffer.alloc(0), 4), dataStart: 0 });

interface Layout {
  width: number;
  height: number;
  planes: number;
  inks: PlateInk[];
  dataStart: number;
}

function reading(path: string, layout: Layout): PsdFile {
  const { width, height, inks, dataStart } = layout;
  return {
    width,
    height,
    inks,
    readPlate(ink, rows = { from: 0, count: height }, into = new Uint8Array(rows.count * width)) {
      const length = rows.count * width;
      const start = dataStart + (ink * height + rows.from) * width;
      withFile(path, (fd) => {
        for (let done = 0; done < length; ) {
          const bytes = readSync(fd, into, done, length - done, start + done);
          if (bytes === 0) break;
          done += bytes;
        }
      });
      invert(into, length);
      return into;
    },
  };
}

/** The file contains light (255 is no ink). Four pixels at a time where the array is aligned. */
function invert(plate: Uint8Array, length: number): void {
  const words = plate.byteOffset % 4 === 0 ? length >> 2 : 0;
  const view = new Uint32Array(plate.buffer, plate.byteOffset, words);
  for (let index = 0; index < words; index += 1) view[index] = ~(view[index] as number);
  for (let index = words * 4; index < length; index += 1) plate[index] = ~(plate[index] as number);
}

function readLayout(fd: number): Layout | null {
  const head = readAt(fd, 0, 30);
  if (head.length < 30 || head.toString('latin1', 0, 4) !== '8BPS' || head.readUInt16BE(22) !== 8) return null;
  const planes = head.readUInt16BE(12);
  const height = head.readUInt32BE(14);
  const width = head.readUInt32BE(18);
  const resourcesStart = 26 + 4 + head.readUInt32BE(26);
  const resourceBytes = readAt(fd, resourcesStart, 4);
  if (resourceBytes.length < 4) return null;
  const resources = readAt(fd, resourcesStart + 4, Math.min(resourceBytes.readUInt32BE(0), 1 << 20));
  const layersStart = resourcesStart + 4 + resourceBytes.readUInt32BE(0);
  const after = readAt(fd, layersStart, 4);
  if (after.length < 4) return null;
  const dataStart = layersStart + 4 + after.readUInt32BE(0);
  const compression = readAt(fd, dataStart, 2);
  if (compression.length < 2 || compression.readUInt16BE(0) !== 0) return null;
  return { width, height, planes, inks: inksOf(resources, planes), dataStart: dataStart + 2 };
}

function readAt(fd: number, position: number, length: number): Buffer {
  const bytes = Buffer.alloc(length);
  return bytes.subarray(0, readSync(fd, bytes, 0, length, position));
}

function inksOf(resources: Buffer, planes: number): PlateInk[] {
  const inks: PlateInk[] = processInks.map((name, index) => ({
    name,
    kind: 'process',
    cmyk: processEquivalents[index] ?? processEquivalents[0],
  }));
  const blocks = resourceBlocks(resources);
  const names = pascalStrings(blocks.get(1006) ?? Buffer.alloc(0));
  const equivalents = displayColours(blocks.get(1007) ?? Buffer.alloc(0));
  // Spot inks that a page defines but does not use appear at the end, with neither name nor ink.
  const named = names.findLastIndex((name) => name.length > 0) + 1;
  for (const [spot, name] of names.slice(0, named).entries()) {
    inks.push({ name: decodeInkName(name), kind: 'spot', cmyk: equivalents[spot] ?? [0, 0, 0, 1] });
  }
  return inks.slice(0, planes);
}

function resourceBlocks(resources: Buffer): Map<number, Buffer> {
  const blocks = new Map<number, Buffer>();
  for (let at = 0; at + 12 <= resources.length; ) {
    const id = resources.readUInt16BE(at + 4);
    const nameLength = resources.readUInt8(at + 6);
    // The name with its length byte is padded to an even size, and so is the data.
    const start = at + 6 + ((nameLength + 2) & ~1);
    if (start + 4 > resources.length) break;
    const length = resources.readUInt32BE(start);
    blocks.set(id, resources.subarray(start + 4, start + 4 + length));
    at = start + 4 + ((length + 1) & ~1);
  }
  return blocks;
}

function pascalStrings(block: Buffer): Buffer[] {
  const strings: Buffer[] = [];
  for (let at = 0; at < block.length; ) {
    const length = block.readUInt8(at);
    strings.push(block.subarray(at + 1, at + 1 + length));
    at += 1 + length;
  }
  return strings;
}

const displayRecord = 14;

/** DisplayInfo records of 14 bytes: colour space (2 is CMYK), four values (65535 is no ink), opacity, kind, filler. */
function displayColours(block: Buffer): PlateInk['cmyk'][] {
  const colours: PlateInk['cmyk'][] = [];
  for (let at = 0; at + displayRecord <= block.length; at += displayRecord) {
    const ink = (index: number): number => 1 - block.readUInt16BE(at + 2 + index * 2) / 65535;
    colours.push([ink(0), ink(1), ink(2), ink(3)]);
  }
  return colours;
}
