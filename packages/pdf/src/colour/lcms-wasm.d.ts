declare module 'lcms-wasm' {
  export function instantiate(): Promise<unknown>;
}
