import { type Job, mm, panelsOf, spreadWidths } from './jobs.ts';
import {
  backThrough,
  boxOf,
  centreOf,
  checkLeaf,
  checkSheet,
  cutApart,
  cutOut,
  cutSheet,
  folded,
  guillotined,
  isNear,
  type Leaf,
  nested,
  type PaperFold,
  type Print,
  pileTurnedOver,
  placesOf,
  plus,
  type Sheet,
  spineAt,
  spoiled,
  strips,
  turnedOver,
  turnedRound,
  type Vector,
} from './paper.ts';
import type { PrintedSheet } from './press.ts';

/*
 * Makes the product of printed sheets as a bindery does and compares it with what the customer ordered. Settings are read
 * here as an operator reads them, never through the code that plans.
 */

const pointsOf = (typed: unknown): number =>
  typeof typed === 'number' ? typed : Number.parseFloat(String(typed)) * mm;
const pageOf = (print: Leaf['front']): number => print?.page ?? 0;
const pair = ({ front, back }: Leaf): [number, number] => [pageOf(front), pageOf(back)];
const isOnePlate = ({ workStyle }: PrintedSheet) => workStyle === 'WorkAndTurn' || workStyle === 'WorkAndTumble';

const same = (what: string, found: unknown, expected: unknown): void => {
  const [a, b] = [JSON.stringify(found), JSON.stringify(expected)];
  if (a !== b) spoiled(`${what}: ${a}, not ${b}`);
};

/** @throws PaperFault what is wrong with the product */
export function judge(job: Job, sheets: readonly PrintedSheet[]): void {
  if (sheets.length === 0) spoiled('nothing is printed');
  // Creep moves pages out of their trim, and a panel may be shorter than its page: there they are not printed.
  if (!('creep' in job.profile) && !('panels' in job.profile)) for (const sheet of sheets) checkSheet(sheet);
  const type = String(job.profile.type) as keyof typeof judges;
  judges[type](job, sheets);
}

const judges = {
  AcrossDown: sequenced,
  DownAcross: sequenced,
  CutAndStack: stacked,
  StepNRepeat: repeated,
  DieCut: repeated,
  SaddleStitch: stitched,
  Leaflet: leafleted,
  PerfectBound: glued,
  GangRun: ganged,
};

/* Cut work */

/** Pieces of a sheet in rows; of work-and-turn and work-and-tumble the half that has the fronts, after checking the other. */
function piecesOf(sheet: PrintedSheet, rows: Vector[][]): Leaf[][] {
  const pieces = rows.map((row) => row.map((place) => cutOut(sheet, place)));
  const count = pieces.flat().filter(({ front, back }) => front || back).length;
  if (count * 2 < sheet.front.prints.length + (sheet.back?.prints.length ?? 0)) spoiled('a page is cut apart');
  if (!isOnePlate(sheet)) return pieces;
  const half = pieces.flatMap((row, r): Leaf[][] => {
    if (sheet.workStyle === 'WorkAndTumble') return r < pieces.length / 2 ? [row] : [];
    return [row.filter((_, c) => (rows[r]?.[c]?.x ?? 0) < sheet.width / 2)];
  });
  if (half.flat().length * 2 !== pieces.flat().length) spoiled('the halves of the plate differ');
  return half;
}

/** Rows of the places of a pile; sheets that are aligned by themselves are cut by themselves. */
const rowsFor = (job: Job, sheets: readonly PrintedSheet[]) => {
  const { allSheetsIndependent } = job.profile.alignment as { allSheetsIndependent: boolean };
  const all = placesOf(sheets);
  return (sheet: PrintedSheet) => (allSheetsIndependent && job.profile.type !== 'DieCut' ? placesOf([sheet]) : all);
};

