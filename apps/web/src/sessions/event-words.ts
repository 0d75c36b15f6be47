import { type Session, type SessionEvent, sessionStatuses } from '@pdf2press/contract';
import type { TFunction } from 'i18next';
import { formatSize, formatTime } from '../language/formats.ts';
import { shownValue } from './shown-value.ts';
import { stepTitle } from './step-title.ts';

/** The fragment that addresses a line of the log. */
export const eventHash = (seq: number): string => `#event-${seq}`;
/** The fragment that addresses the comments. */
export const commentsHash = '#comments';
export const eventOfHash = (hash: string): number | null => Number(/^#event-(\d+)$/.exec(hash)?.[1]) || null;

/** Details of an event: step, subject and actor. */
export function detailOf(t: TFunction, session: Pick<Session, 'steps'>, event: SessionEvent): string {
  const { data } = event;
  const step = session.steps.find(({ id }) => id === event.stepRunId);
  const text = (key: string) => (typeof data[key] === 'string' && data[key] !== '' ? (data[key] as string) : null);
  const number = (key: string) => (typeof data[key] === 'number' ? (data[key] as number) : null);
  const status = sessionStatuses.find((one) => one === data.status);
  const { at: goes } = (data.deletion ?? {}) as { at?: string };
  const [size, count, attempt] = [number('size'), number('count'), number('attempt')];
  return [
    step && stepTitle(step, t),
    text('code'),
    text('name'),
    text('target'),
    size !== null && formatSize(size),
    event.kind === 'FindingsWritten' && count !== null && t('workflows.findings', { count }),
    attempt !== null && attempt > 1 && t('session.attempt', { number: attempt }),
    goes !== undefined && formatTime(goes),
    status && t(`status.${status}`),
    event.kind === 'VariableSet' && `${shownValue(t, data.from)} → ${shownValue(t, data.to)}`,
    event.actor.kind === 'system' ? null : event.actor.name,
  ]
    .filter(Boolean)
    .join(' · ');
}
