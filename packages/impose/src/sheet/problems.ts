import type { Plan, PlanProblem } from '@pdf2press/contract';

/** The result of planning: a complete plan, or the problems that prevent one. */
export type PlanResult = { ok: true; plan: Plan } | { ok: false; problems: PlanProblem[] };

export type ProblemParams = PlanProblem['params'];

/** A problem that prevents a plan. `field` is the dotted path of the setting; lengths in `params` are points. */
export const fault = (code: string, field: string, params: ProblemParams = {}): PlanProblem => ({
  code,
  severity: 'Fail',
  field,
  params,
});

/** A problem that is reported with a plan that was still made. */
export const warning = (code: string, field: string, params: ProblemParams = {}): PlanProblem => ({
  code,
  severity: 'Warn',
  field,
  params,
});

/** Thrown by a layout that cannot continue; `planOf` returns its problem. */
export class LayoutFault extends Error {
  readonly problem: PlanProblem;
  constructor(problem: PlanProblem) {
    super(problem.code);
    this.name = 'LayoutFault';
    this.problem = problem;
  }
}

/** Stops planning. @throws LayoutFault with the given code */
export const refuse = (code: string, field: string, params: ProblemParams = {}): never => {
  throw new LayoutFault(fault(code, field, params));
};

/** Names of problem parameters that are lengths in points; messages show them in the reader's unit. */
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