/** Rows from the corner where reading starts. */
function fromCorner<T>(rows: readonly T[][], corner: unknown): T[][] {
  const turned = String(corner).endsWith('Right') ? rows.map((row) => [...row].reverse()) : rows.map((row) => [...row]);
  return String(corner).startsWith('Bottom') ? turned.reverse() : turned;
}

const byColumns = <T>(rows: readonly T[][]): T[][] =>
  Array.from({ length: Math.max(0, ...rows.map((row) => row.length)) }, (_, column) =>
    rows.flatMap((row) => (column < row.length ? [row[column] as T] : [])),
  );

/** The ordered pages repeated, or followed by nothing: what a reader finds who skips blanks. */
function checkReading(job: Job, read: readonly number[]): void {
  const { list } = job;
  const pages = read.filter((page) => page > 0);
  const length =
    job.profile.padding === 'Repeat' && job.profile.balance !== true
      ? Math.max(pages.length, list.length)
      : list.length;
  same(
    'the pages in reading order',
    pages,
    Array.from({ length }, (_, i) => list[i % list.length]),
  );
}

/** Leaves in reading order hold their pages two by two. */
function checkLeaves(job: Job, leaves: readonly Leaf[]): void {
  const isDuplex = job.profile.duplex === true;
  checkReading(
    job,
    leaves.flatMap((leaf) => pair(leaf)),
  );
  if (!isDuplex) {
    if (leaves.some(({ back }) => back)) spoiled('a back is printed');
    return;
  }
  if (job.profile.padding === 'BlankBeforeLast') return;
  const filled = leaves.filter(({ front, back }) => front || back);
  const pages = filled.flatMap((leaf) => pair(leaf));
  if (pages.slice(0, -1).some((page) => page === 0)) spoiled('a leaf has only one of its pages');
}

/** Every piece has the direction that the operator chose, where he chose one for all. */
function checkDirection(job: Job, leaves: readonly Leaf[]): void {
  const { rotation, rowsOrientation, columnsOrientation } = job.profile;
  if (typeof rotation !== 'number' || rowsOrientation !== 'Same' || columnsOrientation !== 'Same') return;
  const angle = (rotation * Math.PI) / 180;
  for (const { front } of leaves) {
    if (!front) continue;
    const size = Math.hypot(front.up.x, front.up.y);
    if (!isNear(front.up.x / size, -Math.sin(angle), 0.001) || !isNear(front.up.y / size, Math.cos(angle), 0.001))
      spoiled(`page ${front.page} is not turned by ${rotation}°`);
  }
}

/** Enough sheets for the copies and the overs, and not one more than that. */
function checkQuantity(job: Job, sheet: PrintedSheet, perSheet: number): void {
  const wanted = Number(job.profile.copies) * (1 + Number(job.profile.oversPercent) / 100) - 1e-6;
  if (sheet.quantity * perSheet < wanted) spoiled(`${sheet.quantity} sheets are too few`);
  // Rounding up to whole sheets of one plate, and then to whole sheets, adds at most one.
  if (sheet.quantity > 1 && (sheet.quantity - 1) * perSheet >= wanted + perSheet) spoiled('a sheet too many');
}

function sequenced(job: Job, sheets: readonly PrintedSheet[]): void {
  const { startCorner, sequentialSides, type } = job.profile;
  const rowsOf = rowsFor(job, sheets);
  const inOrder = <T>(rows: T[][]) => {
    const lines = fromCorner(rows, startCorner);
    return (type === 'DownAcross' ? byColumns(lines) : lines).flat();
  };
  const perSheet = sheets.map((sheet) => ({ sheet, pieces: piecesOf(sheet, rowsOf(sheet)) }));
  const leaves = perSheet.flatMap(({ pieces }) => inOrder(pieces));
  if (sequentialSides === true && job.profile.duplex === true) {
    const read = perSheet.flatMap(({ sheet, pieces }) => {
      const behind = sheet.turning === 'Turn' ? pieces.map((row) => [...row].reverse()) : [...pieces].reverse();
      return [...inOrder(pieces).map(({ front }) => pageOf(front)), ...inOrder(behind).map(({ back }) => pageOf(back))];
    });
    checkReading(job, read);
  } else checkLeaves(job, leaves);
  checkDirection(job, leaves);
  for (const sheet of sheets) checkQuantity(job, sheet, isOnePlate(sheet) ? 2 : 1);
}

