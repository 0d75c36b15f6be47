import { formatAgo, formatTime } from '../language/formats.ts';

/** How long ago it was; the exact time on hovering. */
export function Ago({ at }: { at: string }) {
  return (
    <time dateTime={at} title={formatTime(at, 'long')}>
      {formatAgo(at)}
    </time>
  );
}
