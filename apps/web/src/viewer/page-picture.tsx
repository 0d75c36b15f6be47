import { BlobImage } from '../client/blob-image.tsx';
import { CrossedPage } from './crossed-page.tsx';
import type { PlacedPage } from './openings.ts';
import type { Size, View } from './page-geometry.ts';
import type { InkView, PageSource } from './page-source.ts';
import { PageTiles } from './page-tiles.tsx';
import classes from './viewer.module.css';

interface Props {
  source: PageSource;
  placed: PlacedPage;
  /** Of the opening. */
  view: View;
  stage: Size;
  inks: InkView;
}

/** The raster of a page at its place in an opening, without what the binding hides. */
export function PagePicture({ source, placed: { page, at, cut }, view, stage, inks }: Props) {
  const { scale } = view;
  return (
    <div
      className={classes.sheet}
      style={{
        left: (at.x + cut.left) * scale,
        top: at.y * scale,
        inlineSize: (page.widthPt - cut.left - cut.right) * scale,
        blockSize: page.heightPt * scale,
      }}
    >
      <div className={classes.cut}>
        <div
          className={classes.part}
          style={{ left: -cut.left * scale, inlineSize: page.widthPt * scale, blockSize: page.heightPt * scale }}
        >
          {page.isUndrawable ? (
            <CrossedPage />
          ) : (
            <>
              <BlobImage address={source.thumbnail(page.page)} className={classes.ground} draggable={false} />
              <PageTiles
                source={source}
                page={page}
                view={{ scale, x: view.x + at.x * scale, y: view.y + at.y * scale }}
                stage={stage}
                inks={inks}
              />
            </>
          )}
        </div>
      </div>
    </div>
  );
}
