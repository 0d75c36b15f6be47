import { localBin, runToEnd } from './processes.ts';

/** The checks, the fastest first. Types are checked by the build that runs before. */
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
  { name: 'unused exports', command: 'knip', args: ['--config', 'packages/config/knip.json', '--no-progress'] },
];

/** `npm run check`: runs every check, also after one has failed. Exit code 1 when any fails. */
export async function check(): Promise<number> {
  let failed = 0;
  for (const { name, command, args } of rules) {
    const code = await runToEnd(localBin(command), args);
    console.log(`${code === 0 ? 'ok  ' : 'FAIL'} ${name}`);
    failed += code === 0 ? 0 : 1;
  }
  return failed === 0 ? 0 : 1;
}
