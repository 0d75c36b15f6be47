import type { Cell, Ink, Mark, PlanSheet, Rect, Shape, Side } from '@pdf2press/contract';
import classes from './impose.module.css';

/** What a page looks like on the sheet: its picture, and where that lies against the box that is placed. Points. */
export interface PagePicture {
  address: string;
  /** What the picture shows, and the box whose middle is put on the cell's middle. */
  crop: Rect;
  placed: Rect;
}

const middle = ({ x, y, width, height }: Rect) => ({ x: x + width / 2, y: y + height / 2 });

/** Screen colour of an ink, near enough for a preview. */
function colourOf(ink: Ink): string {
  if ('all' in ink) return `rgb(0 0 0 / ${ink.all})`;
  const [c, m, y, k] = 'cmyk' in ink ? ink.cmyk : ink.alternate;
  const tint = 'tint' in ink ? ink.tint : 1;
  const channel = (value: number) => Math.round(255 * (1 - Math.min(1, value * tint + k * tint)));
  return `rgb(${channel(c)} ${channel(m)} ${channel(y)})`;
}

/** Parts of the drawing that can be hidden. */
export const sheetParts = ['pictures', 'numbers', 'bleed', 'marks', 'dimensions'] as const;
export type SheetPart = (typeof sheetParts)[number];

interface SideProps {
  sheet: PlanSheet;
  side: Side;
  parts: ReadonlySet<SheetPart>;
  pictures: ReadonlyMap<number, PagePicture>;
  active: Cell | null;
  onActive: (cell: Cell | null) => void;
}

/**
 * One side of a sheet in SVG, drawn from the plan that the writer executes: points, the sheet's lower left corner at the
 * group's origin and y upwards, as in PDF.
 */
export function SheetSide({ sheet, side, parts, pictures, active, onActive }: SideProps) {
  const { width, height } = sheet;
  const edge = Math.max(width, height) / 400;
  return (
    <g transform={`translate(0 ${height}) scale(1 -1)`}>
      <rect className={classes.sheet} width={width} height={height} strokeWidth={edge} />
      {side.cells.map((cell) => (
        <CellDrawing
          key={`${cell.row}/${cell.column}/${cell.station ?? ''}`}
          cell={cell}
          parts={parts}
          picture={parts.has('pictures') ? pictures.get(cell.page) : undefined}
          edge={edge}
          isActive={active?.row === cell.row && active.column === cell.column && active.station === cell.station}
          onActive={onActive}
        />
      ))}
      {parts.has('marks') && side.marks.map((mark, at) => <MarkDrawing key={at} mark={mark} />)}
    </g>
  );
}

function CellDrawing({
  cell,
  parts,
  picture,
  edge,
  isActive,
  onActive,
}: {
  cell: Cell;
  parts: ReadonlySet<SheetPart>;
  picture: PagePicture | undefined;
  edge: number;
  isActive: boolean;
  onActive: (cell: Cell | null) => void;
}) {
  const centre = middle(cell);
  const size = Math.min(cell.width, cell.height);
  const id = `clip-${cell.row}-${cell.column}-${cell.station ?? 0}`;
  return (
    <g onPointerEnter={() => onActive(cell)} onPointerLeave={() => onActive(null)}>
      {parts.has('bleed') && <rect className={classes.bleed} {...cell.clip} strokeWidth={edge} />}
      <rect className={cell.page === 0 ? classes.blank : classes.trim} {...pick(cell)} strokeWidth={edge} />
      {picture && (
        <>
          <clipPath id={id}>{cell.shape ? <path d={pathOf(cell.shape.outline)} /> : <rect {...cell.clip} />}</clipPath>
          <g clipPath={`url(#${id})`}>
            <g transform={pictureTransform(cell, picture)}>
              <image
                href={picture.address}
                width={picture.crop.width}
                height={picture.crop.height}
                preserveAspectRatio="none"
              />
            </g>
          </g>
        </>
      )}
      <rect className={isActive ? classes.activeTrim : classes.trimLine} {...pick(cell)} strokeWidth={edge * 1.5} />
      {cell.page > 0 && parts.has('numbers') && (
        <g
          transform={`translate(${centre.x} ${centre.y}) rotate(${cell.rotation}) scale(1 -1)`}
          className={classes.number}
        >
          <path
            d={`M 0 ${-size * 0.3} l ${size * 0.07} ${size * 0.09} h ${-size * 0.14} z`}
            className={classes.arrow}
          />
          <text textAnchor="middle" dominantBaseline="central" fontSize={size * 0.26}>
            {cell.page}
          </text>
        </g>
      )}
    </g>
  );
}

const pathOf = (segments: NonNullable<Cell['shape']>['outline']): string =>
  segments.map(([letter, numbers]) => `${letter} ${numbers.join(' ')}`).join(' ');

const pick = ({ x, y, width, height }: Rect): Rect => ({ x, y, width, height });

