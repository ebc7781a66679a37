import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { cruise, type ICruiseResult } from 'dependency-cruiser'
import extractDepcruiseConfig from 'dependency-cruiser/config-utl/extract-depcruise-config'
import { afterEach, describe, expect, it } from 'vitest'

const CONFIG = join(import.meta.dirname, '..', '.dependency-cruiser.mjs')
const EMPTY = 'export const nothing = 0\n'
const PACKAGES = ['@duckdb/node-api', 'kysely', 'electron', 'elysia', 'ws']
let tree: string | null = null

afterEach(() => {
  if (tree !== null) rmSync(tree, { recursive: true })
  tree = null
})

/** Names of the rules that a tree of files breaks, sorted. */
async function brokenBy(files: Record<string, string>): Promise<string[]> {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'augury-layers-')))
  tree = root
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text)
  }
  for (const name of PACKAGES) {
    write(`node_modules/${name}/package.json`, JSON.stringify({ name, main: 'main.js' }))
    write(`node_modules/${name}/main.js`, EMPTY)
  }
  const dependencies = Object.fromEntries(PACKAGES.map((name) => [name, '1.0.0']))
  write('package.json', JSON.stringify({ name: 'tree', type: 'module', dependencies }))
  for (const [path, text] of Object.entries(files)) write(path, text)

  const config = await extractDepcruiseConfig(CONFIG)
  const { tsConfig: _unused, ...options } = config.options ?? {}
  const roots = [...new Set(Object.keys(files).map((path) => path.split('/')[0] ?? path))]
  const { output } = await cruise(roots, {
    ...options,
    ruleSet: config,
    validate: true,
    baseDir: root,
  })
  const { summary } = output as ICruiseResult
  return [...new Set(summary.violations.map((violation) => violation.rule.name))].sort()
}

/** A tree in which `from` imports `to`, which exists when it is a path of the tree. */
const importing = (from: string, to: string, how = 'import') => {
  const depth = from.split('/').length - 1
  const isPath = to.endsWith('.ts')
  const specifier = isPath ? `${'../'.repeat(depth)}${to}` : to
  return {
    [from]: `${how} { nothing } from '${specifier}'\nexport type There = typeof nothing\n`,
    ...(isPath ? { [to]: EMPTY } : {}),
  }
}

describe('the layering rules', () => {
  it.each([
    ['backend/domain/prices/price.ts', 'backend/lib/clock.ts', 'domain-imports-only-itself'],
    ['backend/domain/prices/price.ts', 'node:fs', 'domain-is-pure'],
    [
      'backend/history/open.ts',
      'backend/computed/board/board.ts',
      'history-imports-only-layers-below',
    ],
    [
      'backend/computed/board/board.ts',
      'backend/features/markets/service.ts',
      'computed-imports-only-layers-below',
    ],
    [
      'backend/simulator/venue.ts',
      'backend/venues/connector.ts',
      'simulator-imports-only-layers-below',
    ],
    [
      'backend/http/errors.ts',
      'backend/features/markets/service.ts',
      'http-imports-only-layers-below',
    ],
    ['backend/lib/bus.ts', 'backend/features/markets/service.ts', 'lib-imports-only-layers-below'],
    [
      'backend/ingest/pipeline.ts',
      'backend/features/markets/service.ts',
      'ingest-imports-only-layers-below',
    ],
    [
      'backend/features/markets/a.ts',
      'backend/venues/connector.ts',
      'features-imports-only-layers-below',
    ],
    ['backend/features/markets/a.ts', 'backend/features/theses/b.ts', 'features-do-not-meet'],
    ['backend/venues/venue-a/parse.ts', 'backend/venues/venue-b/wire.ts', 'venues-do-not-meet'],
    ['backend/cli/markets.ts', 'backend/app/compose.ts', 'only-main-composes'],
    ['backend/main.ts', 'backend/history/open.ts', 'main-only-starts'],
    ['backend/service-process.ts', 'backend/history/open.ts', 'main-only-starts'],
    ['backend/lib/retry.ts', 'backend/testing/fake-clock.ts', 'testing-stays-in-tests'],
    ['backend/computed/board/board.ts', '@duckdb/node-api', 'duckdb-behind-the-port'],
    ['backend/features/markets/markets.service.ts', 'kysely', 'sql-in-stores'],
    ['backend/lib/launch.ts', 'electron/window.ts', 'backend-knows-no-window'],
    ['electron/window.ts', 'backend/lib/clock.ts', 'electron-knows-no-backend'],
    ['e2e/terminal.spec.ts', 'backend/main.ts', 'e2e-from-outside'],
  ])('refuses %s importing %s', async (from, to, rule) => {
    expect(await brokenBy(importing(from, to))).toContain(rule)
  })

  it('allows a layer to import the types of a contract beside it, not its values', async () => {
    const files = importing('backend/computed/board/live-table.ts', 'backend/venues/connector.ts')
    expect(await brokenBy(files)).toEqual(['computed-imports-only-layers-below'])
  })

  it('refuses a cycle', async () => {
    const files = {
      'backend/domain/a.ts': "import { b } from './b.ts'\nexport const a = (): unknown => b\n",
      'backend/domain/b.ts': "import { a } from './a.ts'\nexport const b = (): unknown => a\n",
    }
    expect(await brokenBy(files)).toEqual(['no-cycles'])
  })

  it.each([
    ['backend/features/markets/markets.service.ts', 'backend/history/history-store.ts', 'import'],
    ['backend/ingest/pipeline.ts', 'backend/venues/connector.ts', 'import'],
    ['backend/features/theses/theses.store.ts', 'kysely', 'import'],
    ['backend/history/duckdb/open.ts', '@duckdb/node-api', 'import'],
    ['backend/app/compose.ts', 'backend/features/markets/markets.routes.ts', 'import'],
    ['backend/domain/prices/candle.test.ts', 'backend/testing/builders.ts', 'import'],
    ['backend/computed/board/live-table.ts', 'backend/venues/connector.ts', 'import type'],
    ['backend/contract/markets.ts', 'elysia', 'import'],
    ['backend/contract/markets.ts', 'backend/domain/candle.ts', 'import'],
    ['backend/features/markets/a.ts', 'backend/contract/markets.ts', 'import'],
    ['backend/http/presenters/row.ts', 'backend/contract/markets.ts', 'import'],
    ['backend/cli/markets.ts', 'backend/contract/markets.ts', 'import'],
    ['renderer/api/client.ts', 'backend/contract/markets.ts', 'import type'],
    ['renderer/api/client.ts', 'backend/contract/panels/panel-names.ts', 'import'],
    ['renderer/api/client.ts', 'backend/domain/candle.ts', 'import'],
    ['renderer/shell/desktop.ts', 'electron/bridge.ts', 'import type'],
  ])('lets %s import %s', async (from, to, how) => {
    expect(await brokenBy(importing(from, to, how))).toEqual([])
  })
})
