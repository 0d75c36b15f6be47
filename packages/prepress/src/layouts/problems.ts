import type { Plan, PlanProblem } from '@pdf2press/contract';

/** What a layout answers: a plan, or what stands in its way. Never both, never half of one. */
export type PlanResult = { ok: true; plan: Plan } | { ok: false; problems: PlanProblem[] };

export type ProblemParams = PlanProblem['params'];

export const fault = (code: string, field: string, params: ProblemParams = {}): PlanProblem => ({
  code,
  severity: 'Fail',
  field,
  params,
});

export const warning = (code: string, field: string, params: ProblemParams = {}): PlanProblem => ({
  code,
  severity: 'Warn',
  field,
  params,
});

/** Thrown inside a layout where nothing further can be said; `planOf` turns it into a result. */
export class LayoutFault extends Error {
  readonly problem: PlanProblem;
  constructor(problem: PlanProblem) {
    super(problem.code);
    this.name = 'LayoutFault';
    this.problem = problem;
  }
}

export const refuse = (code: string, field: string, params: ProblemParams = {}): never => {
  throw new LayoutFault(fault(code, field, params));
};

/** Params that are lengths in points and are shown in the reader's unit. */
export const lengthParams: ReadonlySet<string> = new Set([
  'overflow',
  'needed',
  'available',
  'width',
  'height',
  'otherWidth',
  'otherHeight',
  'bleed',
  'gutter',
  'offset',
  'distance',
  'tolerance',
  'min',
  'max',
]);
