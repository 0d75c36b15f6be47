/** Settings of an action in older words, or in shorthand of the specification, put into the words of today. */

type Tree = Record<string, unknown>;

export interface Respelling {
  /** Names that were or are also used, by path, and the path meant. Capitals, blanks, dashes and arrows do not count. */
  readonly names?: Readonly<Record<string, string>>;
  /** Words for a value of the setting at a path; a list stands for several values of a list. */
  readonly words?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  /** Values that say more than one thing: `MapTo(Gold)`. */
  readonly phrases?: Readonly<Record<string, (text: string) => Tree | null>>;
}

const isTree = (value: unknown): value is Tree => typeof value === 'object' && value !== null && !Array.isArray(value);
const folded = (text: string): string => text.toLowerCase().replace(/[\s_–→>-]/g, '');

function lookUp<T>(table: Readonly<Record<string, T>> | undefined, text: string): T | undefined {
  const found = Object.keys(table ?? {}).find((key) => folded(key) === folded(text));
  return found === undefined ? undefined : table?.[found];
}

function put(tree: Tree, path: string, value: unknown): void {
  const steps = path.split('.');
  const last = steps.pop() ?? path;
  let node = tree;
  for (const step of steps) {
    const next = isTree(node[step]) ? (node[step] as Tree) : {};
    node[step] = next;
    node = next;
  }
  node[last] = isTree(value) && isTree(node[last]) ? { ...(node[last] as Tree), ...value } : value;
}

/** A value with its words exchanged; a text of several words with commas is a list of them. */
function reworded(value: unknown, words: Readonly<Record<string, unknown>> | undefined): unknown {
  if (!words) return value;
  if (Array.isArray(value)) return value.flatMap((entry: unknown) => reworded(entry, words));
  if (typeof value !== 'string') return value;
  if (value.includes(','))
    return reworded(
      value.split(',').map((piece) => piece.trim()),
      words,
    );
  const meant = lookUp(words, value);
  return meant === undefined ? value : meant;
}

/** What is not known by any other name or word stays for the schema to judge. */
export function respell(settings: Tree, { names, words, phrases }: Respelling): Tree {
  const tree: Tree = {};
  const walk = (node: Tree, above: string): void => {
    for (const [name, value] of Object.entries(node)) {
      const given = above === '' ? name : `${above}.${name}`;
      const path = lookUp(names, given) ?? given;
      const said = typeof value === 'string' ? phrases?.[path]?.(value) : null;
      if (said) walk(said, '');
      else if (isTree(value) && Object.keys(value).length > 0) walk(value, path);
      else put(tree, path, reworded(value, words?.[path]));
    }
  };
  walk(settings, '');
  return tree;
}
