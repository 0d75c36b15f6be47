import { holdAnswers, holdFieldUses, type SettingIssue, type StepReference } from '@pdf2press/contract';
import { onlyWhen } from '@pdf2press/settings';
import { z } from 'zod';
import { stepContract } from '../step.ts';
import en from './messages.en.json' with { type: 'json' };
import es from './messages.es.json' with { type: 'json' };
import fr from './messages.fr.json' with { type: 'json' };
import it from './messages.it-IT.json' with { type: 'json' };
import pt from './messages.pt.json' with { type: 'json' };
import zh from './messages.zh.json' with { type: 'json' };

const longestHours = 8760;
const hours = z.number().min(0).max(longestHours).default(0);
/** Id of a person or of a role. */
const assignee = z.string().max(60).nullable().default(null).meta({ editor: 'assignee' });

const settingsSchema = z.object({
  /** Which sessions are held, by the newest preflight of the run; the others go on at once. */
  when: z.enum(['Always', 'WarningsAndErrors', 'Errors']).default('Always'),
  /** Shown to whoever decides. */
  reason: z.string().trim().max(500).default('').meta({ placeholders: 'session' }),
  /** May decide by this alone; null = whoever has the permission. */
  assignee,
  answers: z
    .array(z.enum(holdAnswers))
    .min(1)
    .default([...holdAnswers]),
  /** Variables of the workflow to show or to ask for. */
  fields: z
    .array(
      z.strictObject({
        variable: z.string().min(1).max(60).meta({ editor: 'workflowVariable' }),
        use: z.enum(holdFieldUses).default('asked'),
      }),
    )
    .max(50)
    .default([])
    .meta({ isOrdered: true }),
  /** Variable of the workflow: as soon as it has a value the session continues. Empty = none. */
  releaseWhen: z.string().max(60).default('').meta({ editor: 'workflowVariable' }),
  limit: z.enum(['hours', 'clock', 'moment']).default('hours'),
  /** Hours after which `onTimeout` happens by itself; 0 = it waits until somebody decides. */
  timeoutHours: onlyWhen({ limit: 'hours' }, hours),
  /** `18:00`, in the time zone of the server. */
  timeoutClock: onlyWhen(
    { limit: 'clock' },
    z
      .string()
      .regex(/^([01]\d|2[0-3]):[0-5]\d$/)
      .default('18:00')
      .meta({ editor: 'timeOfDay' }),
  ),
  /** A text that becomes a date or a date with time (ISO 8601); anything else is no time limit. */
  timeoutMoment: onlyWhen(
    { limit: 'moment' },
    z.string().trim().max(200).default('').meta({ placeholders: 'session' }),
  ),
  onTimeout: z.enum(['continue', 'cancel']).default('continue'),
  /** Hours after which the assignee is reminded; 0 = never. */
  reminderHours: hours,
  /** Hours after which `escalateTo` becomes the assignee; 0 = never. */
  escalationHours: hours,
  escalateTo: assignee,
});
export type HoldSettings = z.output<typeof settingsSchema>;

/** Settings that need each other. */
const lacking = ({ limit, timeoutMoment, assignee, reminderHours, escalationHours, escalateTo }: HoldSettings) =>
  [
    ...(limit === 'moment' && timeoutMoment === '' ? ['timeoutMoment'] : []),
    ...(reminderHours > 0 && assignee === null ? ['assignee'] : []),
    ...(escalationHours > 0 && escalateTo === null ? ['escalateTo'] : []),
  ].map((field): SettingIssue => ({ code: 'value.required', field }));

export const holdContract = stepContract({
  kind: 'Hold',
  version: 3,
  settings: settingsSchema,
  outcomes: ['continue'],
  inTrials: { answers: ['continue', 'cancel'] },
  icon: 'M12 3a9 9 0 1 0 0 18a9 9 0 1 0 0-18zM10 9v6M14 9v6',
  group: 'people',
  references: (settings) =>
    (['assignee', 'escalateTo'] as const).flatMap((field): StepReference[] => {
      const id = settings[field];
      return typeof id === 'string' && id !== '' ? [{ resource: 'assignee', id, field }] : [];
    }),
  check: (settings, { variables }) => [
    ...lacking(settings),
    ...(settings.releaseWhen === '' || variables.some(({ name }) => name === settings.releaseWhen)
      ? []
      : [{ code: 'workflow.variableUnknown', field: 'releaseWhen', params: { name: settings.releaseWhen } }]),
    ...settings.fields.flatMap(({ variable }, at): SettingIssue[] => {
      const about = { field: `fields.${at}.variable`, params: { name: variable } };
      if (!variables.some(({ name }) => name === variable)) return [{ code: 'workflow.variableUnknown', ...about }];
      const isSecond = settings.fields.findIndex((other) => other.variable === variable) < at;
      return isSecond ? [{ code: 'workflow.fieldTwice', ...about }] : [];
    }),
  ],
  messages: { en, zh, fr, es, pt, 'it-IT': it },
});
