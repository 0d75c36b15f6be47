import { holdAnswers, type ResultLevel, type VariableValues } from '@pdf2press/contract';
import { nextClock, spanOf } from '@pdf2press/settings';
import type { StepContext } from '../step.ts';
import type { StepRunner } from '../step-runner.ts';
import { textOf } from '../text-of.ts';
import type { HoldSettings, holdContract } from './contract.ts';

const held: Record<HoldSettings['when'], readonly (ResultLevel | null)[]> = {
  Always: [null, 'Success', 'Warning', 'Error'],
  WarningsAndErrors: ['Warning', 'Error'],
  Errors: ['Error'],
};
const hourMs = 3_600_000;

const after = (now: Date, hours: number): Date | null => (hours > 0 ? new Date(now.getTime() + hours * hourMs) : null);

/** A date, a date with a time on the server's clock, or a moment of ISO 8601; null for any other text. */
function momentOf(text: string, timeZone: string): Date | null {
  const [, day, clock] = /^(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d)$/.exec(text) ?? [];
  const span = spanOf(day ?? text, timeZone);
  if (!span) return null;
  return clock === undefined ? new Date(span.start) : nextClock(new Date(span.start - 1), clock, timeZone);
}

/** When the hold ends by itself; null = never. */
async function endOf(context: StepContext<HoldSettings>): Promise<Date | null> {
  const { settings, now, reader } = context;
  switch (settings.limit) {
    case 'hours':
      return after(now, settings.timeoutHours);
    case 'clock':
      return nextClock(now, settings.timeoutClock, reader.timeZone);
    case 'moment':
      return momentOf((await textOf(context, settings.timeoutMoment)).trim(), reader.timeZone);
  }
}

/** Whether the variable that it waits for has a value already, and so has every variable that must have one. */
const hasCome = ({ releaseWhen, fields }: HoldSettings, variables: VariableValues): boolean =>
  releaseWhen !== '' &&
  [releaseWhen, ...fields.flatMap(({ variable, use }) => (use === 'required' ? [variable] : []))].every(
    (name) => variables[name] !== undefined && variables[name] !== null && variables[name] !== '',
  );

export const runHold: StepRunner<typeof holdContract> = async (context) => {
  const { settings, session, now } = context;
  const { when, reason, assignee, answers, fields, onTimeout, reminderHours, escalationHours, escalateTo } = settings;
  const isOpen = held[when].includes(session.result) && !hasCome(settings, session.variables);
  if (!isOpen) return { end: 'outcome', outcome: 'continue' };
  const [dueAt, remindAt, escalateAt] = [await endOf(context), after(now, reminderHours), after(now, escalationHours)];
  return {
    end: 'wait',
    wait: {
      kind: 'hold',
      allowed: holdAnswers.filter((answer) => answers.includes(answer)),
      data: {
        reason: await textOf(context, reason),
        fields,
        ...(settings.releaseWhen !== '' && { releaseWhen: settings.releaseWhen }),
      },
      ...(assignee !== null && { assigneeId: assignee }),
      ...(dueAt && { dueAt, onDue: onTimeout }),
      ...(remindAt && { remindAt }),
      ...(escalateAt && escalateTo !== null && { escalation: { at: escalateAt, to: escalateTo } }),
    },
  };
};
