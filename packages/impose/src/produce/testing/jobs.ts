import fc from 'fast-check';
import type { CustomerPage } from './press.ts';

/* Jobs made at random: a customer's pages and the settings an operator might choose for them. */

export const mm = 72 / 25.4;

const lengths = (most: number, least = 0) => fc.integer({ min: least, max: most }).map((tenths) => `${tenths / 10}mm`);
/** A value that most jobs have, and another that few have. */
const rarely = <T>(few: fc.Arbitrary<T>, most: T): fc.Arbitrary<T> =>
  fc.oneof({ withCrossShrink: true }, { weight: 3, arbitrary: fc.constant(most) }, { weight: 1, arbitrary: few });

const paddings = ['BlankEnd', 'BlankBeforeLast', 'Repeat'];
const padding = fc.constantFrom(...paddings, ...paddings, 'FailIfIncomplete');

export interface Job {
  pages: CustomerPage[];
  /** The pages to print, in order; a page may come several times. */
  list: number[];
  areSizesMixed: boolean;
  profile: Record<string, unknown>;
}

const sizes = fc.record({
  width: fc.integer({ min: 30, max: 120 }),
  height: fc.integer({ min: 30, max: 120 }),
  bleed: fc.integer({ min: 0, max: 4 }),
});

/** The customer's pages and which of them are printed. */
const orders = fc
  .record({
    size: sizes,
    others: rarely(fc.array(sizes, { maxLength: 2 }), []),
    turns: fc.array(fc.constantFrom(0 as const, 90 as const, 180 as const, 270 as const), {
      minLength: 1,
      maxLength: 5,
    }),
    count: fc.oneof(
      { withCrossShrink: true },
      { weight: 4, arbitrary: fc.integer({ min: 1, max: 40 }) },
      { weight: 1, arbitrary: fc.integer({ min: 1, max: 140 }) },
    ),
    picks: rarely(fc.array(fc.nat(139), { maxLength: 60 }), []),
  })
  .map(({ size, others, turns, count, picks }) => {
    const known = [size, ...others];
    const pages = Array.from({ length: count }, (_, index): CustomerPage => {
      const { width, height, bleed } = known[index % known.length] ?? size;
      return { width: width * mm, height: height * mm, bleed: bleed * mm, turned: turns[index % turns.length] ?? 0 };
    });
    const list = picks.length > 0 ? picks.map((pick) => (pick % count) + 1) : pages.map((_, index) => index + 1);
    const printed = new Set(list.map((page) => (page - 1) % known.length));
    const areSizesMixed = [...printed].some((one) => {
      const [a, b] = [known[one], known[[...printed][0] ?? 0]];
      return a?.width !== b?.width || a?.height !== b?.height;
    });
    return { pages, list, areSizesMixed, all: picks.length === 0 };
  });

/** Margins leave room for marks beside the bleed: the bindery works by them. */
const sheetSettings = fc.record({
  sheet: fc.constantFrom('auto', 'auto', '4000x4000mm', '3000x6000mm'),
  margins: fc.record({
    top: lengths(300, 120),
    bottom: lengths(300, 120),
    left: lengths(300, 120),
    right: lengths(300, 120),
  }),
  gripper: fc.record({ edge: fc.constantFrom('Bottom', 'Top', 'Left', 'Right'), size: lengths(150) }),
  alignment: fc.record({
    point: fc.constantFrom(
      'TopLeft',
      'Top',
      'TopRight',
      'Left',
      'Centre',
      'Right',
      'BottomLeft',
      'Bottom',
      'BottomRight',
    ),
    rowByRow: fc.boolean(),
    allSheetsIndependent: fc.boolean(),
  }),
  bleed: fc.record({ policy: fc.constantFrom('FromPage', 'Fixed', 'None'), amount: lengths(60) }),
  cellBox: fc.constantFrom('Trim', 'Trim', 'Bleed'),
  backOffset: fc.record({ x: fc.integer({ min: -3, max: 3 }), y: fc.integer({ min: -3, max: 3 }) }),
  padding,
  reverseSheets: fc.boolean(),
  faceDown: fc.boolean(),
  copies: fc.integer({ min: 1, max: 999 }),
  oversPercent: fc.integer({ min: 0, max: 12 }),
  mixedSizes: fc.constantFrom('Centre', 'Scale'),
  pageScaling: rarely<Record<string, unknown>>(
    fc.integer({ min: 50, max: 130 }).map((percent) => ({ mode: 'Proportional', percent })),
    { mode: 'None' },
  ),
});

const gaps = fc.oneof(
  fc.constant('2xbleed'),
  lengths(120).map((gap) => [gap]),
  fc.array(lengths(120), { minLength: 2, maxLength: 3 }),
);
const turns = fc.constantFrom(
  ...['Same', 'Same', 'Same', 'Alternate180', 'HeadToHead', 'FootToFoot', 'First', 'Last', 'Odd', 'Even'],
);

