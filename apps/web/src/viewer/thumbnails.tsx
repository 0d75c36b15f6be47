import { type FindingCounts, type Severity, severities } from '@pdf2press/contract';
import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { BlobImage } from '../client/blob-image.tsx';
import { StatusIcon, severityLooks } from '../sessions/status.tsx';
import { type PageSource, thumbnailAddress } from './page-source.ts';
import classes from './viewer.module.css';

interface Props {
  source: PageSource;
  count: number;
  current: number;
  /** The worst finding of each page that has any. */
  worst: ReadonlyMap<number, Severity>;
  onOpen: (page: number) => void;
}

/** The worst finding of each page, over the steps that checked it. */
export function worstByPage(places: FindingCounts['pages']): ReadonlyMap<number, Severity> {
  const found = new Map<number, Severity>();
  for (const { page, worst } of places) {
    const before = found.get(page);
    if (!before || severities.indexOf(worst) > severities.indexOf(before)) found.set(page, worst);
  }
  return found;
}

/** Thumbnails of all pages, virtualized. */
export function Thumbnails({ source, count, current, worst, onOpen }: Props) {
  const { t } = useTranslation();
  const scroller = useRef<HTMLDivElement>(null);
  const rows = useVirtualizer({
    count,
    horizontal: true,
    getScrollElement: () => scroller.current,
    estimateSize: () => 68,
    overscan: 4,
  });
  useEffect(() => rows.scrollToIndex(current - 1, { align: 'auto' }), [current, rows]);
  if (count < 2) return null;
  return (
    <nav ref={scroller} className={classes.thumbs} aria-label={t('viewer.pages')}>
      <div style={{ position: 'relative', flex: 'none', inlineSize: rows.getTotalSize(), blockSize: 78 }}>
        {rows.getVirtualItems().map(({ index, start }) => {
          const page = index + 1;
          const severity = worst.get(page);
          const look = severity && severityLooks[severity];
          return (
            <button
              key={page}
              type="button"
              className={classes.thumb}
              style={{ position: 'absolute', insetBlockStart: 0, insetInlineStart: start }}
              aria-current={page === current ? 'page' : undefined}
              aria-label={
                severity
                  ? t('viewer.pageWith', { page, severity: t(`severity.${severity}`) })
                  : t('viewer.page', { page })
              }
              onClick={() => onOpen(page)}
            >
              <BlobImage address={thumbnailAddress(source, page)} fallback={<span className={classes.thumbEmpty} />} />
              {page}
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
