import type { SessionFinding, SessionPage } from '@pdf2press/contract';
import { toArea } from './page-geometry.ts';
import classes from './viewer.module.css';

export const boxNames = ['media', 'crop', 'bleed', 'trim', 'art'] as const;
export type BoxName = (typeof boxNames)[number];

interface Props {
  page: SessionPage;
  boxes: readonly BoxName[];
  findings: readonly SessionFinding[];
  chosen: string | null;
  onChoose: (finding: SessionFinding) => void;
}

/** Page boxes and the places of findings, drawn over the raster in the page's own coordinates. */
export function PageOverlay({ page, boxes, findings, chosen, onChoose }: Props) {
  const { widthPt, heightPt } = page;
  const rectOf = (box: readonly [number, number, number, number]) => {
    const area = toArea(page, box);
    return { x: area.x * widthPt, y: area.y * heightPt, width: area.width * widthPt, height: area.height * heightPt };
  };
  return (
    <svg className={classes.over} viewBox={`0 0 ${widthPt} ${heightPt}`} preserveAspectRatio="none" aria-hidden="true">
      {boxes.map((name) => (
        <rect key={name} className={classes.box} data-box={name} {...rectOf(page.boxes[name])} />
      ))}
      {findings.flatMap((finding) =>
        placesOf(finding).map((box, at) => (
          // biome-ignore lint/a11y/noStaticElementInteractions: the list of findings is the way for keys; this is a pointer's short cut
          <rect
            key={`${finding.id}/${at}`}
            className={classes.finding}
            data-severity={finding.severity}
            data-chosen={finding.id === chosen || undefined}
            {...rectOf(box)}
            onClick={() => onChoose(finding)}
          />
        )),
      )}
    </svg>
  );
}

/** The boxes of a finding; none if it is about the whole page or file. */
export const placesOf = (finding: SessionFinding) => finding.boxes ?? (finding.box ? [finding.box] : []);
