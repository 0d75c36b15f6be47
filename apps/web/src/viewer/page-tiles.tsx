import type { SessionPage } from '@pdf2press/contract';
import { memo, useEffect, useRef, useState } from 'react';
import { useBlobAddress, usePicture } from '../client/blob-image.tsx';
import { heat, overlay, plateOf } from './ink-plates.ts';
import { type Level, levelFor, type Size, type Tile, tilesInSight, type View } from './page-geometry.ts';
import { type InkView, type PageSource, tileAddress } from './page-source.ts';
import classes from './viewer.module.css';

interface Props {
  source: PageSource;
  page: SessionPage;
  view: View;
  stage: Size;
  inks: InkView;
  /** Without the coarsest level below: a small picture waits for its own. */
  isAlone?: boolean;
}

const percent = (share: number) => `${share * 100}%`;
const placeOf = ({ area }: Tile) => ({
  insetInlineStart: percent(area.x),
  insetBlockStart: percent(area.y),
  inlineSize: percent(area.width),
  blockSize: percent(area.height),
});

/** The raster of a page: the coarsest level below, over it the tiles of the level that fits the zoom. */
export function PageTiles({ source, page, view, stage, inks, isAlone = false }: Props) {
  const size = { width: page.widthPt, height: page.heightPt };
  const fine = levelFor(page.levels, view.scale, window.devicePixelRatio);
  const ground = levelFor(page.levels, 0, 1);
  if (!fine || !ground) return null;
  const levels = isAlone || ground.dpi === fine.dpi ? [fine] : [ground, fine];
  return levels.map((level) =>
    tilesInSight(level, view, size, stage).map((tile) => (
      <OneTile
        key={`${level.dpi}/${tile.column}_${tile.row}`}
        source={source}
        page={page}
        level={level}
        tile={tile}
        inks={inks}
      />
    )),
  );
}

interface TileProps extends Pick<Props, 'source' | 'page' | 'inks'> {
  level: Level;
  tile: Tile;
}

function OneTile(props: TileProps) {
  const { inks, page } = props;
  // All inks together are the page as it is printed; the server composes that more exactly.
  const isWhole =
    inks.kind === 'all' || (inks.kind === 'inks' && page.inks.every(({ name }) => inks.names.includes(name)));
  if (!isWhole) return <InkTile {...props} inks={inks} />;
  const isWithoutLines = inks.kind === 'all' && inks.hasNoLines === true && page.lines !== undefined;
  return <ColourTile {...props} layer={isWithoutLines ? 'art' : 'rgb'} />;
}

function ColourTile({ source, page, level, tile, layer }: TileProps & { layer: 'rgb' | 'art' }) {
  const { data } = usePicture(tileAddress(source, page, layer, level, tile));
  const address = useBlobAddress(data);
  return address ? <img className={classes.tile} style={placeOf(tile)} src={address} alt="" draggable={false} /> : null;
}

/** Plates composited in the browser: selected inks, or the total ink coverage against a limit. */
const InkTile = memo(function InkTile({
  source,
  page,
  level,
  tile,
  inks,
}: TileProps & { inks: Exclude<InkView, { kind: 'all' }> }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const [isDrawn, setDrawn] = useState(false);
  const wanted = inks.kind === 'heat' ? page.inks : page.inks.filter(({ name }) => inks.names.includes(name));
  const limit = inks.kind === 'heat' ? inks.limit : null;
  const key = [tileAddress(source, page, 'rgb', level, tile), limit, ...wanted.map((ink) => ink.id)].join(' ');
  useEffect(() => {
    let isGone = false;
    const draw = async () => {
      const plates = await Promise.all(
        wanted.map((ink) => plateOf(tileAddress(source, page, `ink-${ink.id}`, level, tile))),
      );
      const target = canvas.current;
      const context = target?.getContext('2d');
      if (isGone || !target || !context) return;
      target.width = plates[0]?.width ?? 1;
      target.height = plates[0]?.height ?? 1;
      const image = context.createImageData(target.width, target.height);
      if (limit === null) overlay(plates, wanted, image.data);
      else heat(plates, limit, image.data);
      context.putImageData(image, 0, 0);
      setDrawn(true);
    };
    // A tile that fails to load leaves the coarse level visible; lost connections are reported elsewhere.
    draw().catch(() => setDrawn(false));
    return () => {
      isGone = true;
    };
  }, [key]);
  return (
    <canvas
      ref={canvas}
      className={classes.tile}
      style={{ ...placeOf(tile), visibility: isDrawn ? 'visible' : 'hidden' }}
    />
  );
});
