/** Text, lines, areas and pictures in any colour. Lengths are points on paper. */
import { tinyFont } from '@pdf2press/pdf/testing';
import { between, isDrawn, num, pick, type Random } from './chance.ts';
import type { DrawnFile, Use } from './file.ts';
import type { Thing } from './nest.ts';

/** A colour to fill or stroke with. */
export interface Colour {
  fill: string;
  stroke: string;
  uses: readonly Use[];
}

const device = (letter: string, values: readonly number[]): Colour => {
  const numbers = values.map(num).join(' ');
  return { fill: `${numbers} ${letter}`, stroke: `${numbers} ${letter.toUpperCase()}`, uses: [] };
};
export const cmyk = (...values: [number, number, number, number]): Colour => device('k', values);
export const gray = (value: number): Colour => device('g', [value]);

/** A colour of a colour space given as source text. */
export function colourOf(file: DrawnFile, space: string, values: readonly number[]): Colour {
  const use = file.use('ColorSpace', space);
  const numbers = values.map(num).join(' ');
  return {
    fill: `/${use.name} cs ${numbers} scn`,
    stroke: `/${use.name} CS ${numbers} SCN`,
    uses: [use],
  };
}

const exponential = (full: readonly number[]): string =>
  `<< /FunctionType 2 /Domain [0 1] /N 1 /C0 [${full.map(() => 0).join(' ')}] /C1 [${full.map(num).join(' ')}] >>`;

const components = { 'RGB ': 3, CMYK: 4, GRAY: 1 } as const;
type ProfileSpace = keyof typeof components;

/** Adds a profile of a class (`prtr`, `scnr`, `mntr`), of which there is the header alone. */
export function profileOf(file: DrawnFile, kind: string, space: ProfileSpace): string {
  const header = Buffer.alloc(144);
  header.writeUInt32BE(144, 0);
  header.write(`${kind}${space}XYZ `, 12, 'latin1');
  header.write('acsp', 36, 'latin1');
  return file.add({ dict: `/N ${components[space]}`, data: header });
}

/** A colour space with a profile. */
export const iccSpace = (file: DrawnFile, space: ProfileSpace): string =>
  `[/ICCBased ${profileOf(file, 'mntr', space)}]`;

