import type { Workflow, WorkflowDefinition, WorkflowIssue } from '@pdf2press/contract';
import { isSame } from './workflow-differences.ts';

/**
 * Issues that depend on what else there is in the house: workflows, people, secrets, the texts of a profile. The browser
 * does not know these; the server tells them with every saved draft.
 */
const knownToServerOnly: ReadonlySet<string> = new Set([
  'workflow.targetGone',
  'workflow.targetElsewhere',
  'workflow.assigneeGone',
  'workflow.secretGone',
  'workflow.proofExitMissing',
  'profile.invalid',
]);

/** Of a profile the browser has the name alone: what is wrong with its texts the server tells at the step that uses it. */
const isBeyondSight = ({ code, field }: WorkflowIssue): boolean =>
  knownToServerOnly.has(code) ||
  ((field === 'profileId' || field === 'communicationProfileId') && !code.startsWith('workflow.profile'));

const valueAt = (settings: unknown, field: string): unknown =>
  field
    .split('.')
    .reduce<unknown>(
      (inner, key) => (typeof inner === 'object' && inner !== null ? Reflect.get(inner, key) : undefined),
      settings,
    );

/**
 * What the server alone knew to be wrong with a saved draft, as far as it still concerns another one: an issue is gone with
 * its step, and open again as soon as the setting that it is about is another one.
 */
export function serverIssuesOf({
  draft: saved,
  issues,
}: Pick<Workflow, 'draft' | 'issues'>): (draft: WorkflowDefinition) => WorkflowIssue[] {
  const kept = issues.filter(isBeyondSight);
  return (draft) =>
    kept.filter(({ stepId, field }) => {
      if (field === 'communicationProfileId' && !stepId)
        return saved.communicationProfileId === draft.communicationProfileId;
      const [was, is] = [saved, draft].map(({ steps }) => steps.find(({ id }) => id === stepId));
      if (!was || !is || was.kind !== is.kind) return false;
      return field === undefined || isSame(valueAt(was.settings, field), valueAt(is.settings, field));
    });
}