/** Cuts the pile and takes the pieces along three axes, the first fastest. */
function stacked(job: Job, sheets: readonly PrintedSheet[]): void {
  const { startCorner, stackOrder, stackDepth } = job.profile;
  // The whole pile is cut at once, so its sheets must have their pages at the same places.
  const rows = placesOf(sheets);
  const pile = sheets.map((sheet) => fromCorner(piecesOf(sheet, rows), startCorner));
  const depth = Number(stackDepth) || pile.length;
  const axes = String(stackOrder).match(/Deep|Right|Down/g) ?? [];
  const leaves: Leaf[] = [];
  for (let first = 0; first < pile.length; first += depth) {
    const block = pile.slice(first, first + depth);
    const all = block.flatMap((sheet, Deep) =>
      sheet.flatMap((row, Down) =>
        row.map((leaf, Right) => ({ leaf, at: { Deep, Down, Right } as Record<string, number> })),
      ),
    );
    all.sort((a, b) => {
      for (const axis of [...axes].reverse()) {
        const rest = (a.at[axis] ?? 0) - (b.at[axis] ?? 0);
        if (rest !== 0) return rest;
      }
      return 0;
    });
    leaves.push(...all.map(({ leaf }) => leaf));
  }
  checkLeaves(job, leaves);
  checkDirection(job, leaves);
  for (const sheet of sheets) checkQuantity(job, sheet, isOnePlate(sheet) ? 2 : 1);
}

/** Pieces with the same kind many times: every piece is a kind, whole, and there are enough of each. */
function repeated(job: Job, sheets: readonly PrintedSheet[]): void {
  const { duplex, gang, quantities, stations, copies, fill } = job.profile;
  const sides = duplex === true ? 2 : 1;
  const kinds = Array.from({ length: Math.ceil(job.list.length / sides) }, (_, kind) =>
    sides === 2 ? [job.list[2 * kind] ?? 0, job.list[2 * kind + 1] ?? 0] : [job.list[kind] ?? 0, 0],
  );
  const isShared =
    gang === 'Gang' || fill !== undefined || (stations as { order?: string } | undefined)?.order === 'List';
  if (!isShared && sheets.length !== kinds.length) spoiled(`${sheets.length} sheets for ${kinds.length} kinds`);
  const made = new Map<string, number>();
  const rowsOf = rowsFor(job, sheets);
  sheets.forEach((sheet, index) => {
    const rows = rowsOf(sheet);
    const pieces = rows.flatMap((row) => row.map((place) => cutOut(sheet, place)));
    for (const piece of pieces) {
      const [front, back] = pair(piece);
      if (front === 0 && back === 0) continue;
      const turned = isOnePlate(sheet) && (piece.front ?? piece.back) && isBackHalf(sheet, piece);
      const kind = JSON.stringify(turned ? [back, front] : [front, back]);
      const isKnown = isShared
        ? kinds.some((one) => JSON.stringify(one) === kind)
        : JSON.stringify(kinds[index]) === kind;
      if (!isKnown) spoiled(`a piece has the pages ${kind}`);
      made.set(kind, (made.get(kind) ?? 0) + sheet.quantity);
    }
  });
  const wantedOf = new Map<string, number>();
  const timesOf = (list: unknown) =>
    new Map(
      String(list ?? '')
        .split(',')
        .map((one) => one.split('x').map(Number) as [number, number]),
    );
  const [listed, cells] = [timesOf(quantities), timesOf(fill)];
  kinds.forEach((one, index) => {
    // A list of cells prints only the kinds that it names.
    if (fill !== undefined && !cells.has(index + 1)) return;
    const kind = JSON.stringify(one);
    wantedOf.set(kind, (wantedOf.get(kind) ?? 0) + (listed.get(index + 1) ?? Number(copies)));
  });
  for (const [kind, wanted] of wantedOf)
    if ((made.get(kind) ?? 0) < wanted) spoiled(`${made.get(kind) ?? 0} pieces of ${kind}, not ${wanted}`);
}

