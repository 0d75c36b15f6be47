import { type ErrorParams, type Unit, unitSymbols } from '@pdf2press/contract';
import { allowedIn, branchesOf, placeholderFault } from '@pdf2press/settings';
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
