const numbersOf = (version: string): number[] => (/^\d+(\.\d+)*/.exec(version)?.[0] ?? '').split('.').map(Number);

/**
 * Whether a version is newer than another, by the order of semver.org (11): number by number; `1.4.0-rc.1` comes before
 * `1.4.0`. Two versions before the same one count as equally new.
 */
export function isNewer(version: string, than: string): boolean {
  const numbers = numbersOf(version);
  const others = numbersOf(than);
  for (let at = 0; at < Math.max(numbers.length, others.length); at += 1) {
    const difference = (numbers[at] ?? 0) - (others[at] ?? 0);
    if (difference !== 0) return difference > 0;
  }
  return than.includes('-') && !version.includes('-');
}
