/** A command reads its own arguments and resolves with the exit code of the process. */
type Command = (args: string[]) => Promise<number>;

/** What `pdf2press` can do; each module is loaded only when it is asked for. The last ones, from `dev`, look after the checkout. */
const commands: Record<string, { usage: string; load: () => Promise<Command> }> = {
  start: { usage: 'run the product', load: async () => (await import('./house/start.ts')).start },
  inspect: { usage: 'FILE --json: what a PDF is', load: async () => (await import('./commands/inspect.ts')).run },
  preflight: {
    usage: 'FILE --preset NAME | --profile P.json: check a PDF',
    load: async () => (await import('./commands/preflight.ts')).run,
  },
  fix: {
    usage: 'FILE --profile P.json --out OUT.pdf: repair a PDF',
    load: async () => (await import('./commands/fix.ts')).run,
  },
  impose: {
    usage: 'FILE --profile P.json --out OUT.pdf: put pages on sheets',
    load: async () => (await import('./commands/impose.ts')).run,
  },
  merge: {
    usage: 'FILE FILE … --out OUT.pdf: several PDFs as one',
    load: async () => (await import('./commands/merge.ts')).run,
  },
  split: {
    usage: 'FILE --every N | --ranges 1-4,5- | --at-bookmarks | --at-empty-pages --out OUT.pdf: one PDF as several',
    load: async () => (await import('./commands/split.ts')).run,
  },
  render: {
    usage: 'FILE --page N --dpi D --out X.png: draw a page',
    load: async () => (await import('./commands/render.ts')).run,
  },
  plates: {
    usage: 'FILE --page N --dpi D --out DIR: one picture per ink',
    load: async () => (await import('./commands/plates.ts')).run,
  },
  verify: {
    usage: 'CERTIFICATE.pdf [FILE …] --key KEY.pem: whether a decision, its certificate and files belong together',
    load: async () => (await import('./commands/verify.ts')).run,
  },
  'verify-audit': {
    usage: 'AUDIT.json [EARLIER.json …]: whether an exported audit is as it was written',
    load: async () => (await import('./commands/verify-audit.ts')).run,
  },
  migrate: {
    usage: 'bring the database of DATABASE_URL up to date',
    load: async () => (await import('./house/migrate.ts')).migrate,
  },
  backup: {
    usage: 'TARGET: copy database, files and key to a new folder, also while the product runs',
    load: async () => (await import('./house/backup/backup.ts')).backup,
  },
  restore: {
    usage: 'SOURCE [--check]: fill an empty installation from a backup, or only check the backup',
    load: async () => (await import('./house/backup/restore.ts')).restore,
  },
  dev: { usage: 'run the product and rebuild on change', load: async () => (await import('./house/dev.ts')).dev },
  test: { usage: 'run every test', load: async () => (await import('./house/test.ts')).test },
  night: {
    usage: 'run every test in full, also those that take long',
    load: async () => (await import('./house/test.ts')).night,
  },
  week: {
    usage: 'the night, with far more of all that is made at random',
    load: async () => (await import('./house/test.ts')).week,
  },
  controls: {
    usage: '[WORDS]: take each guard away in a copy of the tree, and see that a test misses it',
    load: async () => (await import('./house/trust/controls.ts')).runControlsCommand,
  },
  faults: {
    usage: '[WORDS]: run the fault matrix, every fault at every moment',
    load: async () => (await import('./house/trust/faults.ts')).runFaults,
  },
  check: {
    usage: 'lint, import rules, types, unused exports',
    load: async () => (await import('./house/check.ts')).check,
  },
  bench: { usage: 'measure, side by side with peers', load: async () => (await import('./house/bench.ts')).bench },
};

const usage = () =>
  [
    'usage: pdf2press COMMAND …',
    ...Object.entries(commands).map(([name, { usage }]) => `  ${name.padEnd(12)} ${usage}`),
  ].join('\n');

/** Runs `pdf2press ARGS`. Exit code 2 for wrong usage; the rest is the command's own. */
export async function main(args: readonly string[]): Promise<number> {
  const [name = '', ...rest] = args;
  if (name === '--help' || name === '-h' || name === 'help') {
    console.log(usage());
    return 0;
  }
  const command = commands[name];
  if (!command) {
    console.error(name === '' ? usage() : `USAGE unknown command ${JSON.stringify(name)} (pdf2press --help)`);
    return 2;
  }
  return (await command.load())(rest);
}
