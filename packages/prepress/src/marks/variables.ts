/** Puts variables into a text; an unknown one is left out (spec/impose §7). */
export const fillVariables = (text: string, variables: Readonly<Record<string, string>>): string =>
  text.replace(/\{\{\s*([\w.]+)\s*\}\}/g, (_, name: string) => variables[name] ?? '').trim();
