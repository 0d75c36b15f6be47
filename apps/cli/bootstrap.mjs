// Runs on any Node >= 20.19 with nothing installed: installs the locked tree when it changed, builds what changed,
// then hands over to the typed code in src/. Plain JavaScript because nothing else can run before that.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..');
const [mode = 'start', ...rest] = process.argv.slice(2);

function fail(message) {
  console.error(message);
  process.exit(1);
}

const [major, minor] = process.versions.node.split('.').map(Number);
if (major < 20 || (major === 20 && minor < 19))
  fail(`pdf2press needs Node 20.19 or newer; this is ${process.versions.node}.`);

function run(command, args, env = {}) {
  const { status, signal, error } = spawnSync(command, args, {
    cwd: root,
    stdio: ['ignore', 'inherit', 'inherit'],
    env: { ...process.env, ...env },
    shell: process.platform === 'win32',
  });
  if (status !== 0) fail(`${command} ${args.join(' ')} ended with ${error?.message ?? signal ?? status}.`);
}

/** Install scripts are off but for the few that pnpm-workspace.yaml allows; Prisma must not look for its engines. */
function install() {
  const stampFile = path.join(root, 'node_modules/.pdf2press-installed');
  const stamp = createHash('sha256')
    .update(readFileSync(path.join(root, 'pnpm-lock.yaml')))
    .update(process.platform + process.arch + process.versions.modules)
    .digest('hex');
  if (existsSync(stampFile) && readFileSync(stampFile, 'utf8') === stamp) return;
  const { packageManager } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));
  console.log('Installing the locked dependencies; this happens once.');
  run('npx', ['--yes', packageManager, 'install', '--frozen-lockfile', '--reporter=append-only', '--loglevel=warn'], {
    CI: '1',
    PRISMA_SKIP_POSTINSTALL_GENERATE: '1',
    npm_config_loglevel: 'error',
  });
  writeFileSync(stampFile, stamp);
}

function build() {
  const turbo = path.join(root, 'node_modules/.bin', process.platform === 'win32' ? 'turbo.cmd' : 'turbo');
  run(turbo, ['run', 'build', '--output-logs=errors-only', '--log-prefix=none', '--no-update-notifier'], {
    TURBO_TELEMETRY_DISABLED: '1',
    TURBO_PRINT_VERSION_DISABLED: '1',
    DO_NOT_TRACK: '1',
  });
}

install();
build();
process.chdir(root);
const { main } = await import('./dist/main.js');
process.exitCode = await main([mode, ...rest]);