/** The parts that a guillotine leaves. A sheet of one plate is cut in the middle first; its other half lies face down. */
function partsOf(sheet: PrintedSheet): { part: Sheet; isDown: boolean }[] {
  if (!isOnePlate(sheet)) return guillotined(sheet).map((part) => ({ part, isDown: false }));
  const { width, height } = sheet;
  const whole = { left: 0, right: width, bottom: 0, top: height };
  const isTurned = sheet.workStyle === 'WorkAndTurn';
  const [fronts, backs] = isTurned
    ? [{ right: width / 2 }, { left: width / 2 }]
    : [{ bottom: height / 2 }, { top: height / 2 }];
  return [fronts, backs].flatMap((edge) =>
    guillotined(cutSheet(sheet, { ...whole, ...edge })).map((part) => ({ part, isDown: edge === backs })),
  );
}

/** Cuts jobs of different sizes apart and counts them: as many as ordered, and on no sheet one that is not needed. */
function ganged(job: Job, sheets: readonly PrintedSheet[]): void {
  const { jobs, mayTurn, oversPercent, duplex } = job.profile;
  const open = new Map(
    (jobs as { pages: string; quantity: number }[]).map(({ pages, quantity }) => {
      const [front = 0, back = 0] = pages.split('-').map(Number);
      return [JSON.stringify([front, duplex === true ? back : 0]), quantity] as const;
    }),
  );
  for (const sheet of sheets) {
    const made = new Map<string, number>();
    for (const { part, isDown } of partsOf(sheet)) {
      const [print] = [...part.front.prints, ...backThrough(part)];
      const piece = cutOut(part, centreOf(print ?? spoiled('a piece is empty')));
      if (part.front.prints.length > 1 || (part.back?.prints.length ?? 0) > 1)
        spoiled(`${pair(piece)} cannot be cut apart from another piece`);
      const kind = JSON.stringify(isDown ? pair(piece).reverse() : pair(piece));
      made.set(kind, (made.get(kind) ?? 0) + 1);
      if (mayTurn === false && !isDown && piece.front && (!isNear(piece.front.up.x, 0) || piece.front.up.y < 0))
        spoiled(`page ${piece.front.page} is turned`);
    }
    for (const [kind, count] of made) {
      const quantity = open.get(kind) ?? spoiled(`a piece has the pages ${kind}`);
      const wanted = quantity * (1 + Number(oversPercent) / 100) - 1e-6;
      if (count * sheet.quantity < wanted) spoiled(`${count * sheet.quantity} pieces of ${kind}, not ${wanted}`);
      // One place less on a plate for both sides is two pieces less.
      if ((count - (isOnePlate(sheet) ? 2 : 1)) * sheet.quantity >= wanted)
        spoiled(`a piece of ${kind} too many on the sheet`);
      open.delete(kind);
    }
  }
  if (open.size > 0) spoiled(`no piece has the pages ${[...open.keys()]}`);
}

const isBackHalf = (sheet: PrintedSheet, piece: Leaf): boolean => {
  const print = piece.front ?? piece.back;
  if (!print) return false;
  const { x, y } = centreOf(print);
  return sheet.workStyle === 'WorkAndTurn' ? x > sheet.width / 2 : y < sheet.height / 2;
};

/* Bound work */

