/**
 * A safe subset of LittleCMS, compiled to WebAssembly. The wrapper of the package copies whole profiles through the
 * stack and allocates memory for each call; here profiles are on the heap, and pixels pass through one pair of fixed
 * buffers.
 */

interface LcmsModule {
  HEAPU8: Uint8Array;
  _malloc(bytes: number): number;
  _free(pointer: number): void;
  _cmsOpenProfileFromMem(pointer: number, bytes: number): number;
  _cmsCloseProfile(profile: number): number;
  _cmsCreateLab4Profile(whitePoint: number): number;
  _cmsCreateTransform(
    from: number,
    fromFormat: number,
    to: number,
    toFormat: number,
    intent: number,
    flags: number,
  ): number;
  _cmsDeleteTransform(transform: number): void;
  _cmsDoTransform(transform: number, input: number, output: number, pixels: number): void;
}

/** LittleCMS pixel formats. Only float and 8-bit: the double formats corrupt the WebAssembly heap. */
export const formats = {
  Gray: { float: 0x43000c, bytes: 0x30009, channels: 1 },
  RGB: { float: 0x44001c, bytes: 0x40019, channels: 3 },
  CMYK: { float: 0x460024, bytes: 0x60021, channels: 4 },
  Lab: { float: 0x4a001c, bytes: 0xa0019, channels: 3 },
} as const;

/** Pixels per call. With four float channels the two buffers take 2 MiB. */
const chunkPixels = 65_536;
const bufferBytes = chunkPixels * 4 * 4;

export interface Lcms {
  openProfile(bytes: Uint8Array): number;
  openLab(): number;
  closeProfile(profile: number): void;
  createTransform(
    from: number,
    fromFormat: number,
    to: number,
    toFormat: number,
    intent: number,
    flags: number,
  ): number;
  deleteTransform(transform: number): void;
  /** Converts any number of pixels, in chunks. Both arrays must be of the same kind, 8-bit or float. */
  run(transform: number, input: Pixels, inputChannels: number, output: Pixels, outputChannels: number): void;
}

export type Pixels = Uint8Array | Float32Array;

/** Starts a LittleCMS instance, which takes about 20 ms. */
export async function startLcms(): Promise<Lcms> {
  const { instantiate } = await import('lcms-wasm');
  const module = (await instantiate()) as LcmsModule;
  const source = module._malloc(bufferBytes);
  const target = module._malloc(bufferBytes);
  return {
    openProfile(bytes) {
      const pointer = module._malloc(bytes.length);
      module.HEAPU8.set(bytes, pointer);
      // LittleCMS keeps its own copy of the profile.
      const profile = module._cmsOpenProfileFromMem(pointer, bytes.length);
      module._free(pointer);
      return profile;
    },
    openLab: () => module._cmsCreateLab4Profile(0),
    closeProfile: (profile) => void module._cmsCloseProfile(profile),
    createTransform: (from, fromFormat, to, toFormat, intent, flags) =>
      module._cmsCreateTransform(from, fromFormat, to, toFormat, intent, flags),
    deleteTransform: (transform) => module._cmsDeleteTransform(transform),
    run(transform, input, inputChannels, output, outputChannels) {
      const pixels = Math.floor(input.length / inputChannels);
      const bytesIn = inputChannels * input.BYTES_PER_ELEMENT;
      const bytesOut = outputChannels * output.BYTES_PER_ELEMENT;
      const from = new Uint8Array(input.buffer, input.byteOffset, input.byteLength);
      const to = new Uint8Array(output.buffer, output.byteOffset, output.byteLength);
      for (let start = 0; start < pixels; start += chunkPixels) {
        const count = Math.min(chunkPixels, pixels - start);
        // The heap may have moved since the last call, so HEAPU8 is read again each time.
        module.HEAPU8.set(from.subarray(start * bytesIn, (start + count) * bytesIn), source);
        module._cmsDoTransform(transform, source, target, count);
        to.set(module.HEAPU8.subarray(target, target + count * bytesOut), start * bytesOut);
      }
    },
  };
}
