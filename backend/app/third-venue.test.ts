import { spawn, type ChildProcess } from 'node:child_process'
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { systemClock } from '../lib/clock.ts'
import { PACKAGE_ROOT } from '../lib/files/package-root.ts'

/** The row that CONTRIBUTING.md adds to the table, and its connector. */
const ROW = `{
  id: 'venue_c', name: 'Coin Exchange', letter: 'C', publicationDelay: 2_000 as Millis,
  fees: { model: 'schedule', rate: 0.5, exponent: 1, takerOnly: true },
  volumeUnit: 'contracts', followsTimetable: true, pauseCancelsOrders: false, socketsNeedKeys: false,
  credentialFields: API_KEY_FIELDS, hasAccountHistory: false,
},`
const IMPORT = "import { createVenueC } from '../testing/third-venue/connector.ts'\n"
const CONNECTOR = '  venue_c: ({ clock }) => createVenueC({ clock }),\n'
const TICKER = 'COIN-FLIP'
const HOUR = 3_600_000

let tree = ''
let url = ''
let service: ChildProcess | null = null

/** Puts a text before a mark that occurs once. */
async function insert(file: string, mark: string, text: string): Promise<void> {
  const path = join(tree, file)
  const source = await readFile(path, 'utf8')
  expect(source.split(mark), `${mark} in ${file}`).toHaveLength(2)
  await writeFile(path, source.replace(mark, `${text}${mark}`))
}

/** Runs a command of the tree's command line and resolves with its output. */
async function augury(...words: string[]): Promise<string> {
  const child = spawn(process.execPath, [join(tree, 'backend/cli/augury.mjs'), ...words], {
    env: { HOME: tree, AUGURY_DATA: join(tree, 'data'), AUGURY_API_URL: url },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let [out, err] = ['', '']
  child.stdout.on('data', (chunk: Buffer) => (out += chunk.toString()))
  child.stderr.on('data', (chunk: Buffer) => (err += chunk.toString()))
  const code = await new Promise((resolve) => child.once('exit', resolve))
  expect(code, `${words.join(' ')}\n${out}\n${err}`).toBe(0)
  return out
}

const get = async (path: string): Promise<unknown> =>
  (await fetch(`${url}${path}`, { headers: { accept: 'application/json' } })).json()

beforeAll(async () => {
  tree = await mkdtemp(join(tmpdir(), 'augury-third-venue-'))
  await cp(join(PACKAGE_ROOT, 'backend'), join(tree, 'backend'), { recursive: true })
  await cp(join(PACKAGE_ROOT, 'package.json'), join(tree, 'package.json'))
  await symlink(join(PACKAGE_ROOT, 'node_modules'), join(tree, 'node_modules'))
  await insert('backend/domain/venue.ts', '] as const satisfies', ROW)
  await insert('backend/venues/connectors.ts', 'import type { Venue }', IMPORT)
  await insert('backend/venues/connectors.ts', '}\n\n/** The connector of a venue', CONNECTOR)
  const flags = ['--source', 'demo', '--demo-markets', '20', '--port', '0']
  const child = spawn(
    process.execPath,
    [join(tree, 'backend/main.ts'), ...flags, '--data', join(tree, 'data')],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  )
  service = child
  const [line] = await new Promise<string[]>((resolve, reject) => {
    createInterface({ input: child.stdout }).once('line', (text) => resolve([text]))
    child.once('exit', (code) => reject(new Error(`the service ended with ${code}`)))
  })
  url = (JSON.parse(line ?? '') as { url: string }).url
  // Markets are listed once the past of the demo has been read.
  while (!(await fetch(`${url}/readyz`)).ok) await systemClock.sleep(100)
})
afterAll(async () => {
  const child = service
  if (child?.exitCode === null) {
    const exited = new Promise((resolve) => child.once('exit', resolve))
    child.kill('SIGTERM')
    await exited
  }
  await rm(tree, { recursive: true, force: true })
})

describe('a venue added by a row of the table and a connector', () => {
  it('is listed under its id, and found by its name', async () => {
    const page = { markets: [{ ticker: TICKER, venue: 'venue_c' }] }
    expect(await get('/api/public/markets?venue=venue_c')).toMatchObject(page)
    expect(await get('/api/public/markets?venue=coin%20exchange')).toMatchObject(page)
  })

  it('has candles of its trades', async () => {
    await expect
      .poll(() => get(`/api/public/market/${TICKER}/candles?tf=1h&limit=100`))
      .toMatchObject({ count: 48 })
  })

  it('shows its name on the command line', async () => {
    expect(await augury('markets', '--venue', 'coin exchange')).toMatch(/Coin Exchange +COIN-FLIP/)
  })

  it('has settings for its credentials', async () => {
    await augury('config', 'set', 'venueCKeyId', 'key-1')
    expect(await augury('config')).toBe('venueCKeyId: key-1\n')
  })

  it('appears in the health of the service', async () => {
    const { components } = (await get('/status')) as { components: { name: string }[] }
    expect(components.map(({ name }) => name)).toContain('venue_c')
  })

  it('takes part in backtests, and charges the fees of its row', async () => {
    const now = systemClock.now()
    const out = await augury(
      'backtest',
      'run',
      'buy-and-hold',
      '--market',
      TICKER,
      '--json',
      '--from',
      new Date(now - 40 * HOUR).toISOString(),
      '--to',
      new Date(now - HOUR).toISOString(),
    )
    const { report } = JSON.parse(out) as { report: { trades: number; fees: number } }
    // Ten contracts at 43¢: 10 × .5 × .43 × .57.
    expect(report).toMatchObject({ trades: 1, fees: 1.2255 })
  })
})
