/** A quoted word, a number with its unit, or a name. */
const nameOrNot =
  /(["']).*?\1|\d+(?:\.\d+)?(?:\s*(?:mm|cm|pt|in|ft|m)(?![\p{L}\p{N}_]))?|([\p{L}_](?:[\p{L}\p{N}_.-]*[\p{L}\p{N}_])?)/gu;

/** The variables that an expression names, or a condition such as `copies >= 500 and product = "flyer"`. */
export const variablesIn = (text: string): string[] =>
  [...text.matchAll(nameOrNot)].flatMap(([, , name]) => (name && !/^(and|or)$/i.test(name) ? [name] : []));
