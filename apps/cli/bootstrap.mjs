// Runs on any Node >= 20.19 with nothing installed: installs the locked tree when it changed, builds what changed,
// then hands over to the typed code in src/. Plain JavaScript because nothing else can run before that.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const parent = process.ppid;
const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..');
const bin = path.join(root, 'node_modules/.bin');
const [mode = 'start', ...rest] = process.argv.slice(2);

function fail(message) {
  console.error(message);
  process.exit(1);
}

const [major, minor] = process.versions.node.split('.').map(Number);
if (major < 20 || (major === 20 && minor < 19))
  fail(`pdf2press needs Node 20.19 or newer; this is ${process.versions.node}.`);

/** Runs a program to its end. With `isQuiet` its output is shown only when it fails. */
function run(command, args, env = {}, isQuiet = false) {
  const { status, signal, error, stdout, stderr } = spawnSync(command, args, {
    cwd: root,
    // Standard output belongs to the command that was asked for: its JSON is read by programs.
    stdio: isQuiet ? 'pipe' : ['ignore', 2, 2],
    maxBuffer: 1e9,
    // turbo looks for pnpm on the PATH, which npm sets up and a plain `node` does not.
    env: { ...process.env, PATH: `${bin}${path.delimiter}${process.env.PATH}`, ...env },
    shell: process.platform === 'win32',
  });
  if (status === 0) return;
  if (isQuiet) console.error(`${stdout}${stderr}`);
  fail(`${command} ${args.join(' ')} ended with ${error?.message ?? signal ?? status}.`);
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
  console.error('Installing the locked dependencies; this happens once.');
  run('npx', ['--yes', packageManager, 'install', '--frozen-lockfile', '--reporter=append-only', '--loglevel=warn'], {
    CI: '1',
    PRISMA_SKIP_POSTINSTALL_GENERATE: '1',
    npm_config_loglevel: 'error',
  });
  writeFileSync(stampFile, stamp);
}

function build() {
  const turbo = path.join(bin, process.platform === 'win32' ? 'turbo.cmd' : 'turbo');
  const args = ['run', 'build', '--output-logs=errors-only', '--log-prefix=none', '--no-update-notifier'];
  run(turbo, args, { TURBO_TELEMETRY_DISABLED: '1', TURBO_PRINT_VERSION_DISABLED: '1', DO_NOT_TRACK: '1' }, true);
}

install();
if (!existsSync(path.join(root, 'apps/cli/dist/main.js'))) console.error('Building; later only what changed is built.');
build();
// npm does not pass SIGTERM on: whoever started this may have ended during the build.
if (process.ppid !== parent) process.exit(1);
// Commands on files take names as they were given, from where they were given.
if (['start', 'dev', 'test', 'night', 'week', 'controls', 'faults', 'check', 'bench'].includes(mode))
  process.chdir(root);
const { main } = await import('./dist/main.js');
process.exitCode = await main([mode, ...rest]);
