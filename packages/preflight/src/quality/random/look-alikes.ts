/** What looks like a code at first sight and is none: tables, stripes, screens, photographs, puzzles. */
import { rawCode, shapesOf } from '../drawn-codes.ts';
import { photo } from '../photo.ts';
import { between, num, pick, type Random } from './chance.ts';
import type { DrawnFile } from './file.ts';
import type { Thing } from './nest.ts';
import { fontOf, picture } from './things.ts';

type LookAlike = (file: DrawnFile, random: Random) => Thing;

/** Something that is drawn by paths in points. */
const drawing = (width: number, height: number, content: string): Thing => ({
  box: [0, 0, width, height],
  state: '',
  uses: [],
  paint: (unit) => `q ${num(1 / unit)} 0 0 ${num(1 / unit)} 0 0 cm 0 0 0 1 k 0 0 0 1 K ${content} Q`,
});
const rect = (...box: number[]): string => `${box.map(num).join(' ')} re f`;
const count = (length: number): number[] => Array.from({ length }, (_, at) => at);

/** Places from 0 on, so far apart at random. */
function edgesOf(random: Random, many: number, low: number, high: number): number[] {
  const edges = [0];
  for (let at = 0; at < many; at += 1) edges.push((edges[at] ?? 0) + between(random, low, high));
  return edges;
}

let photograph: Uint8Array | null = null;
const side = 320;
const photographed = (): Uint8Array => {
  photograph ??= photo(side);
  return photograph;
};

/** A picture with a value for each of its pixels. */
function gray(file: DrawnFile, columns: number, rows: number, width: number, at: (x: number, y: number) => number) {
  const data = Uint8Array.from({ length: columns * rows }, (_, each) => at(each % columns, Math.floor(each / columns)));
  return picture(
    file,
    { columns, rows, entries: '/ColorSpace /DeviceGray /BitsPerComponent 8', data },
    width,
    (width * rows) / columns,
  );
}

