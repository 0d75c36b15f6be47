import { type ErrorParams, type FileFault, readVariables, type VariableValues } from '@pdf2press/contract';
import { namesIn } from '@pdf2press/settings';
import { effectRefusalSchema, webhookAnswerSchema } from '../requests.ts';
import type { EffectOutcome, StepContext, StepEffect } from '../step.ts';
import { stepFacts } from '../step-facts.ts';
import type { StepRunner } from '../step-runner.ts';
import type { ActionSettings, actionContract } from './contract.ts';
import { callOf, messagesOf, textsOf } from './requests.ts';

type Problem = { code: FileFault; params: ErrorParams };

/** As much of a text as the session's page shows. */
const longestShown = 2000;

/** What the session's page tells of something that was sent, or would be. */
function shown({ kind, payload }: StepEffect) {
  return kind === 'webhook'
    ? { to: `${payload.method} ${payload.url}`, text: payload.body.slice(0, longestShown) }
    : { to: payload.to, text: `${payload.content.subject}\n\n${payload.content.text}`.slice(0, longestShown) };
}

function shownWithOutcome({ effect, answer, tries }: EffectOutcome) {
  const status =
    webhookAnswerSchema.safeParse(answer).data?.status ?? effectRefusalSchema.safeParse(answer).data?.status;
  return { ...shown(effect), tries, ...(status !== undefined && { status }) };
}

const targetOf = ({ kind, payload }: StepEffect): string =>
  kind === 'webhook' ? new URL(payload.url).host : payload.to;

function problemOf({ effect, isDone, answer, error }: EffectOutcome): Problem[] {
  if (isDone) return [];
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

async function effectsOf(context: StepContext<ActionSettings>): Promise<StepEffect[]> {
  const { settings, reader } = context;
  const { facts } = await stepFacts(context, textsOf(settings).flatMap(namesIn));
  return settings.does === 'webhook' ? [callOf(settings, { facts, reader })] : messagesOf(settings, { facts, reader });
}

export const runAction: StepRunner<typeof actionContract> = async (context) => {
  const { settings, outcomes } = context;
  const end = (problem: Problem | undefined, summary: Record<string, unknown>, variables: VariableValues = {}) => {
    if (!problem) return { end: 'outcome', outcome: 'done', variables, summary } as const;
    if (settings.onError !== 'warn') return { end: 'failure', failure: problem, summary } as const;
    return { end: 'outcome', outcome: 'done', level: 'Warning', variables, summary: { ...summary, problem } } as const;
  };
  if (!outcomes) {
    const effects = await effectsOf(context);
    const summary = { sent: effects.map(shown) };
    if (effects.length === 0) return end({ code: 'ACTION_ADDRESS_MISSING', params: {} }, summary);
    return { end: 'effects', effects, expected: 'done', summary };
  }
  const summary = { sent: outcomes.map(shownWithOutcome) };
  const [failed] = outcomes.flatMap(problemOf);
  if (failed) return end(failed, summary);
  const { values, problems } =
    settings.does === 'webhook' ? readAnswer(settings, context, outcomes) : { values: {}, problems: [] };
  return end(problems[0], summary, values);
};
