/** What `plates` and `render` share: one page of one file, at a resolution, into one place. */
import { oneOf, pageNumber, positiveNumber } from './arguments.ts';
import { UsageError } from './file-work.ts';

/** The options of a command on one page, for `parseArgs`. */
export const pageOptions = {
  page: { type: 'string' },
  dpi: { type: 'string' },
  out: { type: 'string' },
  box: { type: 'string' },
  password: { type: 'string' },
} as const;

type PageValues = Partial<Record<keyof typeof pageOptions, string>>;

/**
 * The page that the arguments name: `page` from 1, `dpi` 150 unless told, and where the result goes.
 * @throws UsageError without a file, without `--out`, or for a value that is not one.
 */
export function pageArguments(values: PageValues, positionals: readonly string[], usage: string) {
  if (positionals.length === 0 || values.out === undefined) throw new UsageError(usage);
  const box = oneOf(values.box, 'box', ['media', 'crop', 'bleed', 'trim', 'art']);
  return {
    out: values.out,
    page: {
      page: pageNumber(values.page),
      dpi: positiveNumber(values.dpi, 'dpi', 150),
      ...(box && { box }),
      ...(values.password !== undefined && { password: values.password }),
    },
  };
}