/** A name as PDF source: everything but letters and digits is escaped. */
export const nameOf = (text: string): string =>
  `/${[...Buffer.from(text, 'utf8')]
    .map((byte) => {
      const letter = String.fromCharCode(byte);
      return /[A-Za-z0-9]/.test(letter) ? letter : `#${byte.toString(16).padStart(2, '0')}`;
    })
    .join('')}`;

export const separation = (name: string, full: readonly number[]): string =>
  `[/Separation ${nameOf(name)} /DeviceCMYK ${exponential(full)}]`;

/** DeviceN of these inks; its tint transform adds nothing up, which no rule here looks at. */
export function deviceN(file: DrawnFile, names: readonly string[]): string {
  const code = `{ ${'pop '.repeat(names.length - 1)} 0 0 3 -1 roll 0 }`;
  const transform = file.add({
    dict: `/FunctionType 4 /Domain [${'0 1 '.repeat(names.length)}] /Range [0 1 0 1 0 1 0 1]`,
    data: code,
  });
  return `[/DeviceN [${names.map(nameOf).join(' ')}] /DeviceCMYK ${transform}]`;
}

/** The name of a graphics state with these entries, as operator, and its resource. */
export function stateOf(file: DrawnFile, entries: string): { operator: string; uses: Use[] } {
  const use = file.use('ExtGState', `<< ${entries} >>`);
  return { operator: `/${use.name} gs`, uses: [use] };
}

/** An embedded font whose letter `a` is a square of 0.6 em, 0.7 em wide. */
export function fontOf(file: DrawnFile, name = 'ABCDEF+Square'): Use {
  const program = tinyFont();
  const data = file.add({ dict: `/Length1 ${program.length}`, data: program });
  const descriptor = file.add(
    `<< /Type /FontDescriptor /FontName /${name} /Flags 32 /FontBBox [0 0 600 600] /Ascent 600 /Descent 0 /CapHeight 600 /ItalicAngle 0 /StemV 80 /FontFile2 ${data} >>`,
  );
  return file.use(
    'Font',
    `<< /Type /Font /Subtype /TrueType /BaseFont /${name} /FirstChar 97 /LastChar 97 /Widths [700] /FontDescriptor ${descriptor} >>`,
  );
}

export interface Look {
  fill?: Colour;
  stroke?: Colour;
  /** A graphics state before the colours. */
  state?: { operator: string; uses: readonly Use[] };
  isTransparent?: boolean;
}

function dressed({ fill, stroke, state, isTransparent }: Look): Pick<Thing, 'state' | 'uses' | 'isTransparent'> {
  return {
    state: [state?.operator, fill?.fill, stroke?.stroke].filter(Boolean).join(' '),
    uses: [...(state?.uses ?? []), ...(fill?.uses ?? []), ...(stroke?.uses ?? [])],
    ...(isTransparent && { isTransparent }),
  };
}

/** Text of a size; filled, stroked or both as its look says. Its size may be split among font, text matrix and page. */
export function text(file: DrawnFile, random: Random, size: number, look: Look, font = fontOf(file)): Thing {
  const letters = 'a'.repeat(2 + Math.floor(random() * 6));
  const part = pick(random, [1, 1, size, 2]);
  const mode = look.fill && look.stroke ? 2 : look.stroke ? 1 : 0;
  const dressing = dressed(look);
  const line = size * 0.02;
  const edge = mode === 0 ? 0 : line / 2;
  const isLong = isDrawn(random, 0.3);
  return {
    ...dressing,
    box: [-edge, -edge, (letters.length * 0.7 - 0.1) * size + edge, 0.6 * size + edge],
    paint: (unit) => {
      const show = isLong ? `[(${letters.slice(0, 1)}) 0 (${letters.slice(1)})] TJ` : `(${letters}) Tj`;
      return `${num(line / unit)} w BT ${mode} Tr /${font.name} ${num(size / part / unit)} Tf ${num(part)} 0 0 ${num(part)} 0 0 Tm ${show} ET`;
    },
    uses: [...dressing.uses, font],
  };
}

/** A straight line of a width, or a filled shape as thin as one. */
export function line(random: Random, width: number, look: { colour: Colour } & Omit<Look, 'fill' | 'stroke'>): Thing {
  const length = between(random, 30, 150);
  const isShape = isDrawn(random, 0.3);
  const { colour, ...rest } = look;
  return {
    ...dressed({ ...rest, ...(isShape ? { fill: colour } : { stroke: colour }) }),
    box: [0, -width / 2, length, width / 2],
    paint: (unit) => {
      const [long, wide] = [num(length / unit), num(width / unit)];
      return isShape ? `0 ${num(-width / 2 / unit)} ${long} ${wide} re f` : `${wide} w 0 0 m ${long} 0 l S`;
    },
  };
}

/** A filled area, or a broad stroke around one. */
export function area(random: Random, look: Look, side = between(random, 20, 80)): Thing {
  const height = side * between(random, 0.6, 1);
  const width = look.stroke ? 6 : 0;
  return {
    ...dressed(look),
    box: [-width / 2, -width / 2, side + width / 2, height + width / 2],
    paint: (unit) => {
      const paint = look.fill && look.stroke ? 'B' : look.stroke ? 'S' : 'f';
      return `${num(width / unit)} w 0 0 ${num(side / unit)} ${num(height / unit)} re ${paint}`;
    },
  };
}

export interface Pixels {
  columns: number;
  rows: number;
  /** Entries of the picture but its size. */
  entries: string;
  data: Uint8Array;
}

/** A picture of a size on paper. */
export function picture(
  file: DrawnFile,
  { columns, rows, entries, data }: Pixels,
  width: number,
  height: number,
): Thing {
  const use = file.use('XObject', {
    dict: `/Type /XObject /Subtype /Image /Width ${columns} /Height ${rows} ${entries}`,
    data,
  });
  return {
    box: [0, 0, width, height],
    state: '',
    paint: (unit) => `q ${num(width / unit)} 0 0 ${num(height / unit)} 0 0 cm /${use.name} Do Q`,
    uses: [use],
  };
}
