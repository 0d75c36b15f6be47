/** Characters; the limit of every name (`nameSchema`). */
const longest = 200;

/** A name that is not taken: the name itself, or with the first number that makes it one. Case makes no difference, as where names are given. */
export function freeName(name: string, taken: readonly string[]): string {
  const known = new Set(taken.map((one) => one.toLowerCase()));
  for (let number = 1; ; number += 1) {
    const end = number === 1 ? '' : ` (${number})`;
    const free = `${name.slice(0, longest - end.length)}${end}`;
    if (!known.has(free.toLowerCase())) return free;
  }
}
