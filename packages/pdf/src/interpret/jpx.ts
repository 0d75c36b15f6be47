/** What the codestream of a JPEG 2000 image declares. The image dictionary need not contain it (ISO 32000-1, 7.4.9). */
export interface JpxFacts {
  readonly width: number;
  readonly height: number;
  readonly components: number;
  readonly bits: number;
  /** True for the reversible transform, unless the length shows that data was discarded afterwards. */
  readonly isLossless: boolean;
}

/** Reads the SIZ marker (ITU-T T.800, A.5.1) of a codestream or JP2 file; null when there is none. */
export function readJpx(bytes: Uint8Array): JpxFacts | null {
  const start = codestreamOffset(bytes);
  if (start < 0) return null;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  // SOC FF4F, SIZ FF51, Lsiz 2, Rsiz 2, Xsiz 4, Ysiz 4, XOsiz 4, YOsiz 4, tile 16, Csiz 2, then Ssiz of component 1.
  if (start + 43 > bytes.length || view.getUint16(start) !== 0xff4f || view.getUint16(start + 2) !== 0xff51)
    return null;
  const facts = {
    width: view.getUint32(start + 8) - view.getUint32(start + 16),
    height: view.getUint32(start + 12) - view.getUint32(start + 20),
    components: view.getUint16(start + 40),
    bits: ((bytes[start + 42] as number) & 0x7f) + 1,
  };
  const sampleBytes = (facts.width * facts.height * facts.components * facts.bits) / 8;
  return { ...facts, isLossless: isReversible(view, start + 2) && bytes.length >= losslessShare * sampleBytes };
}

/** Lossless compression does not reduce photographs below this share of their size. */
const losslessShare = 0.3;

/** The transform is in the COD marker of the main header (ITU-T T.800, A.6.1); 1 is the reversible one. */
function isReversible(view: DataView, first: number): boolean {
  for (let at = first; at + 14 <= view.byteLength && view.getUint8(at) === 0xff; at += 2 + view.getUint16(at + 2)) {
    const marker = view.getUint16(at);
    if (marker === 0xff52) return view.getUint8(at + 13) === 1;
    // First tile: the main header has ended.
    if (marker === 0xff90) return false;
  }
  return false;
}

function codestreamOffset(bytes: Uint8Array): number {
  if (bytes[0] === 0xff && bytes[1] === 0x4f) return 0;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (let at = 0, boxes = 0; at + 8 <= bytes.length && boxes < 1000; boxes += 1) {
    let length = view.getUint32(at);
    const type = view.getUint32(at + 4);
    let header = 8;
    if (length === 1 && at + 16 <= bytes.length) {
      length = view.getUint32(at + 8) * 2 ** 32 + view.getUint32(at + 12);
      header = 16;
    }
    // 'jp2c'
    if (type === 0x6a703263) return at + header;
    if (length < header) return -1;
    at += length;
  }
  return -1;
}
