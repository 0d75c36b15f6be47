import { formatAgo, formatTime } from '../language/formats.ts';

/** The time since `at`; the exact time on hover. */
export function Ago({ at }: { at: string }) {
  return (
    <time dateTime={at} title={formatTime(at, 'long')}>
      {formatAgo(at)}
    </time>
  );
}