/** A fixed grid on a sheet that is large enough, or as many pages as a common sheet holds. */
const grids = fc
  .record({
    grid: fc.oneof(
      {
        weight: 4,
        arbitrary: fc.record({
          rows: fc.integer({ min: 1, max: 5 }),
          columns: fc.integer({ min: 1, max: 5 }),
          rotation: fc.constantFrom(0, 90, 180, 270),
          rowsOrientation: turns,
          columnsOrientation: turns,
        }),
      },
      {
        weight: 1,
        arbitrary: fc.record({
          sheet: fc.constantFrom('SRA3', 'B2', '13x19', 'SRA2', 'roll 700mm'),
          rows: fc.constant('Auto'),
          columns: fc.constant('Auto'),
          rotation: fc.constantFrom('Auto', 0, 90),
          mixedRotation: fc.boolean(),
        }),
      },
    ),
    gutters: fc.record({ gutterH: gaps, gutterV: gaps }),
    sides: fc.record({
      duplex: fc.boolean(),
      workStyle: fc.constantFrom('Sheetwise', 'Perfecting', 'WorkAndTurn', 'WorkAndTumble'),
    }),
  })
  .map(({ grid, gutters, sides }) => ({ ...gutters, ...sides, ...halved(sides, grid) }));

/** One plate for both sides needs two halves, so most operators who choose it choose an even number. */
function halved(
  { duplex, workStyle }: { duplex: boolean; workStyle: string },
  grid: Record<string, unknown> & { rows: unknown; columns: unknown },
): Record<string, unknown> {
  if (!duplex || typeof grid.rows !== 'number' || typeof grid.columns !== 'number' || grid.rows * grid.columns === 25)
    return grid;
  if (workStyle === 'WorkAndTurn') return { ...grid, columns: grid.columns + (grid.columns % 2) };
  return workStyle === 'WorkAndTumble' ? { ...grid, rows: grid.rows + (grid.rows % 2) } : grid;
}

const corners = fc.constantFrom('TopLeft', 'TopRight', 'BottomLeft', 'BottomRight');
const stackOrders = [
  'DeepRightDown',
  'DeepDownRight',
  'RightDownDeep',
  'RightDeepDown',
  'DownRightDeep',
  'DownDeepRight',
];

const creep = fc.record({
  enabled: fc.boolean(),
  paperThickness: fc.integer({ min: 0, max: 30 }).map((hundredths) => `${hundredths / 100}mm`),
  factor: fc.constantFrom(0.5, 1, 1.3),
  direction: fc.constantFrom('InsideIn', 'OutsideOut'),
  method: fc.constantFrom('Shift', 'ScaleHorizontally'),
  scope: fc.constantFrom('Document', 'PerSignature'),
});

const bottling = fc.record({
  outermost: fc.constantFrom(0, 0.1, -0.4),
  innermost: fc.constantFrom(0, 0.3, -1),
  axis: fc.constantFrom('SpineHead', 'SpineFoot', 'FaceHead', 'FaceFoot'),
});

const bound = fc
  .record({
    signature: fc.constantFrom(
      ...[4, 8, 12, 16, 24, 32].map((signatureSize) => ({ signatureSize, folding: 'Standard' })),
      ...[8, 16, 32].map((signatureSize) => ({ signatureSize, folding: 'Parallel' })),
      ...[12, 24].map((signatureSize) => ({ signatureSize, folding: 'Zigzag' })),
    ),
    bindingEdge: fc.constantFrom('Left', 'Right', 'Top'),
    workStyle: fc.constantFrom('Sheetwise', 'Perfecting', 'WorkAndTurn', 'WorkAndTumble'),
    comeAndGo: rarely(fc.boolean(), false),
    trim: fc.record({ head: lengths(80), foot: lengths(80), face: lengths(80) }),
    creep,
    bottling: rarely<Record<string, unknown>>(bottling, {}),
  })
  .map(({ signature, ...own }) => ({ ...signature, ...own, marks: 'crop, fold' }));

