import type { FixReason, PreflightReport } from '@pdf2press/contract';
import { fixContracts } from '../fixes/contracts.ts';
import { evaluate, type Variables } from '../preflight/expression.ts';
import type { FixWhen, ProfileAction } from './profile.ts';

const comparisons: Readonly<Record<string, (order: number) => boolean>> = {
  '=': (order) => order === 0,
  '==': (order) => order === 0,
  '!=': (order) => order !== 0,
  '<': (order) => order < 0,
  '<=': (order) => order <= 0,
  '>': (order) => order > 0,
  '>=': (order) => order >= 0,
};

type Value = string | number | boolean | undefined;

function operand(text: string, variables: Variables): Value {
  const trimmed = text.trim();
  const quoted = /^(["'])(.*)\1$/.exec(trimmed);
  return quoted ? quoted[2] : evaluate(trimmed, variables, null);
}

/** −1, 0, 1; words are compared without case; undefined where one side is missing. */
function compare(a: Value, b: Value): number | undefined {
  if (a === undefined || b === undefined) return undefined;
  if (typeof a === 'number' && typeof b === 'number') return Math.sign(a - b);
  const [x, y] = [String(a).toLowerCase(), String(b).toLowerCase()];
  return x < y ? -1 : x > y ? 1 : 0;
}

function holdsOne(text: string, variables: Variables): boolean {
  const match = /^(.*?)(==|!=|<=|>=|=|<|>)(.*)$/.exec(text);
  if (!match) {
    const value = operand(text, variables);
    return (
      value !== undefined &&
      value !== false &&
      value !== 0 &&
      !['', 'false', 'no', '0'].includes(String(value).toLowerCase())
    );
  }
  const order = compare(operand(match[1] ?? '', variables), operand(match[3] ?? '', variables));
  return order !== undefined && (comparisons[match[2] ?? '']?.(order) ?? false);
}

/** `quantity >= 500 and product = "flyer"`: comparisons of arithmetic over variables, joined by and, or. */
export const holds = (expression: string, variables: Variables): boolean =>
  expression
    .split(/\bor\b/i)
    .some((part) => part.split(/\band\b/i).every((piece) => holdsOne(piece.trim(), variables)));

function defaultWhen(action: ProfileAction): FixWhen {
  return fixContracts[action.key].checks.length > 0 ? { is: 'OnlyIfCheckHit', check: null } : { is: 'Always' };
}

/**
 * Why an action is not to run, or null. Without a preflight report a paired action runs: it measures for itself and does
 * nothing where nothing is wrong.
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
