import { existsSync, readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

const root = fileURLToPath(new URL('../..', import.meta.url));
const rooms = ['packages', 'apps'].flatMap((top) => readdirSync(`${root}${top}`).map((room) => `${top}/${room}`));

/** Rooms whose files each have a process of their own: they replace the console, the environment or the clock. */
const ownProcesses = new Set(['apps/cli', 'prisma']);

/** Rooms whose tests start many processes: what makes their programs ready, once for all test files. */
const programs: Record<string, string> = {
  'apps/intake': 'src/testing/bundle-intake.ts',
  'packages/engine': 'src/testing/bundle-worker.ts',
};

/** What a room's tests need in the process that runs them. */
const setups: Record<string, string> = { 'packages/pdf': 'src/testing/with-mupdf.ts' };

/** One run over all rooms; each room is a project, so `--project engine` runs one. Browser journeys are Playwright's. */
export default defineConfig({
  root,
  test: {
    projects: [...rooms, 'prisma'].map((room) => ({
      // The web app's plugins make modules that its code imports.
      ...(existsSync(`${root}${room}/vite.config.ts`) && { extends: `${root}${room}/vite.config.ts` }),
      root: `${root}${room}`,
      test: {
        name: room.split('/').at(-1) ?? room,
        include: ['src/**/*.test.{ts,tsx}', 'test/**/*.test.ts'],
        exclude: [
          'dist/**',
          'node_modules/**',
          '**/*.journey.ts',
          // What takes long is run by `npm run night`.
          ...(process.env.NIGHT ? [] : ['**/*.night.test.{ts,tsx}']),
        ],
        // Tests whose names end in @night are run by it, too, as those of journeys are.
        ...(!process.env.NIGHT && { testNamePattern: /^(?!.*@night)/ }),
        ...(setups[room] && { setupFiles: `${root}${room}/${setups[room]}` }),
        ...(programs[room] && { globalSetup: `${root}${room}/${programs[room]}` }),
        // What other rooms built is plain JavaScript: Node loads it as it is, in half the time.
        server: { deps: { external: [/\/(packages\/[^/]+|prisma)\/dist\/.*\.js$/] } },
        // The test files of all other rooms share a worker, and with it the modules, which no test changes.
        isolate: ownProcesses.has(room),
        // Against hanging only: tests must also pass on a slow machine.
        testTimeout: 300_000,
        hookTimeout: 300_000,
        // What is waited for takes seconds, and many a look is a query or a connection: not every 50 ms, as Vitest has it.
        expect: { poll: { timeout: 200_000, interval: 100 } },
        // As browser tests are: among thousands on a busy machine one may come too late. It is told by name.
        retry: 1,
      },
    })),
    // More than two processors have work for: many tests wait for other processes half of the time.
    maxWorkers: 3,
  },
});
