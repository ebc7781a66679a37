/**
 * `npm run bench [-- NAME… [--minutes N]]`: measures each subject beside a baseline taken in the same run, prints the
 * table and keeps it in `bench/results`. Never a test: a slow machine makes a slow figure, not a failure.
 */
import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { availableParallelism, loadavg } from 'node:os'
import { fileURLToPath } from 'node:url'
import { systemClock } from '../backend/lib/clock.ts'
import { benchAlerts } from './alerts.ts'
import { benchBacktest } from './backtest.ts'
import type { BenchRow } from './bench-row.ts'
import { benchContextLoad } from './context-load.ts'
import { benchContext } from './context.ts'
import { benchDemo } from './demo.ts'
import { benchFinder } from './finder.ts'
import { benchHistory } from './history-rows.ts'
import { benchHttp } from './http.ts'
import { benchImport } from './import.ts'
import { benchIsolation } from './isolation.ts'
import { benchKeys } from './keys.ts'
import { benchIngest } from './ingest.ts'
import { benchMarketWatch } from './market-watch.ts'
import { benchPage } from './page.ts'
import { benchPairs } from './pairs.ts'
import { benchPortfolio } from './portfolio.ts'
import { benchQuery } from './query.ts'
import { benchReopen } from './reopen.ts'
import { benchReplay } from './replay.ts'
import { benchSocket } from './socket.ts'
import { benchStart } from './start.ts'
import { benchTheses } from './theses.ts'
import { benchTerminal } from './terminal.ts'
import { benchWebhooks } from './webhooks.ts'

const BENCHES: Record<string, () => Promise<BenchRow[]>> = {
  start: () => benchStart(),
  http: benchHttp,
  keys: benchKeys,
  socket: benchSocket,
  history: benchHistory,
  ingest: benchIngest,
  isolation: benchIsolation,
  reopen: benchReopen,
  context: benchContext,
  'context-load': benchContextLoad,
  query: benchQuery,
  finder: benchFinder,
  theses: benchTheses,
  pairs: benchPairs,
  portfolio: benchPortfolio,
  alerts: benchAlerts,
  webhooks: benchWebhooks,
  'market-watch': benchMarketWatch,
  backtest: benchBacktest,
  replay: benchReplay,
  demo: benchDemo,
  page: benchPage,
  terminal: () => benchTerminal(minutes),
  import: () => benchImport(),
}
const NO_BASELINE = 'no baseline'
const RESULTS = fileURLToPath(new URL('./results', import.meta.url))

const names = process.argv.slice(2)
const place = names.indexOf('--minutes')
/** Length of the terminal's soak. */
const minutes = place === -1 ? undefined : Number(names[place + 1])
const requested = place === -1 ? names : names.toSpliced(place, 2)
const unknown = requested.filter((name) => !(name in BENCHES))
if (unknown.length > 0) {
  process.stderr.write(
    `No such bench: ${unknown.join(', ')}. There are ${Object.keys(BENCHES).join(', ')}.\n`,
  )
  process.exit(2)
}

interface Measured extends BenchRow {
  readonly bench: string
  /** Load average of the machine when the row was measured. */
  readonly load: number
}
mkdirSync(RESULTS, { recursive: true })
const rows: Measured[] = []
for (const [bench, measure] of Object.entries(BENCHES)) {
  if (requested.length > 0 && !requested.includes(bench)) continue
  process.stderr.write(`${bench} …\n`)
  const measured: Measured[] = (await measure()).map((row) => ({
    ...row,
    bench,
    load: Math.round((loadavg()[0] ?? 0) * 10) / 10,
  }))
  // Stored at once: a later bench may fail.
  storeResult(bench, measured)
  rows.push(...measured)
}

const short = (value: number | null): string => {
  if (value === null) return '–'
  return Math.abs(value) >= 1_000 ? Math.round(value).toLocaleString('en') : value.toPrecision(3)
}
const table = [
  '| subject | ours | baseline | unit | ratio | goal | load | note |',
  '|---|---:|---:|---|---:|---|---:|---|',
  ...rows.map(
    (row) =>
      `| ${row.name} | ${short(row.ours)} | ${row.baseline === null ? NO_BASELINE : short(row.baseline)} | ${row.unit} | ${short(row.ratio)} | ${row.goal} | ${row.load} | ${row.note ?? ''} |`,
  ),
].join('\n')
process.stdout.write(`${table}\n`)

function storeResult(bench: string, measured: readonly Measured[]): void {
  const commit = gitText('rev-parse', '--short', 'HEAD')
  const isChanged =
    gitText('status', '--porcelain', '--untracked-files=no', '--', ':!bench/results') !== ''
  const result = {
    commit: isChanged ? `${commit} with changes` : commit,
    date: new Date(systemClock.now()).toISOString(),
    machine: { cores: availableParallelism(), node: process.version, platform: process.platform },
    rows: measured.map((row) => ({ ...row, baseline: row.baseline ?? NO_BASELINE })),
  }
  writeFileSync(`${RESULTS}/${bench}.json`, `${JSON.stringify(result, null, 2)}\n`)
}

function gitText(...args: string[]): string {
  return execFileSync('git', args, { encoding: 'utf8' }).trim()
}
