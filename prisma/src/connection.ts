/** Host, port, user, password and database apart; see `connectionParts`. */
export interface ConnectionParts {
  host: string;
  port: number;
  user: string;
  password?: string;
  database: string;
  ssl?: boolean | { rejectUnauthorized: boolean };
}

/**
 * Splits a Postgres URL. Never give the schema engine a `connectionString`: pg lets it override `database`, and the
 * shadow database would be the real one.
 */
export function connectionParts(url: string): ConnectionParts {
  const { hostname, port, username, password, pathname, searchParams } = new URL(url);
  const mode = searchParams.get('sslmode');
  return {
    host: decodeURIComponent(searchParams.get('host') ?? hostname),
    port: Number(port || 5432),
    user: decodeURIComponent(username),
    ...(password ? { password: decodeURIComponent(password) } : {}),
    database: decodeURIComponent(pathname.slice(1)),
    ...(mode && mode !== 'disable' ? { ssl: mode === 'require' ? { rejectUnauthorized: false } : true } : {}),
  };
}
