import { availableParallelism } from 'node:os'
import { svelte } from '@sveltejs/vite-plugin-svelte'
import { defineConfig } from 'vitest/config'
import { SecondTries } from './scripts/second-tries.ts'

/** Files at once: both cores of a small machine, as half of the time is spent waiting for a disk. */
const WORKERS = Math.max(2, availableParallelism() - 1)

/** Files that only compute share their processes; the others have one each. */
const PURE = [
  '{backend/domain,e2e/spec,renderer}/**/*.test.ts',
  'electron/{deep-link,entry-address,launch-plan,menus,navigation,pop-out,recovery,window-state}.test.ts',
]
const TORTURE = 'e2e/torture/**/*.test.ts'
/** Campaigns on a clock of their own, or on files alone: nothing beside them disturbs them. */
const UNTIMED = 'e2e/torture/{as-of,clock-jumps,corruption,replay-abort,venue-faults}.test.ts'
const ROUTES = 'backend/**/*.routes.test.ts'
const COMPONENTS = 'renderer/**/*.svelte.test.ts'

export default defineConfig({
  test: {
    maxWorkers: WORKERS,
    // Limits end what hangs. How long things take is the machine's affair, and it may be busy.
    testTimeout: 240_000,
    hookTimeout: 240_000,
    teardownTimeout: 60_000,
    // What starts services on a busy machine gets a second try there; the closing lines name it.
    retry: process.env['CI'] ? 1 : 0,
    reporters: ['default', new SecondTries()],
    expect: { poll: { timeout: 90_000, interval: 10 } },
    projects: [
      {
        extends: true,
        test: { name: 'pure', include: PURE, exclude: [COMPONENTS], isolate: false, retry: 0 },
      },
      {
        extends: true,
        test: {
          name: 'unit',
          include: ['{backend,electron,scripts,bench}/**/*.test.ts', UNTIMED],
          exclude: [...PURE, ROUTES],
        },
      },
      {
        extends: true,
        plugins: [svelte()],
        resolve: { conditions: ['browser'] },
        test: { name: 'page', environment: 'jsdom', include: [COMPONENTS] },
      },
      {
        extends: true,
        test: { name: 'api', include: [ROUTES] },
      },
      {
        extends: true,
        // These start services and watch how they bear what is done to them: one at a time.
        test: {
          name: 'torture',
          include: [TORTURE],
          exclude: [UNTIMED],
          maxWorkers: 1,
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
})
