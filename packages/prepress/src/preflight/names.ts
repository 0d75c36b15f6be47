/** Names with `*` for any run of characters, compared without case, as operators type them. */
export function matchesAny(name: string, patterns: readonly string[]): boolean {
  return patterns.some((pattern) => {
    const source = pattern.replace(/[.+?^${}()|[\]\\]/g, '\\$&').replace(/\*+/g, '.*');
    return new RegExp(`^${source}$`, 'isu').test(name);
  });
}
