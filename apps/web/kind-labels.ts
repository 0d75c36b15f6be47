import type { Locale } from '@pdf2press/contract';
import type { Plugin } from 'vite';

const prefix = 'virtual:kind-labels/';

/** Labels of checks and steps, as `check.<key>` and `step.<kind>`. */
async function labelsIn(locale: Locale): Promise<Record<string, string>> {
  const [{ checkContracts }, { stepContracts }] = await Promise.all([
    import('@pdf2press/preflight/contracts'),
    import('@pdf2press/steps/contracts'),
  ]);
  const contracts = { check: checkContracts, step: stepContracts };
  return Object.fromEntries(
    Object.entries(contracts).flatMap(([noun, kinds]) =>
      Object.entries(kinds).map(([key, { messages }]) => {
        const label = messages[locale].label;
        if (!label) throw new Error(`${noun} ${key} has no label in ${locale}`);
        return [`${noun}.${key}`, label];
      }),
    ),
  );
}

/**
 * `virtual:kind-labels/<locale>` has the labels of the contracts of checks and steps. They are read when the app is built,
 * because importing the contracts would include their settings and six languages, which only the editors need.
 */
export const kindLabels: Plugin = {
  name: 'kind labels',
  resolveId: (id) => (id.startsWith(prefix) ? `\0${id}` : null),
  load: async (id) =>
    id.startsWith(`\0${prefix}`)
      ? `export default ${JSON.stringify(await labelsIn(id.slice(prefix.length + 1) as Locale))};`
      : null,
};
