import path from 'node:path';
import { localBin, runToEnd } from './processes.ts';

/**
 * The checks, the fastest first. The build that runs before makes JavaScript and declarations without a look at types, so
 * that a first start waits for neither.
 */
const rules: readonly { name: string; command: string; args: readonly string[] }[] = [
  {
    name: 'lint',
    command: 'biome',
    args: ['check', '--config-path', 'packages/config/lint.jsonc', '--error-on-warnings', '.'],
  },
  {
    name: 'import rules',
    command: 'depcruise',
    args: ['--config', 'packages/config/import-rules.cjs', '--output-type', 'err', 'apps', 'packages', 'prisma'],
  },
  {
    name: 'types',
    command: 'turbo',
    args: ['run', 'types', '--output-logs=errors-only', '--log-prefix=none', '--no-update-notifier'],
  },
  { name: 'unused exports', command: 'knip', args: ['--config', 'packages/config/knip.json', '--no-progress'] },
];

/** `npm run check`: runs every check, also after one has failed. Exit code 1 when any fails. */
export async function check(): Promise<number> {
  let failed = 0;
  for (const { name, command, args } of rules) {
    // turbo looks for pnpm there.
    const code = await runToEnd(localBin(command), args, {
      PATH: `${localBin('')}${path.delimiter}${process.env.PATH}`,
    });
    console.log(`${code === 0 ? 'ok  ' : 'FAIL'} ${name}`);
    failed += code === 0 ? 0 : 1;
  }
  return failed === 0 ? 0 : 1;
}
