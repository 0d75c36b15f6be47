import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

const root = fileURLToPath(new URL('../..', import.meta.url));
const rooms = ['packages', 'apps'].flatMap((top) => readdirSync(`${root}${top}`).map((room) => `${top}/${room}`));

/** One run over all rooms; each room is a project, so `--project engine` runs one. Browser journeys are Playwright's. */
export default defineConfig({
  root,
  test: {
    projects: [...rooms, 'prisma'].map((room) => ({
      root: `${root}${room}`,
      test: {
        name: room.split('/').at(-1) ?? room,
        include: ['src/**/*.test.{ts,tsx}', 'test/**/*.test.ts'],
        exclude: ['dist/**', 'node_modules/**', '**/*.journey.ts'],
        // A guard against hanging, not a measure: a loaded machine is slow.
        testTimeout: 300_000,
        hookTimeout: 300_000,
        expect: { poll: { timeout: 200_000 } },
      },
    })),
    // Of two processors: many tests wait for other processes half of the time.
    maxWorkers: 3,
  },
});
