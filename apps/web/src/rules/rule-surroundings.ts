import type { RouteResult, WorkflowVariable } from '@pdf2press/contract';
import type { sessionRoutes } from '@pdf2press/contract/calls';
import { createContext, useContext } from 'react';

/** How a group of rules came out with a session, and each rule of it. */
export type Evaluation = NonNullable<RouteResult<typeof sessionRoutes.evaluate>['groups'][number]>;

/** What stands around the rules, texts and references that a form edits. */
export interface RuleSurroundings {
  variables: readonly WorkflowVariable[];
  /** The workflow and its step, where the form is of one. */
  workflowId?: string;
  stepId?: string;
  /** The other steps of the workflow that lead on, as people know them. */
  steps?: readonly { id: string; title: string }[];
  /** How the rules at a path in the form come out with the session that was chosen; undefined without one. */
  evaluationOf(name: string): Evaluation | undefined;
}

const Context = createContext<RuleSurroundings>({ variables: [], evaluationOf: () => undefined });
export const RuleSurroundingsProvider = Context.Provider;
export const useRuleSurroundings = (): RuleSurroundings => useContext(Context);
