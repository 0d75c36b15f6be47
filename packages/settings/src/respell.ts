/** Converts settings with older names, other names of the trade or short forms to the names of the schema. */

type Tree = Record<string, unknown>;

export interface Respelling {
  /** Names that were or are also used, by path, and the path meant. Capitals, blanks, dashes and arrows do not count. */
  readonly names?: Readonly<Record<string, string>>;
  /** Words for a value of the setting at a path; a list stands for several values of a list. */
  readonly words?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  /** Texts, numbers and booleans at a path that stand for several settings: `MapTo(Gold)`. Null: the value is kept as it is. */
  readonly phrases?: Readonly<Record<string, (text: string) => Tree | null>>;
}

const isTree = (value: unknown): value is Tree => typeof value === 'object' && value !== null && !Array.isArray(value);
const isSimple = (value: unknown): boolean => ['string', 'number', 'boolean'].includes(typeof value);
const folded = (text: string): string => text.toLowerCase().replace(/[\s_–→>-]/g, '');

function lookUp<T>(table: Readonly<Record<string, T>> | undefined, text: string): T | undefined {
  const found = Object.keys(table ?? {}).find((key) => folded(key) === folded(text));
  return found === undefined ? undefined : table?.[found];
}

/**
 * A tree with a value at a path; groups are joined. Every step is an own property of a new object, so that a name such as
 * `__proto__` reaches nothing but the tree.
 */
function put(tree: Tree, path: readonly string[], value: unknown): Tree {
  const [step = '', ...rest] = path;
  const stood = Object.hasOwn(tree, step) && isTree(tree[step]) ? tree[step] : null;
  if (rest.length > 0) return { ...tree, [step]: put(stood ?? {}, rest, value) };
  return { ...tree, [step]: isTree(value) && stood ? { ...stood, ...value } : value };
}

const own = <T>(table: Readonly<Record<string, T>> | undefined, name: string): T | undefined =>
  table && Object.hasOwn(table, name) ? table[name] : undefined;

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
  let tree: Tree = {};
  const walk = (node: Tree, above: string): void => {
    for (const [name, value] of Object.entries(node)) {
      const given = above === '' ? name : `${above}.${name}`;
      const path = lookUp(names, given) ?? given;
      const said = isSimple(value) ? own(phrases, path)?.(String(value)) : null;
      if (said) walk(said, '');
      else if (isTree(value) && Object.keys(value).length > 0) walk(value, path);
      else tree = put(tree, path.split('.'), reworded(value, own(words, path)));
    }
  };
  walk(settings, '');
  return tree;
}
