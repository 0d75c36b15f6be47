// `prisma generate` looks for a schema engine that it never runs; any existing file satisfies it, so nothing is
// downloaded and the build works without internet access.
import { spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';

const cli = createRequire(import.meta.url).resolve('prisma/build/index.js');
const run = spawnSync(process.execPath, [cli, 'generate'], {
  env: { ...process.env, PRISMA_SCHEMA_ENGINE_BINARY: process.execPath, PRISMA_HIDE_UPDATE_MESSAGE: '1' },
  stdio: ['ignore', 'inherit', 'inherit'],
});
process.exit(run.status ?? 1);
