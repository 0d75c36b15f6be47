import type { Call } from '@pdf2press/contract';

/** The app and the API share an origin. */
export const apiBase = '/api';

/** The path of a route with its parameters put in, below the origin. */
export function pathOf(route: Call, params: Readonly<Record<string, unknown>> = {}, query?: object): string {
  const path = route.path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(params[name])));
  return `${apiBase}${path}${queryText(query)}`;
}

/** The query string: `key[]` for arrays, `a.b` for nested objects; undefined and empty values are left out. */
export function queryText(query: object | undefined): string {
  const search = new URLSearchParams();
  const add = (key: string, value: unknown): void => {
    if (value === undefined || value === null || value === '') return;
    if (Array.isArray(value)) for (const item of value) add(`${key}[]`, item);
    else if (typeof value === 'object') for (const [name, inner] of Object.entries(value)) add(`${key}.${name}`, inner);
    else search.append(key, String(value));
  };
  for (const [key, value] of Object.entries(query ?? {})) add(key, value);
  const text = search.toString();
  return text ? `?${text}` : '';
}
