/** Statuses below 500 that ask to come again later. */
export const comeAgain: ReadonlySet<number> = new Set([408, 425, 429]);

/** As much of a refusal's text as people see. */
export const longestExcerpt = 500;

/** The beginning of an answer, as one line. */
export const excerptOf = (body: Buffer): string =>
  body
    .subarray(0, longestExcerpt * 4)
    .toString('utf8')
    .replace(/[\p{C}\s]+/gu, ' ')
    .trim()
    .slice(0, longestExcerpt);
