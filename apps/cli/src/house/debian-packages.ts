import { spawn } from 'node:child_process';
import { existsSync, rmSync, writeFileSync } from 'node:fs';

/** Set to 1, `npm test` may install the Debian packages that it lacks. Without it nothing outside the project changes. */
export const installVariable = 'PDF2PRESS_INSTALL_TOOLS';

/** Debian asks this program whether a package that was just installed may start its service; 101 is no. */
const servicePolicy = '/usr/sbin/policy-rc.d';

/** Keeps packages from starting services while `work` runs. A policy that the machine has already stays as it is. */
async function withoutServices<T>(policy: string, work: () => Promise<T>): Promise<T> {
  if (existsSync(policy)) return work();
  writeFileSync(policy, '#!/bin/sh\nexit 101\n', { mode: 0o755 });
  const remove = () => rmSync(policy, { force: true });
  const end = () => {
    remove();
    process.exit(1);
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, end);
  try {
    return await work();
  } finally {
    remove();
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.off(signal, end);
  }
}

const run = (args: readonly string[]): Promise<void> =>
  new Promise((resolve, reject) => {
    const child = spawn('apt-get', args, {
      stdio: ['ignore', 'ignore', 'inherit'],
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    });
    child.once('error', reject);
    child.once('exit', (code, signal) =>
      code === 0 ? resolve() : reject(new Error(`apt-get ${args[0]} ended with ${code ?? signal}`)),
    );
  });

/** Installs Debian packages as root; what they bring as services stays off. @throws Error when apt-get fails */
export const installDebianPackages = (packages: readonly string[], policy = servicePolicy): Promise<void> =>
  withoutServices(policy, async () => {
    await run(['update', '-qq']);
    await run(['install', '-y', '-qq', '--no-install-recommends', ...packages]);
  });
