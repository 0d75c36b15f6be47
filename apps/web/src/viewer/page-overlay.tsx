import type { SessionFinding, SessionPage } from '@pdf2press/contract';
import { toArea } from './page-geometry.ts';
import classes from './viewer.module.css';

export const boxNames = ['media', 'crop', 'bleed', 'trim', 'art'] as const;
export type BoxName = (typeof boxNames)[number];
/** A page box, or the line inside the trim that nothing important should cross. */
export type Outline = BoxName | 'safety';

/** Lower left and upper right corner of an outline in the page's unrotated space. `safety` is in points. */
export function cornersOf(page: SessionPage, name: Outline, safety: number): [number, number, number, number] {
  if (name !== 'safety') return page.boxes[name];
  const [x0, y0, x1, y1] = page.boxes.trim;
  const by = Math.min(safety / page.userUnit, (x1 - x0) / 2, (y1 - y0) / 2);
  return [x0 + by, y0 + by, x1 - by, y1 - by];
}

/** What the viewer needs of a finding: its severity and where it is, in points of the page's unrotated space. */
export type PlacedFinding = Pick<SessionFinding, 'id' | 'severity' | 'page' | 'pages' | 'box' | 'boxes' | 'count'>;

interface Props<F extends PlacedFinding> {
  page: SessionPage;
  boxes: readonly Outline[];
  /** Of the outline `safety`, points. */
  safety?: number;
  findings: readonly F[];
  chosen: string | null;
  onChoose: (finding: F) => void;
  /** CSS pixels per point: the outline of the chosen finding stands outside of its place by some pixels. */
  scale: number;
}

/** Distance of the outline of the chosen finding from its place, CSS pixels. */
const standOff = 4;

/** Page boxes and the places of findings, drawn over the raster in the page's own coordinates. */
export function PageOverlay<F extends PlacedFinding>({
  page,
  boxes,
  safety = 0,
  findings,
  chosen,
  onChoose,
  scale,
}: Props<F>) {
  const { widthPt, heightPt } = page;
  const rectOf = (box: readonly [number, number, number, number]) => {
    const area = toArea(page, box);
    return { x: area.x * widthPt, y: area.y * heightPt, width: area.width * widthPt, height: area.height * heightPt };
  };
  return (
    <svg className={classes.over} viewBox={`0 0 ${widthPt} ${heightPt}`} preserveAspectRatio="none" aria-hidden="true">
      {boxes.map((name) => (
        <rect key={name} className={classes.box} data-box={name} {...rectOf(cornersOf(page, name, safety))} />
      ))}
      {findings.flatMap((finding) =>
        placesOf(finding).map((box, at) => (
          // biome-ignore lint/a11y/noStaticElementInteractions: the list of findings is the way for keys; this is a pointer's short cut
          <rect
            key={`${finding.id}/${at}`}
            className={classes.finding}
            data-severity={finding.severity}
            data-chosen={finding.id === chosen || undefined}
            {...(finding.id === chosen ? around(rectOf(box), standOff / scale) : rectOf(box))}
            onClick={() => onChoose(finding)}
          />
        )),
      )}
    </svg>
  );
}

const around = ({ x, y, width, height }: Record<'x' | 'y' | 'width' | 'height', number>, by: number) => ({
  x: x - by,
  y: y - by,
  width: width + 2 * by,
  height: height + 2 * by,
});

/** The boxes of a finding; none if it is about the whole page or file. */
export const placesOf = (finding: PlacedFinding) => finding.boxes ?? (finding.box ? [finding.box] : []);
