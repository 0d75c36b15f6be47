/** A statement is named when its text comes for this time: what comes once or twice is not worth keeping. */
const namedAt = 3;
/** Every connection keeps what it prepared. Lists of every length make texts without end. */
const mostNames = 300;
/** Texts that are counted and have no name yet. */
const mostCounted = 2_000;
/** What Postgres calls the statement of one call. */
const unnamed = '';
/**
 * All columns of something: a column that an upgrade adds changes the result of a prepared statement, which Postgres refuses
 * from then on. `count(*)` is none.
 */
const allColumns = /(?<!\()\*/;

/**
 * Names the statements of one pool that come often. Each connection has Postgres parse them, add the rules of row-level
 * security and plan them a few times and not each time, which together takes longer than most of them run. Empty for a
 * statement without a name.
 */
export function openStatementNames(): (query: { sql: string }) => string {
  const names = new Map<string, string>();
  const counts = new Map<string, number>();
  return ({ sql }) => {
    const known = names.get(sql);
    if (known !== undefined) return known;
    if (names.size >= mostNames) return unnamed;
    const count = (counts.get(sql) ?? 0) + 1;
    if (count === namedAt && !allColumns.test(sql)) {
      counts.delete(sql);
      const name = `often ${names.size}`;
      names.set(sql, name);
      return name;
    }
    // Begun anew when full: what comes often is soon counted again.
    if (counts.size >= mostCounted) counts.clear();
    counts.set(sql, count);
    return unnamed;
  };
}
