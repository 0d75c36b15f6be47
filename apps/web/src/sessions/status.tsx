import type { ResultLevel, SessionStatus, Severity, StepStatus } from '@pdf2press/contract';
import {
  IconAlertTriangle,
  IconArrowFork,
  IconBan,
  IconCircleCheck,
  IconCircleDashed,
  IconClock,
  IconHandStop,
  IconInfoCircle,
  IconLoader2,
  IconPlayerSkipForward,
  IconXboxX,
} from '@tabler/icons-react';
import type { ComponentType, ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import classes from './status.module.css';

type Icon = ComponentType<{ size?: number; stroke?: number; 'aria-hidden'?: boolean; className?: string | undefined }>;
type Tone = 'success' | 'info' | 'warning' | 'error' | 'neutral';
export interface Look {
  tone: Tone;
  icon: Icon;
}

/** Each status has its own icon and word, because colour alone must not carry meaning (WCAG 2.2, 1.4.1). */
const sessionLooks: Record<SessionStatus, Look> = {
  InQueue: { tone: 'neutral', icon: IconClock },
  Processing: { tone: 'info', icon: IconLoader2 },
  OnHold: { tone: 'warning', icon: IconHandStop },
  CompletedWithWarnings: { tone: 'warning', icon: IconAlertTriangle },
  Completed: { tone: 'success', icon: IconCircleCheck },
  Failed: { tone: 'error', icon: IconXboxX },
  CanceledByUser: { tone: 'neutral', icon: IconBan },
  CanceledByOperator: { tone: 'neutral', icon: IconBan },
  Rerouted: { tone: 'info', icon: IconArrowFork },
};

const stepLooks: Record<StepStatus, Look> = {
  Blocked: { tone: 'neutral', icon: IconCircleDashed },
  Ready: { tone: 'neutral', icon: IconClock },
  Running: { tone: 'info', icon: IconLoader2 },
  Waiting: { tone: 'warning', icon: IconHandStop },
  Succeeded: { tone: 'success', icon: IconCircleCheck },
  Warned: { tone: 'warning', icon: IconAlertTriangle },
  Failed: { tone: 'error', icon: IconXboxX },
  Skipped: { tone: 'neutral', icon: IconPlayerSkipForward },
  Canceled: { tone: 'neutral', icon: IconBan },
};

/** A step that found errors is red, although it is done. */
export const stepLook = ({ status, result }: { status: StepStatus; result: ResultLevel | null }): Look =>
  status === 'Warned' && result === 'Error' ? severityLooks.Fail : stepLooks[status];

export const severityLooks: Record<Severity, Look> = {
  Fail: { tone: 'error', icon: IconXboxX },
  Warn: { tone: 'warning', icon: IconAlertTriangle },
  Info: { tone: 'info', icon: IconInfoCircle },
};

export const levelLooks: Record<ResultLevel, Look> = {
  Error: severityLooks.Fail,
  Warning: severityLooks.Warn,
  Success: { tone: 'success', icon: IconCircleCheck },
};

export function StatusIcon({ look, size = 16, isRunning = false }: { look: Look; size?: number; isRunning?: boolean }) {
  const Icon = look.icon;
  return (
    <span className={classes.icon} data-tone={look.tone}>
      <Icon size={size} stroke={2} aria-hidden className={isRunning ? classes.turning : undefined} />
    </span>
  );
}

/** A session's status as a chip; `share` is its progress, 0 to 1. */
export function SessionStatusChip({ status, share }: { status: SessionStatus; share?: ReactNode }) {
  const { t } = useTranslation();
  const { tone, icon: Icon } = sessionLooks[status];
  return (
    <span className={classes.chip} data-tone={tone}>
      <Icon size={15} stroke={2} aria-hidden className={status === 'Processing' ? classes.turning : undefined} />
      {t(`status.${status}`)}
      {share && <span className="tabular">{share}</span>}
    </span>
  );
}
