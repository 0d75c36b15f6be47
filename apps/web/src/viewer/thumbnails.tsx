import type { Severity } from '@pdf2press/contract';
import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { BlobImage } from '../client/blob-image.tsx';
import { formatNumber } from '../language/formats.ts';
import { StatusIcon, severityLooks } from '../sessions/status.tsx';
import { CrossedPage } from './crossed-page.tsx';
import type { PageSource } from './page-source.ts';
import classes from './viewer.module.css';

interface Props {
  source: PageSource;
  count: number;
  current: number;
  /** The pages that are seen together with it. */
  seen: readonly number[];
  /** The worst finding of each page that has any. */
  worst: ReadonlyMap<number, Severity>;
  /** How many notes there are on each page that has any. */
  noteCounts: ReadonlyMap<number, number>;
  /** Whether a page cannot be rendered. */
  isUndrawable: (page: number) => boolean;
  onOpen: (page: number) => void;
}

/** Thumbnails of all pages, virtualized. */
export function Thumbnails({ source, count, current, seen, worst, noteCounts, isUndrawable, onOpen }: Props) {
  const { t } = useTranslation();
  const scroller = useRef<HTMLDivElement>(null);
  const rows = useVirtualizer({
    count,
    horizontal: true,
    getScrollElement: () => scroller.current,
    estimateSize: () => 68,
    overscan: 4,
  });
  // The first page is in sight at first; to find that out, the browser would have to lay out everything at once.
  const inSight = useRef(1);
  useEffect(() => {
    if (inSight.current !== current) rows.scrollToIndex(current - 1, { align: 'auto' });
    inSight.current = current;
  }, [current, rows]);
  return (
    <nav ref={scroller} className={classes.thumbs} aria-label={t('viewer.pages')}>
      <div style={{ position: 'relative', flex: 'none', inlineSize: rows.getTotalSize(), blockSize: 78 }}>
        {rows.getVirtualItems().map(({ index, start }) => {
          const page = index + 1;
          const severity = worst.get(page);
          const notes = noteCounts.get(page) ?? 0;
          const look = severity && severityLooks[severity];
          return (
            <button
              key={page}
              type="button"
              className={classes.thumb}
              style={{ position: 'absolute', insetBlockStart: 0, insetInlineStart: start }}
              aria-current={page === current ? 'page' : undefined}
              data-seen={seen.includes(page) || undefined}
              aria-label={[
                severity
                  ? t('viewer.pageWith', { page, severity: t(`severity.${severity}`) })
                  : t('viewer.page', { page }),
                ...(notes > 0 ? [t('viewer.noteCount', { count: notes, shown: formatNumber(notes) })] : []),
                ...(isUndrawable(page) ? [t('viewer.notShown')] : []),
              ].join(', ')}
              onClick={() => onOpen(page)}
            >
              {isUndrawable(page) ? (
                <span className={classes.thumbEmpty}>
                  <CrossedPage />
                </span>
              ) : (
                <BlobImage address={source.thumbnail(page)} fallback={<span className={classes.thumbEmpty} />} />
              )}
              {page}
              {notes > 0 && <span className={classes.thumbNotes}>{notes > 99 ? '99+' : notes}</span>}
              {look && (
                <span className={classes.thumbDot}>
                  <StatusIcon look={look} size={14} />
                </span>
              )}
            </button>
          );
        })}
      </div>
    </nav>
  );
}
