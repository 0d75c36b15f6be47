import type { SessionPage } from '@pdf2press/contract';
import { BlobImage } from '../client/blob-image.tsx';
import classes from './compare.module.css';
import { CrossedPage } from './crossed-page.tsx';
import type { Alignment } from './difference.ts';
import type { Size, View } from './page-geometry.ts';
import type { Rotation } from './page-rotation.ts';
import type { PageSource } from './page-source.ts';
import { PageTiles } from './page-tiles.tsx';
import type { Camera } from './stage.tsx';
import viewer from './viewer.module.css';

export interface Version {
  /** What it is called. */
  name: string;
  source: PageSource;
  pages: readonly SessionPage[];
}
export interface Side {
  name: string;
  source: PageSource;
  page: SessionPage;
}
/** Where a table lies on the stage, both turned back to how the table lies. */
export interface Sight {
  view: View;
  stage: Size;
}
/** What every way of comparing is given. */
export interface ComparedProps {
  table: Alignment;
  /** Of the table as it is turned. */
  camera: Camera;
  rotation: Rotation;
  sight: Sight;
  before: Side;
  after: Side;
}
interface RasterProps extends Omit<Side, 'name'> {
  at: { x: number; y: number };
  sight: Sight;
  /** It is loaded, but not seen. */
  isHidden?: boolean;
}

/** The raster of a page at its position in the common area. */
export function Raster({ source, page, at, sight, isHidden = false }: RasterProps) {
  const { scale, x, y } = sight.view;
  return (
    <div
      className={classes.raster}
      style={{
        left: at.x * scale,
        top: at.y * scale,
        inlineSize: page.widthPt * scale,
        blockSize: page.heightPt * scale,
        ...(isHidden && { visibility: 'hidden' }),
      }}
    >
      {page.isUndrawable ? (
        <CrossedPage />
      ) : (
        <>
          <BlobImage address={source.thumbnail(page.page)} className={viewer.ground} draggable={false} />
          <PageTiles
            source={source}
            page={page}
            view={{ scale, x: x + at.x * scale, y: y + at.y * scale }}
            stage={sight.stage}
            inks={{ kind: 'all' }}
          />
        </>
      )}
    </div>
  );
}
