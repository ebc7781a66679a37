import { defineConfig } from '@playwright/test'
import { findTestBrowser } from './scripts/browsers.mjs'

const installed = findTestBrowser(process.platform, process.env)
// No test writes to the keychain of the user.
process.env['AUGURY_KEY_STORE'] = 'file'
const isCi = Boolean(process.env['CI'])

/**
 * The files of the project `terminal`; those of the project `panes` are all others. Each project is
 * about half of the time.
 */
const TERMINAL = [
  'accessibility',
  'clipped-text',
  'every-command',
  'keyboard-*',
  'mouse-jobs',
  'page-weight',
  'recovery',
  'reflow',
  'stale-values',
  'terminal*',
].map((name) => `${name}.spec.ts`)

export default defineConfig({
  testDir: 'e2e',
  testMatch: '*.spec.ts',
  outputDir: 'test-results',
  // One picture for all platforms: the page includes its fonts, and a tolerance covers their edges.
  snapshotPathTemplate: '{testDir}/snapshots/{arg}{ext}',
  // Limits end hanging tests: a busy machine may take four times as long as an idle one.
  timeout: 240_000,
  expect: { timeout: 30_000 },
  // The tests of a project share a service and its user: one worker runs them in one order on every
  // machine. Two projects run beside each other, each with a service and a browser of its own.
  workers: 2,
  projects: [
    { name: 'panes', testIgnore: TERMINAL, workers: 1 },
    { name: 'terminal', testMatch: TERMINAL, workers: 1 },
  ],
  forbidOnly: isCi,
  // A retry would hide a fault.
  retries: 0,
  reporter: isCi ? [['list']] : [['line']],
  use: {
    viewport: { width: 1440, height: 900 },
    // A trace takes two thirds of the time of all tests: `npx playwright test FILE --trace on`.
    trace: 'off',
    launchOptions: {
      ...(installed === null ? {} : { executablePath: installed }),
      args: [
        '--no-sandbox',
        '--disable-background-networking',
        '--disable-component-update',
        '--font-render-hinting=none',
      ],
    },
  },
})
