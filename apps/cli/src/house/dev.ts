import { type ChildProcess, spawn } from 'node:child_process';
import path from 'node:path';
import { freePort } from '@pdf2press/config/free-port';
import { readStartEnv } from './house-env.ts';
import { localBin, whenParentsEnd } from './processes.ts';
import { repositoryRoot } from './root.ts';
import { startStack } from './stack.ts';

/**
 * `npm run dev`: the product with apps that start again when their build changes, a build that follows the sources,
 * and the web app served by Vite (which asks the API through a proxy).
 */
export async function dev(): Promise<number> {
  const env = readStartEnv();
  const asked = new Promise<void>((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => resolve());
    whenParentsEnd(resolve);
  });
  const stack = await startStack({
    ...env,
    postgresPort: await freePort(),
    nodeArgs: ['--watch', '--watch-preserve-output'],
  });
  const beside: ChildProcess[] = [
    spawn(localBin('turbo'), ['watch', 'build', '--filter=!@pdf2press/web', '--ui=stream'], {
      cwd: repositoryRoot,
      stdio: 'inherit',
      env: { ...process.env, TURBO_TELEMETRY_DISABLED: '1' },
    }),
    spawn(process.execPath, [path.join(repositoryRoot, 'apps/web/node_modules/vite/bin/vite.js')], {
      cwd: path.join(repositoryRoot, 'apps/web'),
      stdio: 'inherit',
      env: { ...process.env, API_URL: stack.address },
    }),
  ];
  console.log(`API and built web app: ${stack.address}`);
  try {
    await Promise.race([asked, stack.failed]);
    return 0;
  } finally {
    for (const child of beside) child.kill('SIGTERM');
    await stack.stop();
  }
}
