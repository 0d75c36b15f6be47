import { Progress } from '@mantine/core';
import type { TFunction } from 'i18next';
import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { failureText } from '../client/call-error.ts';
import { formatDuration, formatPercent, formatSize } from '../language/formats.ts';
import type { QueueItem } from './make-queue.ts';

const shareOf = ({ size, sent }: QueueItem): number => (size > 0 ? sent / size : 0);

/** How far an upload is, in words. */
export function progressText(item: QueueItem, t: TFunction): string {
  const { size, sent, speed, state } = item;
  const left = speed && speed > 0 ? ((size - sent) / speed) * 1000 : null;
  const texts: Record<QueueItem['state'], () => string> = {
    waiting: () => t('upload.state.waiting'),
    uploading: () =>
      [
        `${formatSize(sent)} / ${formatSize(size)}`,
        speed && `${formatSize(Math.round(speed))}/s`,
        left && formatDuration(left),
      ]
        .filter(Boolean)
        .join(' · '),
    held: () => t('upload.state.held', { share: formatPercent(shareOf(item)) }),
    offline: () => t('upload.state.offline', { share: formatPercent(shareOf(item)) }),
    paused: () => t('upload.state.paused', { share: formatPercent(shareOf(item)) }),
    finishing: () => t('upload.state.finishing'),
    done: () => formatSize(size),
    failed: () => failureText(item.error, t),
  };
  return texts[state]();
}

/** Nothing for a file that is not on its way. */
export function ProgressBar({ item }: { item: QueueItem }) {
  if (!['uploading', 'held', 'offline', 'paused', 'finishing'].includes(item.state)) return null;
  return (
    <Progress.Root size={5}>
      <Progress.Section
        value={shareOf(item) * 100}
        color="var(--p2p-fill)"
        aria-label={item.name}
        animated={item.state === 'finishing'}
      />
    </Progress.Root>
  );
}

const quarter = 25;
/** The steps of files that wait for the network, and for their turn. */
const waitingSteps: Partial<Record<QueueItem['state'], number>> = { offline: -1, held: -2 };

const stepOf = (item: QueueItem): number =>
  waitingSteps[item.state] ??
  (item.state === 'done' ? 100 : Math.floor(((item.sent / Math.max(1, item.size)) * 100) / quarter) * quarter);

/** Announces progress to screen readers in steps of 25 %, and what a file waits for. */
export function Spoken({ items }: { items: readonly QueueItem[] }) {
  const { t } = useTranslation();
  const said = useRef(new Map<string, number>());
  const region = useRef<HTMLDivElement>(null);
  useEffect(() => {
    for (const item of items) {
      const step = stepOf(item);
      if (step === 0 || said.current.get(item.key) === step) continue;
      said.current.set(item.key, step);
      const share = step < 0 ? progressText(item, t) : formatPercent(step / 100);
      if (region.current) region.current.textContent = t('upload.progress', { name: item.name, share });
    }
  }, [items, t]);
  return <div ref={region} className="visually-hidden" aria-live="polite" />;
}
