import { type ErrorParams, type FileFault, readVariables, type VariableValues } from '@pdf2press/contract';
import { namesIn } from '@pdf2press/settings';
import { deliveriesOf } from '../deliveries.ts';
import { messagesOf, shownEffect, textsOfMessage } from '../message.ts';
import { deliveryAnswerSchema, effectRefusalSchema, webhookAnswerSchema } from '../requests.ts';
import type { EffectOutcome, StepContext, StepEffect, StepYield } from '../step.ts';
import { stepFacts } from '../step-facts.ts';
import type { StepRunner } from '../step-runner.ts';
import type { ActionSettings, actionContract } from './contract.ts';
import { callOf, textsOfCall, triesOf } from './requests.ts';
import { writeTicket } from './ticket/write-ticket.ts';

type Problem = { code: FileFault; params: ErrorParams };

function shownWithOutcome({ effect, answer, tries }: EffectOutcome) {
  const status =
    webhookAnswerSchema.safeParse(answer).data?.status ?? effectRefusalSchema.safeParse(answer).data?.status;
  return { ...shownEffect(effect), tries, ...(status !== undefined && { status }) };
}

type Sent = Exclude<StepEffect, { kind: 'delivery' }>;

const targetOf = ({ kind, payload }: Sent): string => (kind === 'webhook' ? new URL(payload.url).host : payload.to);

function problemOf({ effect, isDone, answer, error }: EffectOutcome): Problem[] {
  if (isDone) return [];
  if (effect.kind === 'delivery') {
    const told = deliveryAnswerSchema.safeParse(answer).data;
    const to = told && 'target' in told ? told.target : effect.payload.name;
    return [{ code: 'DELIVERY_FAILED', params: { to } }];
  }
  const refusal = effectRefusalSchema.safeParse(answer).data;
  const code = refusal?.code ?? (effect.kind === 'mail' ? 'ACTION_MESSAGE_FAILED' : 'ACTION_UNREACHABLE');
  const params = { to: targetOf(effect), status: refusal?.status ?? '', text: refusal?.text ?? error ?? '' };
  return [{ code, params }];
}

/** The variables that an answer gives values to, each by its declared type. */
function readAnswer(
  { answer: wanted }: ActionSettings,
  { workflow }: Pick<StepContext, 'workflow'>,
  outcomes: readonly EffectOutcome[],
): { values: VariableValues; problems: Problem[] } {
  const values: VariableValues = {};
  const problems: Problem[] = [];
  const given = webhookAnswerSchema.safeParse(outcomes[0]?.answer).data?.values ?? {};
  for (const { path, variable: name, isRequired } of wanted) {
    const variable = workflow.variables.find((each) => each.name.toLowerCase() === name.toLowerCase());
    const value = Object.hasOwn(given, path) ? given[path] : undefined;
    if (!variable || (value === undefined && !isRequired)) continue;
    const read =
      value === undefined ? undefined : readVariables([{ ...variable, default: null }], { [variable.name]: value });
    if (!read || read.problems.length > 0)
      problems.push({ code: 'ACTION_ANSWER_LACKS', params: { path, variable: variable.name } });
    else Object.assign(values, read.values);
  }
  return { values, problems };
}

/** What is to be sent, or why there is nothing. */
async function effectsOf(
  context: StepContext<ActionSettings>,
): Promise<{ effects: StepEffect[]; problem?: Problem | undefined }> {
  const { settings, reader, file } = context;
  if (settings.does === 'delivery')
    return {
      effects: await deliveriesOf(context, settings.deliveries, { result: [file], maxTries: triesOf(settings) }),
    };
  const isCall = settings.does === 'webhook';
  const texts = isCall ? textsOfCall(settings) : textsOfMessage(settings);
  const { facts } = await stepFacts(context, texts.flatMap(namesIn));
  if (isCall) return { effects: [callOf(settings, { facts, reader })] };
  const { messages, problem } = messagesOf(settings, { facts, reader }, triesOf(settings));
  return { effects: messages, problem };
}

/** How the step ends that went well, or not. */
function endOf({ onError }: ActionSettings, problem: Problem | undefined, left: Omit<StepYield, 'level'>) {
  if (!problem) return { ...left, end: 'outcome', outcome: 'done' } as const;
  if (onError !== 'warn') return { summary: left.summary ?? {}, end: 'failure', failure: problem } as const;
  return { ...left, end: 'outcome', outcome: 'done', level: 'Warning', summary: { ...left.summary, problem } } as const;
}

export const runAction: StepRunner<typeof actionContract> = async (context, tools) => {
  const { settings, outcomes } = context;
  if (settings.does === 'ticket') {
    const written = await writeTicket(context, tools);
    if ('file' in written)
      return endOf(settings, undefined, { files: [written.file], summary: { ticket: written.file.name } });
    const code = 'ACTION_COPIES_NO_NUMBER';
    return endOf(settings, { code, params: { text: written.noNumber.slice(0, 100) } }, {});
  }
  if (!outcomes) {
    const { effects, problem } = await effectsOf(context);
    const summary = { sent: effects.map(shownEffect) };
    if (problem || effects.length === 0) return endOf(settings, problem, { summary });
    return { end: 'effects', effects, expected: 'done', summary };
  }
  const summary = { sent: outcomes.map(shownWithOutcome) };
  const [failed] = outcomes.flatMap(problemOf);
  if (failed) return endOf(settings, failed, { summary });
  if (settings.does !== 'webhook') return endOf(settings, undefined, { summary });
  const { values, problems } = readAnswer(settings, context, outcomes);
  return endOf(settings, problems[0], { summary, variables: values });
};
