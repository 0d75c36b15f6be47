import type { WorkflowDefinition, WorkflowIssue, WorkflowSurroundings } from '@pdf2press/contract';
import { loadRegularExpressions, type RegularExpressions } from '@pdf2press/settings';
import { sourceContracts } from '@pdf2press/sources/contracts';
import { checkWorkflow, hasRegularExpressions } from '@pdf2press/steps/contracts';

/** The check of drafts. It stands apart because it comes after the canvas is painted. */
export type Check = (definition: WorkflowDefinition, around: WorkflowSurroundings) => readonly WorkflowIssue[];

/** @param onReady called when the check has learnt to judge regular expressions: what was checked is to be checked again */
export function draftCheck(onReady: () => void): Check {
  // The engine for regular expressions is larger than the builder's own code: it comes when one is written.
  let regular: RegularExpressions | null = null;
  let isLoading = false;
  return (definition, around) => {
    if (!isLoading && hasRegularExpressions(definition)) {
      isLoading = true;
      void loadRegularExpressions().then((loaded) => {
        regular = loaded;
        onReady();
      });
    }
    return checkWorkflow(definition, { ...around, sources: sourceContracts }, regular);
  };
}
