import { type StepKind, type TrialMark, trialMarkKey } from '@pdf2press/contract';
import { type StepContract, type StepResult, type StepYield, stepContracts } from '@pdf2press/steps/contracts';

/*
 * Steps of trials: what they would do outside of the session is written down and not done.
 */

const marked = <Y extends StepYield>(shown: Y, mark: TrialMark): Y => ({
  ...shown,
  summary: { ...shown.summary, [trialMarkKey]: mark },
});

const goOn = (shown: StepYield, mark: TrialMark & { answer: string }): StepResult =>
  mark.answer === 'cancel'
    ? { ...marked(shown, mark), end: 'session', status: 'CanceledByOperator' }
    : { ...marked(shown, mark), end: 'outcome', outcome: mark.answer };

/** What stands in place of running a step whose kind acts outside; undefined for every other step. */
export function resultInPlace(
  { kind, nodeId }: { kind: StepKind; nodeId: string },
  answers: Readonly<Record<string, string>>,
): StepResult | undefined {
  const { inTrials }: Pick<StepContract, 'inTrials'> = stepContracts[kind];
  if (!inTrials?.isNotRun) return undefined;
  const answer = inTrials.answers.find((open) => open === answers[nodeId]) ?? inTrials.answers[0];
  return goOn({}, { would: 'act', answer });
}

/** Answers that a trial cannot give: they take another file, or another workflow. */
const needInput: ReadonlySet<string> = new Set(['replaceFile', 'reroute']);

/**
 * The result of a step of a trial: one that would wait goes on by the answer, or by the first that is open; one that asks
 * for effects leaves as if they had gone well, and its summary tells what they would be; one that would
 * send the file on to another workflow ends here, and no session begins there; nor does one for a part of a file.
 */
export function asTried(result: StepResult, chosen: string | undefined): StepResult {
  if (result.end === 'session' && result.reroute) {
    const { reroute, ...end } = result;
    return marked(end, { would: 'reroute', workflowId: reroute.workflowId });
  }
  if (result.end === 'session' && result.effects?.length) {
    const { effects: _, ...end } = result;
    const isCanceled = end.status === 'CanceledByUser' || end.status === 'CanceledByOperator';
    return marked(end, { would: 'act', ...(isCanceled && { answer: 'cancel' }) });
  }
  if (result.end === 'session' && result.parts) {
    const { parts, ...end } = result;
    return marked({ ...end, summary: { ...end.summary, parts: parts.length } }, { would: 'divide' });
  }
  if (result.end === 'effects') {
    const { summary = {}, expected } = result;
    return goOn({ summary }, { would: 'act', answer: expected });
  }
  if (result.end !== 'wait') return result;
  const { end: _, wait, ...shown } = result;
  const open = wait.allowed.filter((answer) => !needInput.has(answer));
  const answer = open.find((one) => one === chosen) ?? open[0] ?? 'cancel';
  return goOn(shown, { would: 'wait', answer: (answer === 'continue' && wait.leavesBy) || answer });
}
