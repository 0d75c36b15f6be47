/** Characters; the limit of every name (`nameSchema`). */
const longest = 200;
/** Begins of names are compared, so that a name that was cut for its number is among them, too. */
const alike = 100;

/** A filter for the rows whose names may be taken, of which `freeName` finds one that is not. */
export const namesLike = (name: string) => ({ startsWith: name.slice(0, alike), mode: 'insensitive' as const });

/** A name that no row has: the name itself, or with the first number that makes it one. Case makes no difference, as where names are given. */
export function freeName(name: string, rows: readonly { name: string }[]): string {
  const taken = new Set(rows.map((row) => row.name.toLowerCase()));
  for (let number = 1; ; number += 1) {
    const end = number === 1 ? '' : ` (${number})`;
    const free = `${name.slice(0, longest - end.length)}${end}`;
    if (!taken.has(free.toLowerCase())) return free;
  }
}