/** The settings of each layout beside those of the sheet. */
const layouts = {
  AcrossDown: fc
    .record({ grid: grids, startCorner: corners, sequentialSides: fc.boolean() })
    .map(({ grid, ...own }) => ({ ...grid, ...own })),
  DownAcross: fc
    .record({ grid: grids, startCorner: corners, sequentialSides: fc.boolean() })
    .map(({ grid, ...own }) => ({ ...grid, ...own })),
  CutAndStack: fc
    .record({
      grid: grids,
      startCorner: corners,
      stackOrder: fc.constantFrom(...stackOrders),
      stackDepth: fc.constantFrom(0, 0, 1, 3),
      balance: fc.boolean(),
    })
    .map(({ grid, ...own }) => ({ ...grid, ...own })),
  StepNRepeat: grids,
  Fill: fc
    .record({ grid: grids, fill: fc.array(fc.integer({ min: 1, max: 3 }), { minLength: 1, maxLength: 3 }) })
    .map(({ grid, fill }) => ({ ...grid, fill })),
  Gang: fc
    .record({ grid: grids, wanted: fc.array(fc.integer({ min: 1, max: 5000 }), { minLength: 1, maxLength: 6 }) })
    .map(({ grid, wanted }) => ({ ...grid, gang: 'Gang', wanted })),
  DieCut: fc.record({
    rows: fc.integer({ min: 1, max: 4 }),
    columns: fc.integer({ min: 1, max: 4 }),
    duplex: fc.boolean(),
    workStyle: fc.constantFrom('Sheetwise', 'Perfecting'),
    stations: fc.record({
      nesting: fc.constantFrom('Grid', 'BrickHalfDrop', 'InterlockRotate180'),
      gap: lengths(80),
      order: fc.constantFrom('StepNRepeat', 'List'),
    }),
    // A die is as large as it is.
    pageScaling: fc.constant({ mode: 'None' }),
  }),
  SaddleStitch: fc
    .record({
      book: bound,
      coverSeparate: fc.boolean(),
      lip: fc.record({ half: fc.constantFrom('LowFolio', 'HighFolio'), size: lengths(150) }),
      spreads: fc.record({ count: fc.constantFrom(1, 1, 2, 3), turned: fc.boolean() }),
    })
    .map(({ book, lip, spreads, ...own }) => ({
      ...book,
      ...own,
      // A lip and spreads are for sheets of four pages in one row.
      ...(book.signatureSize === 4 && book.bindingEdge !== 'Top' ? { lip, spreads } : {}),
    })),
  PerfectBound: fc
    .record({ book: bound, sheetsPerSection: fc.integer({ min: 1, max: 4 }), millingDepth: lengths(60) })
    .map(({ book, ...own }) => ({ ...book, ...own })),
};

/** The pages of a job that has cells, or a quantity, for each kind: as many as there are kinds. */
function ganged(
  order: Omit<Job, 'profile'>,
  { wanted, fill, ...settings }: { wanted?: number[]; fill?: number[] } & Record<string, unknown>,
) {
  if (fill) {
    const kinds = Math.min(fill.length, Math.ceil(order.list.length / (settings.duplex ? 2 : 1)));
    const cells = fill.slice(0, kinds).map((count, kind) => `${kind + 1}x${count}`);
    return { ...order, settings: { ...settings, fill: cells.join(', ') } };
  }
  if (!wanted) return { ...order, settings };
  const sides = settings.duplex ? 2 : 1;
  const kinds = Math.min(wanted.length, Math.ceil(order.list.length / sides));
  const list = order.list.slice(0, kinds * sides);
  const quantities = wanted.slice(0, kinds).map((quantity, kind) => `${kind + 1}x${quantity}`);
  return { ...order, list, settings: { ...settings, quantities: quantities.join(', ') } };
}

const told = (job: Omit<Job, 'profile'>, profile: Record<string, unknown>): Job => {
  // What is printed of a job that failed: its settings and different pages.
  const looks = [...new Set(job.pages.map((page) => JSON.stringify(page)))].join(' ');
  const text = `${job.pages.length} pages of ${looks}\n${JSON.stringify(profile)}`;
  return Object.assign({ ...job, profile }, { [fc.toStringMethod]: () => text });
};

/** Widths of the pages of one leaflet in the order Cover, inside, outside; `whole` and `shorter` in any unit. */
export function spreadWidths(fold: string, panels: number, whole: number, shorter: number): number[] {
  const inner = Array.from({ length: panels }, (_, i) => whole - Math.max(0, i - 1) * shorter);
  const flap = whole - shorter;
  const half = whole / 2 - shorter;
  const known: Readonly<Record<string, number[]>> = {
    // Inside the cover's back is on the left and the flap on the right; outside it is the other way round.
    RollFold: [whole, ...inner, ...inner.slice(1).reverse()],
    GateFold: [half, half, whole, half, half, whole],
    ClosedGateFold: [whole, flap, whole, whole, flap, flap, whole, flap],
  };
  return known[fold] ?? new Array<number>(2 * panels).fill(whole);
}

/** The number of panels that each fold has. */
export const panelsOf = (fold: string, panels: number): number =>
  ({ HalfFold: 2, GateFold: 3, ClosedGateFold: 4 })[fold] ?? panels;

