import { type ErrorParams, fromPoints, type Unit, unitSymbols } from '@pdf2press/contract';
import { placeholderFault } from '@pdf2press/settings';
import { z } from 'zod';
import { type FixKey, fixContracts, fixKeys } from '../fixes/contracts.ts';

type Node = Record<string, unknown>;
const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && !Array.isArray(value);

/** Examples of the page range grammar of the contract. */
const pageRangeForms = 'all, odd, even, first, last, 7, 1-4, -1';

/** The first wrong field of a profile and its allowed values, as parameters of SETTINGS_INVALID. */
export function settingFault(issue: z.core.$ZodIssue | undefined, raw: unknown): ErrorParams {
  if (!issue) return { field: '', reason: '' };
  const [list, at, part, ...inner] = issue.path;
  const action = list === 'actions' && isNode(raw) && Array.isArray(raw.actions) ? raw.actions[Number(at)] : undefined;
  const key = isNode(action) ? String(action.key) : '';
  const unknown = issue.code === 'unrecognized_keys' ? issue.keys[0] : undefined;
  const reason = placeholderFault(issue)?.code ?? issue.code;
  const named = { field: [...issue.path, ...(unknown === undefined ? [] : [unknown])].join('.'), reason };
  if (action !== undefined && !Object.hasOwn(fixContracts, key)) return { ...named, allowed: fixKeys.join(', ') };
  if (part === 'pages') return { ...named, allowed: pageRangeForms };
  if (part !== 'settings') return { ...named, ...('values' in issue && { allowed: issue.values.join(', ') }) };
  const unit =
    isNode(raw) && typeof raw.unit === 'string' && raw.unit in unitSymbols ? (raw.unit as Unit) : 'Millimeters';
  const schema = z.toJSONSchema(fixContracts[key as FixKey].settings, { io: 'input' });
  const allowed = allowedIn(nodeAt(schema as Node, inner), unit);
  return { ...named, ...(allowed !== '' && { allowed }) };
}

/** The schema node at the end of a path; all entries of a list have the same schema. */
function nodeAt(node: Node, [step, ...rest]: readonly PropertyKey[]): Node {
  if (step === undefined) return node;
  const holder = branchesOf(node).find((branch) => isNode(branch.properties) || branch.items !== undefined) ?? node;
  const next = isNode(holder.properties) ? holder.properties[String(step)] : holder.items;
  return isNode(next) ? nodeAt(next, rest) : {};
}

const branchesOf = (node: Node): Node[] => {
  const branches = Array.isArray(node.anyOf) ? node.anyOf : Array.isArray(node.oneOf) ? node.oneOf : null;
  return branches ? branches.filter(isNode).map((branch) => ({ unit: node.unit, ...branch })) : [node];
};

/** Allowed values as text: `None, Trim, Bleed`, `0 – 100 mm`, `true, false`, or the names of a group. */
export function allowedIn(node: Node, unit: Unit): string {
  return branchesOf(node)
    .map((branch) => allowedInOne(branch, unit))
    .filter(Boolean)
    .join(', ');
}

function allowedInOne(node: Node, unit: Unit): string {
  if (Array.isArray(node.enum)) return node.enum.join(', ');
  if (node.const !== undefined) return String(node.const);
  if (isNode(node.properties)) return Object.keys(node.properties).join(', ');
  if (isNode(node.items)) return allowedIn(node.items, unit);
  if (node.type === 'boolean') return 'true, false';
  if (node.type === 'null') return 'null';
  if (node.type !== 'number' && node.type !== 'integer') return '';
  const bound = (value: unknown): string => {
    if (typeof value !== 'number') return '';
    return String(node.unit === 'length' ? Math.round(fromPoints(value, unit) * 100) / 100 : value);
  };
  const symbol = { length: ` ${unitSymbols[unit]}`, points: ' pt', percent: ' %' }[String(node.unit)] ?? '';
  return `${bound(node.minimum)} – ${bound(node.maximum)}${symbol}`.trim();
}