/** Picture space (upper left, y down) → sheet: the middle of the placed box meets the middle of the cell, turned by bottling, moved by creep. */
function pictureTransform(cell: Cell, { crop, placed }: PagePicture): string {
  const to = middle(cell);
  const from = middle(placed);
  return [
    `translate(${cell.shift.x} ${cell.shift.y})`,
    ...(cell.bottle ? [`rotate(${cell.bottle.angle} ${cell.bottle.x} ${cell.bottle.y})`] : []),
    `translate(${to.x} ${to.y})`,
    `rotate(${cell.rotation})`,
    `scale(${cell.scale.x} ${cell.scale.y})`,
    `translate(${crop.x - from.x} ${crop.y + crop.height - from.y})`,
    'scale(1 -1)',
  ].join(' ');
}

const MarkDrawing = ({ mark }: { mark: Mark }) => (
  <g>
    {mark.shapes.map((shape, at) => (
      <ShapeDrawing key={at} shape={shape} />
    ))}
  </g>
);

type Stroked = {
  stroke?: { ink: Ink; width: number; dash?: number[] | undefined } | undefined;
  fill?: Ink | undefined;
};

const paint = ({ stroke, fill }: Stroked) => ({
  fill: fill ? colourOf(fill) : 'none',
  ...(stroke
    ? {
        stroke: colourOf(stroke.ink),
        strokeWidth: Math.max(stroke.width, 0.4),
        strokeDasharray: stroke.dash?.join(' '),
      }
    : {}),
});

function ShapeDrawing({ shape }: { shape: Shape }) {
  switch (shape.type) {
    case 'line':
      return <line x1={shape.x1} y1={shape.y1} x2={shape.x2} y2={shape.y2} {...paint(shape)} />;
    case 'rect':
      return <rect {...pick(shape)} {...paint(shape)} />;
    case 'circle':
      return <circle cx={shape.x} cy={shape.y} r={shape.radius} {...paint(shape)} />;
    case 'path':
      return <path d={pathOf(shape.segments)} {...paint(shape)} />;
    case 'text':
      return (
        <text
          transform={`translate(${shape.x} ${shape.y}) rotate(${shape.rotation}) scale(1 -1)`}
          fontSize={shape.size}
          fill={colourOf(shape.ink)}
        >
          {shape.text}
        </text>
      );
    case 'strip':
      return <StripDrawing tile={shape} />;
    case 'barcode':
      return <rect {...pick(shape)} className={classes.barcode} />;
  }
}

/** The position of a tile of a custom colour bar, whose content is not drawn. */
function StripDrawing({ tile }: { tile: Extract<Shape, { type: 'strip' }> }) {
  const [x, y] = [Math.max(tile.x, tile.clip.x), Math.max(tile.y, tile.clip.y)];
  const width = Math.min(tile.x + tile.width, tile.clip.x + tile.clip.width) - x;
  const height = Math.min(tile.y + tile.height, tile.clip.y + tile.clip.height) - y;
  return <rect x={x} y={y} width={width} height={height} className={classes.strip} />;
}

interface DimensionsProps {
  sheet: PlanSheet;
  cells: readonly Cell[];
  /** A length, for reading. */
  say: (points: number) => string;
}

/** Room that the dimensions need around a sheet, points. */
export const dimensionRoom = ({ width, height }: Pick<PlanSheet, 'width' | 'height'>): number =>
  Math.max(width, height) / 14;

/** The size of the sheet above and beside it, the size of the first page below. Drawn with y downwards, as SVG is. */
export function Dimensions({ sheet: { width, height }, cells, say }: DimensionsProps) {
  const room = dimensionRoom({ width, height });
  const size = room * 0.42;
  const [first] = cells;
  const line = (x1: number, y1: number, x2: number, y2: number) => (
    <line x1={x1} y1={y1} x2={x2} y2={y2} className={classes.dimension} strokeWidth={size / 16} />
  );
  const text = (label: string, transform: string) => (
    <text className={classes.dimensionText} fontSize={size} textAnchor="middle" transform={transform}>
      {label}
    </text>
  );
  const tick = size / 3;
  return (
    <g aria-hidden>
      {line(0, -room * 0.25, width, -room * 0.25)}
      {line(0, -room * 0.25 - tick, 0, -room * 0.25 + tick)}
      {line(width, -room * 0.25 - tick, width, -room * 0.25 + tick)}
      {text(say(width), `translate(${width / 2} ${-room * 0.42})`)}
      {line(-room * 0.25, 0, -room * 0.25, height)}
      {line(-room * 0.25 - tick, 0, -room * 0.25 + tick, 0)}
      {line(-room * 0.25 - tick, height, -room * 0.25 + tick, height)}
      {text(say(height), `translate(${-room * 0.42} ${height / 2}) rotate(-90)`)}
      {first && text(`${say(first.width)} × ${say(first.height)}`, `translate(${width / 2} ${height + room * 0.6})`)}
    </g>
  );
}
