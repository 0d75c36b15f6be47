import { useQueries } from '@tanstack/react-query';
import { useState } from 'react';
import { pictureQuery } from '../client/blob-image.tsx';
import type { Opening, PlacedPage } from './openings.ts';
import type { Size, View } from './page-geometry.ts';
import { PagePicture } from './page-picture.tsx';
import type { InkView, PageSource } from './page-source.ts';
import classes from './viewer.module.css';

interface Props {
  source: PageSource;
  /** The opening that is shown, which has the size of all openings. */
  opening: Opening;
  /** Pages that turning would show: their pictures are loaded before. */
  ahead: readonly number[];
  view: View;
  stage: Size;
  inks: InkView;
}

const isMotionUnwanted = (): boolean => matchMedia('(prefers-reduced-motion: reduce)').matches;

const firstOf = ({ pages }: Opening): number => pages[0]?.page.page ?? 0;
const isEven = ({ page }: PlacedPage): boolean => page.page % 2 === 0;
const isOdd = (placed: PlacedPage): boolean => !isEven(placed);

/**
 * The leaf between two openings while it turns about the spine, over the new opening. Nothing turns where the reader asked
 * for less motion.
 */
export function TurningLeaf({ source, opening, ahead, ...rest }: Props) {
  const [shown, setShown] = useState(opening);
  const [left, setLeft] = useState<Opening | null>(null);
  useQueries({ queries: ahead.map((page) => pictureQuery(source.thumbnail(page))) });
  // Set while it is drawn, so that the new opening is not seen before the leaf lies over it.
  if (shown !== opening) {
    setShown(opening);
    const isTurned = firstOf(shown) !== firstOf(opening);
    if (isTurned || shown.size.width !== opening.size.width) setLeft(isTurned && !isMotionUnwanted() ? shown : null);
  }
  if (!left) return null;
  const isOn = firstOf(opening) > firstOf(left);
  // Turning on, the odd page of the opening that is left goes over, and the even page of the next one is its back.
  const [lying, front, back] = isOn ? [isEven, isOdd, isEven] : [isOdd, isEven, isOdd];
  const pictures = (of: Opening, which: (placed: PlacedPage) => boolean) =>
    of.pages
      .filter(which)
      .map((placed) => <PagePicture key={placed.page.page} source={source} placed={placed} {...rest} />);
  // Beside a page that lay alone there is nothing until the leaf comes down.
  const isBare = !left.pages.some(lying);
  const bared = isBare ? opening.pages.filter(lying) : [];
  const origin = { transformOrigin: `${(opening.spine ?? 0) * rest.view.scale}px 50%` };
  return (
    <div key={`${firstOf(left)} ${firstOf(opening)}`} className={classes.turning} aria-hidden="true">
      {pictures(left, lying)}
      {bared.map(({ page, at }) => (
        <div
          key={page.page}
          className={classes.bare}
          style={{
            left: at.x * rest.view.scale,
            top: at.y * rest.view.scale,
            inlineSize: page.widthPt * rest.view.scale,
            blockSize: page.heightPt * rest.view.scale,
          }}
        />
      ))}
      <div
        className={classes.leaf}
        data-way={isOn === (opening.binding === 'Left') ? 'on' : 'back'}
        style={origin}
        onAnimationEnd={() => setLeft(null)}
      >
        <div className={classes.face}>{pictures(left, front)}</div>
        <div className={classes.face} data-side="back" style={origin}>
          {pictures(opening, back)}
        </div>
      </div>
    </div>
  );
}
