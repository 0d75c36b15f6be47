import { useInViewport } from '@mantine/hooks';
import type { SessionPage } from '@pdf2press/contract';
import { useOnceStill } from '../frame/stillness.ts';
import { toArea, viewOfArea } from '../viewer/page-geometry.ts';
import { type PlacedFinding, placesOf } from '../viewer/page-overlay.tsx';
import type { PageSource } from '../viewer/page-source.ts';
import { PageTiles } from '../viewer/page-tiles.tsx';
import classes from './finding-picture.module.css';

const stage = { width: 88, height: 60 } as const;
const allInks = { kind: 'all' } as const;
/** Share of the picture that the finding's box fills. */
const share = 0.5;

/**
 * A crop of the page raster around a finding; nothing while the page is not rendered. Only crops in the viewport are
 * requested.
 */
export function FindingPicture({
  finding,
  pages,
  source,
  isInSight = false,
}: {
  finding: PlacedFinding;
  pages: readonly SessionPage[];
  source: PageSource;
  /** Known to be, so that nothing watches whether it comes into sight. */
  isInSight?: boolean;
}) {
  const { ref, inViewport } = useInViewport<HTMLSpanElement>();
  const isDue = useOnceStill();
  const page = finding.page === null ? undefined : pages[finding.page - 1];
  const [place] = placesOf(finding);
  if (!place || !page?.isReady) return null;
  const box = { inlineSize: stage.width, blockSize: stage.height };
  if (!isDue) return <span ref={isInSight ? null : ref} className={classes.picture} style={box} aria-hidden />;
  const size = { width: page.widthPt, height: page.heightPt };
  const area = toArea(page, place);
  const view = viewOfArea(area, size, stage, share);
  const of = (part: number, whole: number) => part * whole * view.scale;
  return (
    <span ref={isInSight ? null : ref} className={classes.picture} style={box} aria-hidden>
      <span
        className={classes.page}
        style={{
          insetInlineStart: view.x,
          insetBlockStart: view.y,
          inlineSize: of(1, size.width),
          blockSize: of(1, size.height),
        }}
      >
        {(isInSight || inViewport) && (
          <PageTiles source={source} page={page} view={view} stage={stage} inks={allInks} isAlone />
        )}
        <span
          className={classes.place}
          data-severity={finding.severity}
          style={{
            insetInlineStart: of(area.x, size.width),
            insetBlockStart: of(area.y, size.height),
            inlineSize: of(area.width, size.width),
            blockSize: of(area.height, size.height),
          }}
        />
      </span>
    </span>
  );
}
