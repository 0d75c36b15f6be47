import type { Box } from '@pdf2press/contract';
import type { CheckKey } from '../../checks/contracts.ts';
import type { PreflightProfileInput } from '../../profile/profile.ts';
import type { Random } from './chance.ts';
import type { DrawnFile } from './file.ts';

/** What was drawn: on one page, or in the whole file. */
export interface Drawn {
  breaks: boolean;
  /** Where the finding must be: in user space of the page, not turned. None where the rule is about more than a place. */
  box?: Box;
  /** By how many points the finding's box may be larger on every side. */
  margin?: number;
  /** For the list of misses. */
  about: string;
}

/** Cases of one rule, drawn from its wording. */
export interface Family {
  /** As in findings: `GWG2022:R0031` or `Bleed.short`. */
  rule: string;
  /** The rule in our words: what is drawn on both sides of it. */
  wording: string;
  /** What must find it: all checks of a preset that have the rule, or one check with its own settings. */
  preset?: string;
  check?: CheckKey;
  /** By day and by night so many cases; where they are judged more slowly than others, fewer. */
  cases?: { day: number; night: number };
  /** A machine does not read all that an eye sees: misses are published, and fail the test only where there are many. */
  hasMisses?: true;
  /** Where misses are looked at and mended, the numbers of its own with which it is drawn: others after each mend. */
  seed?: number;
  profile?: Partial<Pick<PreflightProfileInput, 'scaleFactor' | 'viewingDistanceM'>>;
  /** Adds a page to the file, or changes the file. */
  draw: (file: DrawnFile, random: Random) => Drawn;
  /** Each case is a file of its own: the rule compares what is in the whole file. */
  isOfFile?: true;
}
