import type { ResultLevel } from '@pdf2press/contract';
import type { StepRunner } from '../step-runner.ts';
import { textOf } from '../text-of.ts';
import type { holdContract } from './contract.ts';

const held: Record<'Always' | 'WarningsAndErrors' | 'Errors', readonly (ResultLevel | null)[]> = {
  Always: [null, 'Success', 'Warning', 'Error'],
  WarningsAndErrors: ['Warning', 'Error'],
  Errors: ['Error'],
};
const hourMs = 3_600_000;

export const runHold: StepRunner<typeof holdContract> = async (context) => {
  const { settings, session } = context;
  const { when, reason, timeoutHours, onTimeout } = settings;
  if (!held[when].includes(session.result)) return { end: 'outcome', outcome: 'continue' };
  return {
    end: 'wait',
    wait: {
      kind: 'hold',
      allowed: ['continue', 'cancel'],
      data: { reason: await textOf(context, reason) },
      ...(timeoutHours > 0 && { dueAt: new Date(Date.now() + timeoutHours * hourMs), onDue: onTimeout }),
    },
  };
};