const leaflets = fc
  .record({
    sheet: sheetSettings,
    size: sizes,
    own: fc.record({
      fold: fc.constantFrom('HalfFold', 'RollFold', 'ZigzagFold', 'GateFold', 'ClosedGateFold'),
      panels: fc.integer({ min: 3, max: 6 }),
      pageOrder: fc.constantFrom('AsSpread', 'AsRead'),
      rows: fc.integer({ min: 1, max: 3 }),
      columns: fc.integer({ min: 1, max: 3 }),
      gutterH: gaps,
      gutterV: gaps,
      workStyle: fc.constantFrom('Sheetwise', 'Perfecting'),
    }),
    shorter: fc.integer({ min: 5, max: 40 }),
    isExact: fc.boolean(),
    kinds: fc.integer({ min: 1, max: 3 }),
    missing: fc.nat(5),
  })
  .map(({ sheet, size, own, shorter, isExact, kinds, missing }): Job => {
    const panels = panelsOf(own.fold, own.panels);
    const { width, height, bleed } = { ...size, width: size.width + 20 };
    const half = width / 2 - shorter / 10;
    const read = own.fold === 'GateFold' ? [half, half, half, half, width, width] : new Array(2 * panels).fill(width);
    const spread = spreadWidths(own.fold, panels, width, shorter / 10);
    // A page that is folded inside may come as wide as the others; the flaps of a gate may not.
    const isNarrow = own.pageOrder === 'AsSpread' && (isExact || own.fold === 'GateFold');
    const widths: number[] = isNarrow ? spread : read;
    // The widest page shows how wide a whole panel is, so the middle of a gate is never left out.
    const count = Math.max(1, kinds * 2 * panels - (own.fold === 'GateFold' ? 0 : missing));
    const pages = Array.from({ length: count }, (_, index): CustomerPage => {
      const wide = widths[index % widths.length] ?? width;
      return { width: wide * mm, height: height * mm, bleed: bleed * mm, turned: 0 };
    });
    const list = pages.map((_, index) => index + 1);
    const profile = {
      type: 'Leaflet',
      ...sheet,
      ...own,
      shorter: `${shorter / 10}mm`,
      cellBox: 'Trim',
      pageScaling: { mode: 'None' },
      padding: sheet.padding === 'FailIfIncomplete' ? sheet.padding : 'BlankEnd',
      marks: 'crop, fold',
    };
    return told({ pages, list, areSizesMixed: false }, profile);
  });

/** Jobs of different sizes on common sheets; each has one page, or a front and a back. */
const gangRuns = fc
  .record({
    sheet: sheetSettings,
    format: fc.constantFrom('SRA3', 'SRA2', 'B1', '13x19'),
    kinds: fc.array(
      fc.record({
        size: sizes,
        quantity: fc.integer({ min: 1, max: 3000 }),
        turned: fc.constantFrom(0 as const, 90 as const),
      }),
      { minLength: 1, maxLength: 8 },
    ),
    own: fc.record({
      duplex: fc.boolean(),
      workStyle: fc.constantFrom('Sheetwise', 'Perfecting', 'WorkAndTurn', 'WorkAndTumble'),
      gutter: lengths(120),
      mayTurn: fc.boolean(),
      furtherSheets: fc.boolean(),
    }),
  })
  .map(({ sheet: given, format, kinds, own }): Job => {
    const sides = own.duplex ? 2 : 1;
    const pages = kinds.flatMap(({ size: { width, height, bleed }, turned }) =>
      Array.from(
        { length: sides },
        (): CustomerPage => ({
          ...{ width: width * mm, height: height * mm, bleed: bleed * mm, turned },
        }),
      ),
    );
    const { margins, gripper, alignment, bleed, cellBox, backOffset, reverseSheets, faceDown, oversPercent } = given;
    const profile = {
      ...{ type: 'GangRun', sheet: format, margins, gripper, bleed, cellBox, backOffset, reverseSheets, faceDown },
      ...{ oversPercent, alignment: { point: alignment.point }, ...own },
      jobs: kinds.map(({ quantity }, index) => ({
        pages: own.duplex ? `${2 * index + 1}-${2 * index + 2}` : `${index + 1}`,
        quantity,
      })),
    };
    return told({ pages, list: pages.map((_, index) => index + 1), areSizesMixed: false }, profile);
  });

export const jobs: fc.Arbitrary<Job> = fc.oneof(
  ...Object.entries(layouts).map(([name, settings]) =>
    fc
      .record({ order: orders, sheet: sheetSettings, settings: settings as fc.Arbitrary<Record<string, unknown>> })
      .map(({ order, sheet, settings }): Job => {
        const { all, ...given } = order;
        const { settings: own, ...job } = ganged(given, settings);
        const type = name === 'Gang' || name === 'Fill' ? 'StepNRepeat' : name;
        const isWhole = all && job.list.length === job.pages.length;
        const profile = { type, ...sheet, ...own, ...(isWhole ? {} : { pages: job.list.join(',') }) };
        return told(job, profile);
      }),
  ),
  leaflets,
  gangRuns,
);
