/**
 * Regular expressions that operators write. The engine is a port of RE2: the time for a text grows with its length and
 * never faster, where the language's own engine can be made to run for years. It is loaded only where a rule needs it,
 * because it is larger than the rest of this room.
 */
export interface RegularExpressions {
  /** Null when the pattern is not a regular expression of RE2's syntax. */
  compile: (pattern: string, options: { isCaseSensitive: boolean }) => ((text: string) => boolean) | null;
  /**
   * Replaces each match. In the replacement, `$1` is a group, `$&` the match and `$$` a dollar sign. Null as for `compile`.
   */
  replacer: (
    pattern: string,
    options: { isCaseSensitive: boolean },
  ) => ((text: string, replacement: string) => string) | null;
}

interface Compiled {
  finds: (text: string) => boolean;
  replaceAll: (text: string, replacement: string) => string;
}

/** Patterns kept compiled: compiling takes longer than looking at a text, and a workflow's rules come again and again. */
const keptPatterns = 200;

/** Characters of a pattern: one that a person wrote is shorter, and a compiled one stays small. */
const longestPattern = 500;

export async function loadRegularExpressions(): Promise<RegularExpressions> {
  const { RE2JS, RE2JSException } = await import('re2js');
  const kept = new Map<string, Compiled | null>();
  const compileOnce = (pattern: string, flags: number): Compiled | null => {
    try {
      const compiled = RE2JS.compile(pattern, flags);
      return {
        finds: (text) => compiled.matcher(text).find(),
        replaceAll: (text, replacement) => compiled.matcher(text).replaceAll(replacement),
      };
    } catch (error) {
      if (error instanceof RE2JSException) return null;
      throw error;
    }
  };
  const compiledOf = (pattern: string, isCaseSensitive: boolean): Compiled | null => {
    if (pattern === '' || pattern.length > longestPattern) return null;
    const key = `${isCaseSensitive} ${pattern}`;
    const known = kept.get(key);
    if (known !== undefined) return known;
    if (kept.size >= keptPatterns) kept.clear();
    const made = compileOnce(pattern, isCaseSensitive ? 0 : RE2JS.CASE_INSENSITIVE);
    kept.set(key, made);
    return made;
  };
  return {
    compile: (pattern, { isCaseSensitive }) => compiledOf(pattern, isCaseSensitive)?.finds ?? null,
    replacer: (pattern, { isCaseSensitive }) => compiledOf(pattern, isCaseSensitive)?.replaceAll ?? null,
  };
}
