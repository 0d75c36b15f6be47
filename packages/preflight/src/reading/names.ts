/**
 * Whether a name matches one of the patterns; `*` stands for any characters. Case is ignored, and whether a letter and its
 * accent are written as one character or two.
 */
export function matchesAny(name: string, patterns: readonly string[]): boolean {
  return patterns.some((pattern) => {
    const source = pattern
      .normalize()
      .replace(/[.+?^${}()|[\]\\]/g, '\\$&')
      .replace(/\*+/g, '.*');
    return new RegExp(`^${source}$`, 'isu').test(name.normalize());
  });
}