const lookAlikes: Record<string, LookAlike> = {
  'a table with words': (file, random) => {
    const font = fontOf(file);
    const [columns, rows, line] = [
      4 + Math.floor(random() * 5),
      8 + Math.floor(random() * 8),
      pick(random, [0.25, 0.5, 1]),
    ];
    const edges = edgesOf(random, columns, 14, 34);
    const [width, height] = [edges.at(-1) ?? 0, rows * 9];
    const grid = [
      ...edges.map((x) => rect(x, 0, line, height)),
      ...count(rows + 1).map((row) => rect(0, row * 9, width, line)),
    ];
    const words = edges
      .slice(0, -1)
      .flatMap((x) =>
        count(rows).map(
          (row) =>
            `BT /${font.name} 6 Tf 1 0 0 1 ${num(x + 2)} ${row * 9 + 2} Tm (${'a'.repeat(1 + Math.floor(random() * 2))}) Tj ET`,
        ),
      );
    return { ...drawing(width, height, [...grid, ...words].join(' ')), uses: [font] };
  },
  'a table with narrow columns': (_, random) => {
    const edges = edgesOf(random, 24, 2, 9);
    const height = between(random, 40, 90);
    return drawing(edges.at(-1) ?? 0, height, edges.map((x) => rect(x, 0, 0.5, height)).join(' '));
  },
  'even stripes': (_, random) => {
    const [step, height] = [between(random, 1.2, 4), between(random, 40, 100)];
    const many = 20 + Math.floor(random() * 25);
    const share = between(random, 0.3, 0.6);
    return drawing(
      many * step,
      height,
      count(many)
        .map((at) => rect(at * step, 0, step * share, height))
        .join(' '),
    );
  },
  'stripes that grow': (_, random) => {
    const height = between(random, 40, 90);
    const by = between(random, 1.03, 1.07);
    const edges = count(52).map((at) => (0.8 * (by ** at - 1)) / (by - 1));
    return drawing(
      edges.at(-1) ?? 0,
      height,
      edges
        .flatMap((x, at) =>
          at % 2 === 0 && at + 1 < edges.length ? [rect(x, 0, (edges[at + 1] ?? x) - x, height)] : [],
        )
        .join(' '),
    );
  },
  'hatching across': (_, random) => {
    const step = between(random, 2, 5);
    return drawing(
      100,
      100,
      `0 0 100 100 re W n ${num(step * 0.3)} w ${count(Math.ceil(200 / step))
        .map((at) => `${num(at * step - 100)} 0 m ${num(at * step)} 100 l S`)
        .join(' ')}`,
    );
  },
  'a ruler': (_, random) => {
    const step = between(random, 1.4, 3);
    return drawing(
      60 * step,
      20,
      count(61)
        .map((at) => rect(at * step, 0, 0.4, at % 10 === 0 ? 20 : at % 5 === 0 ? 14 : 9))
        .join(' '),
    );
  },
  'a bar chart': (_, random) =>
    drawing(
      150,
      80,
      count(30)
        .map((at) => rect(at * 5, 0, pick(random, [2, 3, 4]), between(random, 5, 80)))
        .join(' '),
    ),
  'a keyboard': () =>
    drawing(
      210,
      50,
      [
        ...count(22).map((at) => rect(at * 10, 0, 0.5, 50)),
        ...count(21).flatMap((at) => ([2, 6].includes(at % 7) ? [] : [rect(at * 10 + 7, 20, 6, 30)])),
      ].join(' '),
    ),
  'a chessboard': (_, random) => {
    const [cells, size] = [pick(random, [8, 10, 16, 24]), between(random, 1.5, 6)];
    return drawing(
      cells * size,
      cells * size,
      count(cells * cells)
        .flatMap((at) => {
          const [x, y] = [at % cells, Math.floor(at / cells)];
          return (x + y) % 2 ? [] : [rect(x * size, y * size, size, size)];
        })
        .join(' '),
    );
  },
  'a crossword': (_, random) => {
    const [cells, size] = [13, between(random, 5, 9)];
    const lines = count(cells + 1).flatMap((at) => [
      rect(at * size, 0, 0.4, cells * size),
      rect(0, at * size, cells * size, 0.4),
    ]);
    const black = count(cells * cells).flatMap((at) =>
      random() < 0.2 ? [rect((at % cells) * size, Math.floor(at / cells) * size, size, size)] : [],
    );
    return drawing(cells * size, cells * size, [...lines, ...black].join(' '));
  },
  'lines of text': (file, random) => {
    const font = fontOf(file);
    const size = between(random, 4, 9);
    const lines = count(12).map(
      (row) =>
        `BT /${font.name} ${num(size)} Tf 1 0 0 1 0 ${num(row * size * 1.2)} Tm (${count(24)
          .map(() => (random() < 0.2 ? ' ' : 'a'))
          .join('')}) Tj ET`,
    );
    return { ...drawing(size * 0.7 * 24, size * 1.2 * 12, lines.join(' ')), uses: [font] };
  },
  'a photograph': (file) => gray(file, side, side, 120, (x, y) => photographed()[y * side + x] ?? 0),
  'a photograph in dots': (file, random) => {
    // A round dot in each cell of a screen at an angle, as large as the photograph is dark there.
    const [turn, cell] = [(between(random, 0, 90) * Math.PI) / 180, between(random, 8, 14)];
    const [cos, sin] = [Math.cos(turn) / cell, Math.sin(turn) / cell];
    return gray(file, 600, 600, 140, (x, y) => {
      const [u, v] = [x * cos + y * sin, y * cos - x * sin];
      const [du, dv] = [u - Math.round(u), v - Math.round(v)];
      const tone = photographed()[Math.floor((y * side) / 600) * side + Math.floor((x * side) / 600)] ?? 0;
      return Math.hypot(du, dv) < 0.6 * Math.sqrt(1 - tone / 255) ? 0 : 255;
    });
  },
  'a photograph in lines': (file, random) => {
    const cell = between(random, 8, 14);
    return gray(file, 600, 600, 140, (x, y) => {
      const tone = photographed()[Math.floor((y * side) / 600) * side + Math.floor((x * side) / 600)] ?? 0;
      return Math.abs(x / cell - Math.round(x / cell)) < 0.5 * (1 - tone / 255) ? 0 : 255;
    });
  },
  grain: (file, random) => gray(file, 200, 200, pick(random, [24, 48, 96]), () => Math.floor(random() * 256)),
  'wood and cloth': (file, random) => {
    const wave = count(6).map(() => [between(random, 0.05, 0.9), between(random, 0, 6)] as const);
    return gray(file, 400, 200, 160, (x, y) =>
      Math.max(
        0,
        Math.min(255, 128 + 40 * wave.reduce((sum, [rate, phase]) => sum + Math.sin(x * rate + phase + y * 0.01), 0)),
      ),
    );
  },
  'shapes at random': (_, random) =>
    drawing(
      120,
      120,
      count(60)
        .map(() =>
          rect(between(random, 0, 110), between(random, 0, 110), between(random, 1, 14), between(random, 1, 14)),
        )
        .join(' '),
    ),
  'a code of another kind': (_, random) => {
    const [bcid, size] = pick(random, [
      ['azteccode', 1.4],
      ['code93', 1],
      ['databaromni', 1],
      ['pdf417', 1],
    ] as const);
    const raw = rawCode(bcid, bcid === 'databaromni' ? '(01)00614141123452' : 'OTHER-KIND', {
      includecheck: bcid === 'code93',
    });
    const bars = shapesOf(raw, undefined, 40);
    const [width, height] = [0, 1].map((side) =>
      Math.max(...bars.map((bar) => (bar[side] ?? 0) + (bar[side + 2] ?? 0))),
    ) as [number, number];
    return drawing(width * size, height * size, bars.map((bar) => rect(...bar.map((value) => value * size))).join(' '));
  },
  'frames in frames': (_, random) => {
    const step = between(random, 2, 4);
    return drawing(
      100,
      100,
      count(Math.floor(45 / step))
        .map(
          (at) =>
            `${num(step * 0.45)} w ${num(at * step)} ${num(at * step)} ${num(100 - 2 * at * step)} ${num(100 - 2 * at * step)} re S`,
        )
        .join(' '),
    );
  },
};

export const anyLookAlike = (file: DrawnFile, random: Random): { name: string; thing: Thing } => {
  const name = pick(random, Object.keys(lookAlikes));
  const make = lookAlikes[name];
  if (!make) throw new RangeError(name);
  return { name, thing: make(file, random) };
};
