import type { FixReason, PreflightReport } from '@pdf2press/contract';
import type { Variables } from '@pdf2press/settings';
import { fixContracts } from '../fixes/contracts.ts';
import { holds } from '../profile/condition.ts';
import type { FixWhen, ProfileAction } from '../profile/profile.ts';

function defaultWhen(action: ProfileAction): FixWhen {
  return fixContracts[action.key].checks.length > 0 ? { is: 'OnlyIfCheckHit', check: null } : { is: 'Always' };
}

/**
 * Why an action does not run, or null when it runs. Without a preflight report a paired action runs: it finds the fault
 * itself and changes nothing in a correct file.
 */
export function reasonToSkip(
  action: ProfileAction,
  report: PreflightReport | null,
  variables: Variables,
): FixReason | null {
  const when = action.when ?? defaultWhen(action);
  if (when.is === 'Always') return null;
  if (when.is === 'Expression') {
    return holds(when.expression, variables) ? null : { code: 'when.false', params: { expression: when.expression } };
  }
  if (!report) return null;
  const checks: readonly string[] = when.check === null ? fixContracts[action.key].checks : [when.check];
  const isHit = report.findings.some((finding) => finding.severity !== 'Info' && checks.includes(finding.checkKey));
  const isAsked = report.findings.some((finding) => finding.fixableBy?.action === action.key);
  return isHit || (when.check === null && isAsked) ? null : { code: 'when.noFinding', params: { checks: [...checks] } };
}
