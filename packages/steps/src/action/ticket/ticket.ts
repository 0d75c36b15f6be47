import type { Box, Inspection, PageInspection, Plan, PlanWorkStyle, ResultLevel } from '@pdf2press/contract';

/** What a job ticket tells, whichever standard it is written in. Lengths are points. */
export interface Ticket {
  jobId: string;
  jobName: string;
  customerId: string;
  orderId: string;
  /** How many finished pieces are wanted; null = the ticket does not say. */
  copies: number | null;
  createdAt: Date;
  /** The file that is printed. `md5` is the check sum of both standards. */
  file: { name: string; size: number; md5: string; sha256: string };
  /** Pages of the file. */
  pages: readonly TicketPage[];
  /** One finished piece: of an imposed file what its cells show, otherwise the file's pages. */
  product: { pageCount: number; width: number; height: number };
  /** Inks of the first sides and of the other sides, in the order of their first page. */
  inks: { front: readonly string[]; back: readonly string[] };
  spots: readonly string[];
  /** The least bleed of all pages; 0 = one page at least has none. */
  bleed: number;
  sheets: readonly { name: string; width: number; height: number; workStyle: PlanWorkStyle }[];
  /** More about the job, by name: what preflight found, and the values of the workflow's variables. */
  facts: readonly (readonly [string, string])[];
}

export interface TicketPage {
  label: string;
  /** In the coordinates of the file: lower left and upper right corner. */
  trim: Box;
  bleed: Box;
  media: Box;
  hasBleeds: boolean;
  inks: readonly string[];
}

/** What a step knows when it writes a ticket. */
export interface KnownOfJob {
  inspection: Inspection;
  /** Of the newest imposition of the run. */
  plan: Plan | undefined;
  preflight: { result: ResultLevel; errors: number; warnings: number } | null;
  variables: Readonly<Record<string, string>>;
}

const leastBleed = ({ trim, bleed }: Pick<TicketPage, 'trim' | 'bleed'>): number =>
  Math.max(0, Math.min(trim[0] - bleed[0], trim[1] - bleed[1], bleed[2] - trim[2], bleed[3] - trim[3]));

/** A bleed that is thinner than this comes from rounding. */
const leastOfBleeds = 0.1;

function pageOf({ label, effective, userUnit, inks }: PageInspection): TicketPage {
  const scaled = ([x0, y0, x1, y1]: Box): Box => [x0 * userUnit, y0 * userUnit, x1 * userUnit, y1 * userUnit];
  const boxes = { trim: scaled(effective.trim), bleed: scaled(effective.bleed), media: scaled(effective.media) };
  return { label, ...boxes, hasBleeds: leastBleed(boxes) >= leastOfBleeds, inks };
}

/** Width and height of the first page as seen, with the page turned by its Rotate. */
function seenSize({ pages: [first] }: Inspection): { width: number; height: number } {
  if (!first) return { width: 0, height: 0 };
  const [x0, y0, x1, y1] = first.effective.trim;
  const [width, height] = [(x1 - x0) * first.userUnit, (y1 - y0) * first.userUnit];
  return first.rotate % 180 === 0 ? { width, height } : { width: height, height: width };
}

function productOf(inspection: Inspection, plan: Plan | undefined): Ticket['product'] {
  const cell = plan?.sheets[0]?.front.cells[0];
  if (!plan || !cell) return { pageCount: inspection.pageCount, ...seenSize(inspection) };
  const isUpright = cell.rotation % 180 === 0;
  const [width, height] = isUpright ? [cell.width, cell.height] : [cell.height, cell.width];
  return { pageCount: plan.pageCount, width, height };
}

const inksOf = (pages: readonly TicketPage[], isFront: boolean): string[] => [
  ...new Set(pages.filter((_, at) => (at % 2 === 0) === isFront).flatMap(({ inks }) => inks)),
];

/** Everything of a ticket that does not come from the step's own settings. */
export function ticketFacts({
  inspection,
  plan,
  preflight,
  variables,
}: KnownOfJob): Pick<Ticket, 'pages' | 'product' | 'inks' | 'spots' | 'bleed' | 'sheets' | 'facts'> {
  const pages = inspection.pages.map(pageOf);
  return {
    pages,
    product: productOf(inspection, plan),
    inks: { front: inksOf(pages, true), back: inksOf(pages, false) },
    spots: inspection.inks.filter(({ used }) => used).map(({ name }) => name),
    bleed: pages.reduce((least, page) => Math.min(least, leastBleed(page)), pages[0] ? leastBleed(pages[0]) : 0),
    sheets: (plan?.sheets ?? []).map(({ number, width, height, workStyle }) => ({
      name: `Sheet${number}`,
      width,
      height,
      workStyle,
    })),
    facts: [
      ...(preflight
        ? ([
            ['PreflightResult', preflight.result],
            ['PreflightErrors', String(preflight.errors)],
            ['PreflightWarnings', String(preflight.warnings)],
          ] as const)
        : []),
      ...Object.entries(variables),
    ],
  };
}
