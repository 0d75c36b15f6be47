/** The cases of every check by its key, found beside its contract: a folder without them fails the tests. */
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { type CheckKey, checkKeys } from '../checks/contracts.ts';
import type { RuleCase } from './rule-case.ts';

type RuleCases = { readonly [K in CheckKey]: readonly RuleCase<K>[] };

const checks = new URL('../checks/', import.meta.url);
/** `.ts` where the sources run, `.js` in the build. */
const ending = path.extname(import.meta.url);

async function readCases(folder: string): Promise<[key: string, cases: unknown]> {
  const [contract, { cases }] = await Promise.all([
    import(new URL(`${folder}/contract${ending}`, checks).href) as Promise<Record<string, { key?: string }>>,
    import(new URL(`${folder}/cases${ending}`, checks).href) as Promise<{ cases: unknown }>,
  ]);
  const key = Object.values(contract).find((exported) => checkKeys.some((known) => known === exported.key))?.key;
  return [key ?? folder, cases];
}

const folders = readdirSync(checks, { withFileTypes: true }).filter((entry) => entry.isDirectory());
// Each file of cases is typed by the name of its own check; only the table of all of them is put together here.
export const ruleCases = Object.fromEntries(
  await Promise.all(folders.map(({ name }) => readCases(name))),
) as unknown as RuleCases;
