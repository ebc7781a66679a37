import { globSync, readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { svelte } from '@sveltejs/vite-plugin-svelte'
import { defineConfig } from 'vitest/config'

// Workers, and the threads and processes that tests start, keep the compiled code of their modules.
process.env['NODE_COMPILE_CACHE'] ??= join(import.meta.dirname, 'node_modules/.cache/augury')

/**
 * Concurrent files: both cores of a small machine. With more, processes of low priority (strategies,
 * statements) hardly run, and tests of their time limits fail.
 */
const WORKERS = Math.max(2, availableParallelism() - 1)

/** Files that only compute. They share a process per worker, so that modules are loaded once. */
const SHARED = [
  '{backend/contract,backend/domain,e2e/spec,renderer}/**/*.test.ts',
  'electron/{deep-link,entry-address,launch-plan,menus,navigation,pop-out,recovery,window-state}.test.ts',
]
const CAMPAIGNS = 'e2e/torture/**/*.test.ts'
/** Campaigns that measure time or memory, or fill a disk: one at a time, with nothing beside them. */
const MEASURING =
  'e2e/torture/{disk-full*,event-loop,leftovers,memory-limit,slow-clients,soak,socket-abuse}.test.ts'
const ROUTES = 'backend/**/*.routes.test.ts'
const UNIT = '{backend,electron,scripts,bench}/**/*.test.ts'
/** Files that replace modules: in a shared process, others would see the replacement. */
const MOCKING = globSync(UNIT, { cwd: import.meta.dirname }).filter((path) =>
  /^vi\.mock\(/m.test(readFileSync(join(import.meta.dirname, path), 'utf8')),
)
/** Each JSON body that a route returns must match its declared schema. */
const RESPONSE_CHECKS = ['backend/testing/response-checks.ts']
/** Routes of one feature or of the HTTP layer: their files share processes. */
const FEATURE_ROUTES = 'backend/{features,http}/**/*.routes.test.ts'
const COMPONENTS = 'renderer/**/*.svelte.test.ts'
/** Its modules for bundlers, which can be evaluated for each window. */
const TESTING_LIBRARY = join(
  import.meta.dirname,
  'node_modules/@testing-library/dom/dist/@testing-library/dom.esm.js',
)

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
    // No test writes to the keychain of the user.
    env: { AUGURY_KEY_STORE: 'file' },
    provide: { propertySeed, propertyScale },
    maxWorkers: WORKERS,
    // V8 13.6 sometimes aborts in a pass of its last compiler ("!= kHoleNanInt64").
    execArgv: ['--no-turbofan'],
    // Limits end hanging tests. They are generous, because the machine may be busy.
    testTimeout: 240_000 * propertyScale,
    hookTimeout: 240_000,
    teardownTimeout: 60_000,
    // A retry would hide a fault.
    retry: 0,
    expect: { poll: { timeout: 90_000, interval: 10 } },
    globalSetup: 'backend/testing/user-folder.ts',
    projects: [
      {
        extends: true,
        test: { name: 'shared', include: SHARED, exclude: [ROUTES, COMPONENTS], isolate: false },
      },
      {
        extends: true,
        test: {
          name: 'unit',
          include: [UNIT],
          exclude: [...SHARED, ...MOCKING, ROUTES],
          isolate: false,
        },
      },
      {
        extends: true,
        // Files with a process each, among them the longest. Projects run by name, so that no worker
        // waits for one of these at the end.
        test: { name: 'campaigns', include: [CAMPAIGNS, ...MOCKING], exclude: [MEASURING] },
      },
      {
        extends: true,
        plugins: [svelte()],
        resolve: { conditions: ['browser'], alias: { '@testing-library/dom': TESTING_LIBRARY } },
        test: {
          name: 'page',
          include: [COMPONENTS],
          server: { deps: { inline: [/@testing-library/] } },
          environment: './renderer/testing/page-environment.ts',
          setupFiles: ['renderer/testing/new-window.ts'],
          isolate: false,
        },
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
        test: {
          name: 'torture',
          include: [MEASURING],
          maxWorkers: 1,
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
})
