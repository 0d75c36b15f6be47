import { isSidecarName, maxSidecarBytes, problem, type Sidecar, type WorkflowVariable } from '@pdf2press/contract';
import { handedGroups, nameKey } from '@pdf2press/settings';
import { readXml } from './read-xml.ts';

type Values = ReadonlyMap<string, string>;
const deepest = 20;

function leavesOf(value: unknown, path: readonly string[], into: Map<string, string>): boolean {
  if (path.length > deepest) return false;
  if (['string', 'number', 'boolean'].includes(typeof value)) into.set(path.join('.'), String(value));
  else if (typeof value === 'object' && value !== null && !Array.isArray(value))
    return Object.entries(value).every(([name, inner]) => leavesOf(inner, [...path, name], into));
  return true;
}

/** Numbers, texts and yes or no by their path: `order.copies`; lists and empty values are left out. */
function readJson(text: string): Values | null {
  try {
    const value: unknown = JSON.parse(text);
    const leaves = new Map<string, string>();
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
    return isObject && leavesOf(value, [], leaves) ? leaves : null;
  } catch {
    return null;
  }
}

const separators = [';', '\t', ','] as const;

/** Rows of a CSV as spreadsheets write it (RFC 4180); null where a quotation mark is not closed. */
function readRows(text: string, separator: string): string[][] | null {
  const rows: string[][] = [[]];
  let field = '';
  let isQuoted = false;
  const endField = () => {
    rows.at(-1)?.push(field.trim());
    field = '';
  };
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at];
    if (isQuoted) {
      if (character !== '"') field += character;
      else if (text[at + 1] === '"') {
        field += '"';
        at += 1;
      } else isQuoted = false;
    } else if (character === '"' && field === '') isQuoted = true;
    else if (character === separator) endField();
    else if (character === '\n') {
      endField();
      rows.push([]);
    } else if (character !== '\r') field += character;
  }
  endField();
  return isQuoted ? null : rows.filter((row) => row.some((value) => value !== ''));
}

/** The first row names the values of the second; there is no third, since it would be about another file. */
function readCsv(text: string): Values | null {
  const [first = ''] = text.split('\n', 1);
  const separator = separators.find((one) => first.includes(one)) ?? ',';
  const [names, values, more] = readRows(text, separator) ?? [];
  if (!names || !values || more) return null;
  return new Map(names.map((name, at) => [name, values[at] ?? '']));
}

const readers: Readonly<Record<string, (text: string) => Values | null>> = {
  json: readJson,
  csv: readCsv,
  xml: readXml,
};

/**
 * The values that a sidecar has for variables of a workflow and for the product's own names that are handed in with a file
 * (`order.…`, `upload.…`), found without regard to case; all others are left out. Their types are checked where values are
 * taken.
 * @throws ProblemError `sidecar.tooLarge`, `sidecar.invalid`
 */
export function readSidecar(
  { name, text }: Sidecar,
  variables: readonly Pick<WorkflowVariable, 'name'>[],
): Record<string, string> {
  if (text.length > maxSidecarBytes) throw problem('sidecar.tooLarge', { limit: maxSidecarBytes });
  const reader = isSidecarName(name) ? readers[name.slice(name.lastIndexOf('.') + 1).toLowerCase()] : undefined;
  const values = text.includes('\uFFFD') ? null : reader?.(text.replace(/^\uFEFF/, ''));
  if (!values) throw problem('sidecar.invalid', { name });
  const asWritten = new Map(variables.map((variable) => [nameKey(variable.name), variable.name]));
  return Object.fromEntries(
    [...values].flatMap(([key, value]) => {
      const known = asWritten.get(nameKey(key));
      const isHanded = handedGroups.some((group) => nameKey(key).startsWith(group));
      return value !== '' && (known !== undefined || isHanded) ? [[known ?? key, value]] : [];
    }),
  );
}