/** What a book of `size` pages holds, by the rule for missing pages. */
function padded({ list, profile }: Job, size: number): number[] {
  const blanks = new Array<number>(size - list.length).fill(0);
  if (profile.padding === 'Repeat') return Array.from({ length: size }, (_, i) => list[i % list.length] ?? 0);
  return profile.padding === 'BlankBeforeLast'
    ? [...list.slice(0, -1), ...blanks, ...list.slice(-1)]
    : [...list, ...blanks];
}

/** A folded sheet with its leaves from the top and where its spine lies. */
interface FoldedSheet {
  leaves: Leaf[];
  spine: number;
}

const fold = (sheet: Sheet, folds: readonly PaperFold[]): FoldedSheet => ({
  leaves: folded(sheet, folds),
  spine: spineAt(sheet, folds),
});

/** Sheets of one copy of a book, and whether the bound copy is turned over to be read. */
interface Copy {
  sheets: PrintedSheet[];
  isOver: boolean;
}

/**
 * The copies of a book that lie on its sheets: one, or two. One plate for both sides is cut into halves, each a whole
 * sheet; copies that come and go are cut apart when they are bound, which gives the same as cutting them first.
 */
function copiesOf(job: Job, sheets: readonly PrintedSheet[]): Copy[] {
  const { comeAndGo, bindingEdge } = job.profile;
  const [first] = sheets;
  if (!first) return [];
  const boxes = (style: 'columns' | 'rows', { width, height }: Sheet, at: number) =>
    style === 'columns'
      ? [
          { left: 0, right: at, bottom: 0, top: height },
          { left: at, right: width, bottom: 0, top: height },
        ]
      : [
          { left: 0, right: width, bottom: at, top: height },
          { left: 0, right: width, bottom: 0, top: at },
        ];
  /** Between the outermost cut marks of a sheet. */
  const middle = (style: 'columns' | 'rows', { front }: Sheet): number => {
    const marks = front.cuts.filter(({ axis }) => axis === (style === 'columns' ? 'x' : 'y')).map(({ at }) => at);
    return (Math.min(...marks) + Math.max(...marks)) / 2;
  };
  const cut = (style: 'columns' | 'rows', isTurned: boolean): Copy[] =>
    [0, 1].map((half) => ({
      isOver: half === 1 && !isTurned,
      sheets: sheets.map((sheet) => {
        const box = boxes(style, sheet, middle(style, sheet))[half];
        if (!box) return sheet;
        const piece = cutSheet(sheet, box);
        return { ...sheet, ...(half === 1 && isTurned ? turnedOver(piece) : piece) };
      }),
    }));
  if (first.workStyle === 'WorkAndTurn') return cut('columns', true);
  if (first.workStyle === 'WorkAndTumble') return cut('rows', true);
  if (comeAndGo !== true) return [{ sheets: [...sheets], isOver: false }];
  return cut(bindingEdge === 'Top' ? 'columns' : 'rows', false);
}

function stitched(job: Job, sheets: readonly PrintedSheet[]): void {
  const copies = copiesOf(job, sheets);
  for (const copy of copies) stitchCopy(job, copy);
  for (const sheet of sheets) checkQuantity(job, sheet, copies.length);
}

function stitchCopy(job: Job, { sheets, isOver }: Copy): void {
  const { coverSeparate, signatureSize } = job.profile;
  const { count = 1, turned = false } = (job.profile.spreads ?? {}) as { count?: number; turned?: boolean };
  const hasCover = coverSeparate === true && job.list.length > 4;
  const size = Number(signatureSize);
  const upTo = (pages: number) => Math.max(1, Math.ceil(pages / size)) * size;
  const rows = placesOf(sheets);
  if (count > 1 && hasCover) return;
  const piles = sheets.flatMap((sheet): FoldedSheet[] => {
    if (count === 1) return [fold(sheet, sheet.folds)];
    const heights = rows.slice(1).map((row, index) => ((row[0]?.y ?? 0) + (rows[index]?.[0]?.y ?? 0)) / 2);
    return strips(sheet, heights)
      .map((strip, row) => (turned && row % 2 === 1 ? turnedRound(strip) : strip))
      .filter((strip) => strip.front.prints.length + (strip.back?.prints.length ?? 0) > 0)
      .map((strip) => fold(strip, sheet.folds));
  });
  const total = hasCover ? 4 + upTo(job.list.length - 4) : upTo(job.list.length);
  if (hasCover)
    same(
      'the stock of the sheets',
      sheets.map(({ role }) => role),
      sheets.map((_, i) => (i === 0 ? 'Cover' : 'Body')),
    );
  readBook(job, [piles], padded(job, total), { gutter: 0, isOver });
}

