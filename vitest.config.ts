import { availableParallelism } from 'node:os'
import { svelte } from '@sveltejs/vite-plugin-svelte'
import { defineConfig } from 'vitest/config'

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
/** Each JSON body that a route returns must match its declared schema. */
const RESPONSE_CHECKS = ['backend/testing/response-checks.ts']
/** Routes of one feature or of the HTTP layer: their files share processes. */
const FEATURE_ROUTES = 'backend/{features,http}/**/*.routes.test.ts'
const COMPONENTS = 'renderer/**/*.svelte.test.ts'

/** Seed of the property tests: fixed for a push, others on request. */
const propertySeed = wholeNumber('AUGURY_PROPERTY_SEED', 20_261_123)
/** Cases of the slow properties against those of a push. */
const propertyScale = wholeNumber('AUGURY_PROPERTY_SCALE', 1)

function wholeNumber(variable: string, unset: number): number {
  const value = Number(process.env[variable] ?? unset)
  if (Number.isSafeInteger(value)) return value
  throw new RangeError(`${variable} must be a whole number`)
}

export default defineConfig({
  test: {
    provide: { propertySeed, propertyScale },
    maxWorkers: WORKERS,
    // Limits end what hangs. How long things take is the machine's affair, and it may be busy.
    testTimeout: 240_000 * propertyScale,
    hookTimeout: 240_000,
    teardownTimeout: 60_000,
    // A second try would hide a fault.
    retry: 0,
    expect: { poll: { timeout: 90_000, interval: 10 } },
    projects: [
      {
        extends: true,
        test: { name: 'pure', include: PURE, exclude: [COMPONENTS], isolate: false },
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
        test: {
          name: 'api',
          include: [FEATURE_ROUTES],
          setupFiles: RESPONSE_CHECKS,
          isolate: false,
        },
      },
      {
        extends: true,
        test: {
          name: 'services',
          include: [ROUTES],
          exclude: [FEATURE_ROUTES],
          setupFiles: RESPONSE_CHECKS,
        },
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
