/** The words of steps; made by the build (step-words.ts). */
declare module 'virtual:step-words' {
  /** Gives the contracts of steps their words in a language. */
  export function fill(locale: string, folders: Record<string, Record<string, string>>): void;
}
declare module 'virtual:step-words/*' {
  const folders: Record<string, Record<string, string>>;
  export default folders;
}