function glued(job: Job, sheets: readonly PrintedSheet[]): void {
  const copies = copiesOf(job, sheets);
  for (const copy of copies) glueCopy(job, copy);
  for (const sheet of sheets) checkQuantity(job, sheet, copies.length);
}

function glueCopy(job: Job, { sheets, isOver }: Copy): void {
  const { sheetsPerSection, signatureSize, millingDepth } = job.profile;
  const perSection = Number(sheetsPerSection);
  const sections = Array.from({ length: Math.ceil(sheets.length / perSection) }, (_, section) =>
    sheets.slice(section * perSection, (section + 1) * perSection).map((sheet) => fold(sheet, sheet.folds)),
  );
  const size = Number(signatureSize) * perSection;
  const pages = padded(job, Math.ceil(job.list.length / size) * size);
  readBook(job, sections, pages, { gutter: pointsOf(millingDepth), isOver });
}

/** Cuts the leaflets apart, folds each and reads it; no panel may be in the way of another. */
function leafleted(job: Job, sheets: readonly PrintedSheet[]): void {
  const { fold: way, panels, rows, columns, pageOrder } = job.profile;
  const count = panelsOf(String(way), Number(panels));
  const perLeaflet = 2 * count;
  same('the number of sheets', sheets.length, Math.ceil(job.list.length / perLeaflet));
  const expected = padded(job, sheets.length * perLeaflet);
  sheets.forEach((sheet, index) => {
    const pieces = cutApart(sheet);
    same('the leaflets on a sheet', pieces.length, Number(rows) * Number(columns));
    checkQuantity(job, sheet, pieces.length);
    const own = expected.slice(index * perLeaflet, (index + 1) * perLeaflet);
    for (const piece of pieces) {
      const [found, wanted] = [panelWidths(piece), expectedWidths(job)];
      if (found.length !== count || !found.every((width, at) => isNear(width, wanted[at] ?? 0)))
        spoiled(`the panels: ${found}, not ${wanted}`);
      checkCentred(piece, found);
      const leaves = folded(piece, sheet.folds);
      same('the layers of a leaflet', leaves.length, count);
      for (const leaf of leaves) {
        checkLeaf(leaf);
        for (const print of [leaf.front, leaf.back])
          if (print && (!isNear(print.up.x, 0) || print.up.y <= 0)) spoiled(`page ${print.page} is upside down`);
      }
      const read = pageOrder === 'AsRead' ? leaves.flatMap((leaf) => pair(leaf)) : spreadOf(piece, leaves[0]);
      same('the pages of a leaflet', read, own);
    }
  });
}

/** Every page lies in the middle of its panel: one that is wider loses as much on either side. */
function checkCentred(piece: Sheet, widths: readonly number[]): void {
  let left = 0;
  const middles = widths.map((width) => {
    left += width;
    return left - width / 2;
  });
  for (const print of [...piece.front.prints, ...backThrough(piece)]) {
    const { x, y } = centreOf(print);
    if (!middles.some((middle) => isNear(middle, x)) || !isNear(y, piece.height / 2))
      spoiled(`page ${print.page} is not in the middle of its panel`);
  }
}

