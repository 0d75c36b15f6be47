/** Whether a name matches one of the patterns; `*` stands for any characters, case is ignored. */
export function matchesAny(name: string, patterns: readonly string[]): boolean {
  return patterns.some((pattern) => {
    const source = pattern.replace(/[.+?^${}()|[\]\\]/g, '\\$&').replace(/\*+/g, '.*');
    return new RegExp(`^${source}$`, 'isu').test(name);
  });
}
