import { useElementSize } from '@mantine/hooks';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import classes from './compare.module.css';
import { Raster, type Version } from './compare-raster.tsx';

import { FullScreenContext } from './full-screen.ts';
import type { Size } from './page-geometry.ts';
import { rotatedSize, unrotated } from './page-rotation.ts';
import { Stage, useCamera } from './stage.tsx';
import { UndrawableNotice } from './undrawable-notice.tsx';
import { useRotation } from './use-rotation.ts';
import { ViewerBar } from './viewer-bar.tsx';

/** Room for two stages of pages of this size: beside each other, or stacked if that makes the pages larger. */
export function Halves({ size, children }: { size: Size; children: ReactNode }) {
  const { ref, width, height } = useElementSize();
  const isStacked =
    Math.min(width / size.width, height / 2 / size.height) > Math.min(width / 2 / size.width, height / size.height);
  return (
    <div ref={ref} className={classes.halves} data-stacked={isStacked || undefined}>
      {children}
    </div>
  );
}

interface Props {
  before: Version;
  after: Version;
  /** The page of the version after; that of the version before is turned here. */
  current: number;
  onOpen: (page: number) => void;
}

const within = ({ pages }: Version, page: number): number => Math.min(page, pages.length);

/** Two versions, each with a page and a place of its own. Keys go to the one that was touched last. */
export function Apart({ before, after, current, onOpen }: Props) {
  const [page, setPage] = useState(current);
  const [active, setActive] = useState<'before' | 'after'>('after');
  const own = within(after, current);
  const first = after.pages[own - 1];
  const size = { width: first?.widthPt ?? 1, height: first?.heightPt ?? 1 };
  const half = (side: typeof active) => ({ isActive: active === side, onActive: () => setActive(side) });
  return (
    // The button for the whole screen stands above both.
    <FullScreenContext.Provider value={null}>
      <Halves size={size}>
        <Half version={before} page={within(before, page)} onOpen={setPage} {...half('before')} />
        <Half version={after} page={own} onOpen={onOpen} {...half('after')} />
      </Halves>
    </FullScreenContext.Provider>
  );
}

interface HalfProps {
  version: Version;
  page: number;
  onOpen: (page: number) => void;
  isActive: boolean;
  onActive: () => void;
}

function Half({ version: { name, source, pages }, page: number, onOpen, isActive, onActive }: HalfProps) {
  const { t } = useTranslation();
  const page = pages[number - 1];
  const size = { width: page?.widthPt ?? 1, height: page?.heightPt ?? 1 };
  const { rotation, rotateBy, rotationKeys } = useRotation([source.thumbnail(number)], () => camera.fit());
  const camera = useCamera(rotatedSize(size, rotation));
  return (
    <section
      className={classes.apart}
      aria-label={name}
      data-active={isActive || undefined}
      onPointerDownCapture={onActive}
      onFocusCapture={onActive}
    >
      <ViewerBar
        camera={camera}
        current={number}
        count={pages.length}
        onOpen={onOpen}
        onRotate={rotateBy}
        shortcuts={rotationKeys}
        hasKeys={isActive}
      />
      <figure className={classes.half}>
        <Stage
          camera={camera}
          page={size}
          rotation={rotation}
          label={t('compare.stage', { version: name, page: number })}
        >
          {page && (
            <Raster
              source={source}
              page={page}
              at={{ x: 0, y: 0 }}
              sight={unrotated(size, camera.view, camera.stage, rotation)}
            />
          )}
        </Stage>
        {page?.isUndrawable && <UndrawableNotice />}
        <figcaption>{name}</figcaption>
      </figure>
    </section>
  );
}