/** Distances between the cuts and folds of a leaflet, from the left on its front. */
const panelWidths = ({ width, front }: Sheet): number[] => {
  const edges = [0, ...front.folds.map(({ at }) => at), width].sort((a, b) => a - b);
  return edges.flatMap((edge, index) => {
    const wide = edge - (edges[index - 1] ?? edge);
    return wide > 0.1 ? [wide] : [];
  });
};

/** The same from the order: the outside, or of a gate the inside, from left to right. */
function expectedWidths(job: Job): number[] {
  const { fold: way, panels, shorter } = job.profile;
  const whole = Math.max(...job.pages.map(({ width }) => width));
  const count = panelsOf(String(way), Number(panels));
  const pages = spreadWidths(String(way), count, whole, pointsOf(shorter));
  const inside = pages.slice(1, count + 1);
  return way === 'GateFold' ? inside : inside.reverse();
}

/** The cover, the side behind it from left to right, and the rest of the cover's side from left to right. */
function spreadOf(piece: Sheet, top: Leaf | undefined): number[] {
  const behind = backThrough(piece);
  const edges = [0, ...piece.front.folds.map(({ at }) => at), piece.width].sort((a, b) => a - b);
  const columns = edges.slice(1).flatMap((right, index) => {
    const left = edges[index] ?? 0;
    return right - left > 0.1 ? [{ left, right }] : [];
  });
  const facesOf = (prints: readonly Print[]) =>
    columns.map(({ left, right }) =>
      pageOf(prints.find((print) => centreOf(print).x > left && centreOf(print).x < right) ?? null),
    );
  const [front, back] = [facesOf(piece.front.prints), facesOf(behind).reverse()];
  const cover = pageOf(top?.front ?? null);
  const isFront = front.includes(cover);
  const [outside, inside] = isFront ? [front, back] : [back, front];
  return [cover, ...inside, ...outside.filter((page) => page !== cover)];
}

/** The leaf of a thick folded sheet skews, its head away from the spine: the page that was turned against it stands upright. */
function skewed(job: Job, { leaves, spine }: FoldedSheet, isOver: boolean): FoldedSheet {
  const { outermost, innermost, axis } = (job.profile.bottling ?? {}) as Record<string, unknown>;
  const [outer, inner] = [Number(outermost ?? 0), Number(innermost ?? 0)];
  const pairs = leaves.length / 2;
  const over = isOver ? -1 : 1;
  const sides: Record<string, { toSpine: Vector; toHead: Vector }> = {
    Left: { toSpine: { x: -1, y: 0 }, toHead: { x: 0, y: over } },
    Right: { toSpine: { x: 1, y: 0 }, toHead: { x: 0, y: over } },
    // A book bound at its heads lies as one bound at the left, turned clockwise by a quarter.
    Top: { toSpine: { x: 0, y: 1 }, toHead: { x: over, y: 0 } },
  };
  const { toSpine, toHead } = sides[String(job.profile.bindingEdge)] ?? spoiled('the book has no spine');
  const [across, up] = [String(axis).startsWith('Face') ? -1 : 1, String(axis).endsWith('Foot') ? -1 : 1];
  const reach = ({ x, y }: Vector) =>
    x * (across * toSpine.x + up * toHead.x) + y * (across * toSpine.y + up * toHead.y);
  const straight = (print: Print | null, index: number): Print | null => {
    const depth = Math.min(index, leaves.length - 1 - index);
    const lean = pairs < 2 ? outer : outer + ((inner - outer) * depth) / (pairs - 1);
    if (!print || lean === 0) return print;
    const back = (-lean * (toHead.x * toSpine.y - toHead.y * toSpine.x) * Math.PI) / 180;
    const turn = ({ x, y }: Vector): Vector => ({
      x: x * Math.cos(back) - y * Math.sin(back),
      y: x * Math.sin(back) + y * Math.cos(back),
    });
    const { corner, along, up: side } = print;
    const corners = [corner, plus(corner, along), plus(corner, side), plus(plus(corner, along), side)];
    const still = corners.reduce((a, b) => (reach(b) > reach(a) ? b : a));
    const moved = turn({ x: corner.x - still.x, y: corner.y - still.y });
    return { ...print, corner: plus(still, moved), along: turn(along), up: turn(side) };
  };
  return {
    spine,
    leaves: leaves.map(({ front, back }, index) => ({ front: straight(front, index), back: straight(back, index) })),
  };
}

