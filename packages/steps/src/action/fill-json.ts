/** JSON as a template has it, with every text in it filled in; names of properties stay as they are. */
export function fillJson(template: unknown, fill: (text: string) => unknown): unknown {
  if (typeof template === 'string') return fill(template);
  if (Array.isArray(template)) return template.map((inner) => fillJson(inner, fill));
  if (typeof template !== 'object' || template === null) return template;
  return Object.fromEntries(Object.entries(template).map(([name, inner]) => [name, fillJson(inner, fill)]));
}
