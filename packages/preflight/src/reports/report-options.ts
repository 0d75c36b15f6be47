/** What a report is made of, and the few words and colours that all its parts share. */
import { type Finding, type Locale, type PreflightReport, pageRanges, sentence, type Unit } from '@pdf2press/contract';
import type { RenderService, Rgb } from '@pdf2press/pdf';
import { messages } from './messages.ts';

/** Whose report it is: shown at the head of every page. */
export interface ReportHouse {
  name: string;
  /** `#rrggbb`; null = the product's. */
  colour: string | null;
  /** A PNG or JPEG; null = the name in letters. */
  logo: Uint8Array | null;
}

/** What a fix changed, as sentences of the reader's language. */
export interface CorrectedAction {
  label: string;
  sentences: readonly string[];
}

export interface ReportOptions {
  report: PreflightReport;
  locale: Locale;
  unit: Unit;
  /** IANA name of the zone that times are told in; that of the machine where none is given. */
  timeZone?: string | undefined;
  /** The file that the report is about. */
  render: RenderService;
  house?: ReportHouse | null | undefined;
  /** What the fix steps of the run did. */
  corrected?: readonly CorrectedAction[] | undefined;
  /** The imposed file. */
  sheets?: RenderService | null | undefined;
  /** What an action that would clear a finding is called. */
  fixLabel?: ((action: string) => string) | undefined;
}

export type Say = (code: string, params?: Record<string, unknown>) => string;
export const sayIn =
  (locale: Locale): Say =>
  (code, params) =>
    sentence(messages, locale, code, params);

export const severityColours: Readonly<Record<Finding['severity'], Rgb>> = {
  Fail: [0.76, 0.11, 0.13],
  Warn: [0.75, 0.42, 0],
  Info: [0.13, 0.38, 0.7],
};
export const resultColours: Readonly<Record<PreflightReport['result'], Rgb>> = {
  Success: [0.07, 0.47, 0.24],
  Warning: severityColours.Warn,
  Error: severityColours.Fail,
};
const rank = { Fail: 0, Warn: 1, Info: 2 };
/** Orders findings by how severe they are. */
export const byWorst = (a: Pick<Finding, 'severity'>, b: Pick<Finding, 'severity'>): number =>
  rank[a.severity] - rank[b.severity];

const productColour: Rgb = [0.1, 0.28, 0.55];

/** The colour of the house; the product's where none is set. */
export function houseColour(house: ReportHouse | null | undefined): Rgb {
  const parts = /^#([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})$/i.exec(house?.colour ?? '');
  if (!parts) return productColour;
  return parts.slice(1).map((part) => Number.parseInt(part, 16) / 255) as unknown as Rgb;
}

/** A colour mixed with white; `share` 0 to 1 of the colour. */
export const tint = (colour: Rgb, share: number): Rgb => colour.map((part) => 1 - (1 - part) * share) as unknown as Rgb;

/** Pages in words: "page 3", "pages 3–113"; the whole file for none. */
export const pagesTold = (pages: readonly number[], say: Say): string =>
  pages.length === 0
    ? say('document')
    : say(pages.length === 1 ? 'onPage' : 'onPages', {
        pages: pageRanges(pages),
      });