/** Nests the sheets of each section, gathers the sections and reads the book. */
function readBook(
  job: Job,
  folded: readonly FoldedSheet[][],
  expected: readonly number[],
  { gutter, isOver }: { gutter: number; isOver: boolean },
): void {
  const sections = folded.map((section) => section.map((sheet) => skewed(job, sheet, isOver)));
  const bound = sections.flatMap((section) => nested(section.map((sheet) => sheet.leaves)));
  const isTop = job.profile.bindingEdge === 'Top';
  const leaves = isOver ? pileTurnedOver(bound, isTop ? 'upright' : 'level') : bound;
  same(
    'the pages of the book',
    leaves.flatMap((leaf) => pair(leaf)),
    expected,
  );
  for (const { front, back } of leaves) {
    // The back of a leaf bound at the top is read by lifting it over its head.
    checkLeaf({ front, back: back && isTop ? { ...back, up: flip(back.up), along: flip(back.along) } : back });
    const first = front ?? back;
    const isHeadUp = front ? front.up.y > 0 : isTop ? (back?.up.y ?? -1) < 0 : (back?.up.y ?? 1) > 0;
    if (first && (!isNear(first.up.x, 0) || !isHeadUp))
      spoiled(`page ${first.page} does not stand upright in the book`);
  }
  if (job.areSizesMixed || job.profile.cellBox !== 'Trim') return;
  for (const section of sections) checkSpines(job, section, gutter);
}

const flip = ({ x, y }: Vector): Vector => ({ x: -x, y: -y });

/** The distance of every page from the fold of its sheet: what is milled, less what creep takes off. */
function checkSpines(job: Job, section: readonly FoldedSheet[], gutter: number): void {
  const creep = job.profile.creep as Record<string, unknown>;
  const isAlone = creep.scope === 'PerSignature';
  let around = 0;
  const pairsIn = ({ leaves }: FoldedSheet) => leaves.length / 2;
  const allPairs = section.reduce((sum, sheet) => sum + pairsIn(sheet), 0);
  for (const sheet of section) {
    const { leaves, spine } = sheet;
    leaves.forEach((leaf, index) => {
      const own = Math.min(index, leaves.length - 1 - index);
      const [depth, pairs] = isAlone ? [own, pairsIn(sheet)] : [around + own, allPairs];
      const expected = gutter - shiftOf(creep, depth, pairs);
      for (const print of [leaf.front, leaf.back]) {
        if (!print) continue;
        const { left, right, top } = boxOf(print);
        const found = { Left: left - spine, Right: spine - right, Top: spine - top }[String(job.profile.bindingEdge)];
        if (found === undefined || !isNear(found, expected))
          spoiled(`page ${print.page} lies ${found} pt from its spine, not ${expected}`);
      }
    });
    around += pairsIn(sheet);
  }
}

/** How far the leaf at a depth is drawn to the spine, so that the faces of all are even after trimming. */
function shiftOf(creep: Record<string, unknown>, depth: number, pairs: number): number {
  // Narrowed content keeps its spine side where it is.
  if (creep.enabled !== true || creep.method === 'ScaleHorizontally') return 0;
  const step = pointsOf(creep.paperThickness) * Number(creep.factor);
  return creep.direction === 'InsideIn' ? depth * step : -(pairs - 1 - depth) * step;
}
