import { existsSync } from 'node:fs'
import { mkdir, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { ReportTrade } from '../../domain/backtest/report/report.ts'
import { reportHtml } from '../../domain/backtest/report/report-html.ts'
import type { Study, Trial } from '../../domain/backtest/studies/study.ts'
import type { Millis } from '../../domain/units.ts'
import {
  readParquet,
  writeParquet,
  type WrittenColumn,
} from '../../history/duckdb/imports/parquet-file.ts'
import { NotFound } from '../../lib/errors.ts'
import type { RunDone as DoneRun } from './strategy-host.ts'

/** Parts of a result that are written to files. */
export type WrittenRun = Pick<DoneRun, 'report' | 'fills' | 'samples' | 'tickers' | 'tags'>

/** Files of a run, in the order in which they are listed. */
export const RESULT_FILES = [
  'report.html',
  'report.json',
  'trades.csv',
  'trades.parquet',
  'equity.csv',
  'equity.parquet',
  'trials.csv',
] as const

/** Writes the files of a run into a folder, atomically. */
export async function writeResult(folder: string, writtenRun: WrittenRun): Promise<void> {
  const partFolder = `${folder}.part`
  await rm(partFolder, { recursive: true, force: true })
  await mkdir(partFolder, { recursive: true })
  const [trades, equity] = [tradeColumns(writtenRun), equityColumns(writtenRun)]
  await writeFile(
    join(partFolder, 'report.json'),
    `${JSON.stringify(writtenRun.report, null, 2)}\n`,
  )
  await writeFile(join(partFolder, 'report.html'), reportHtml(writtenRun.report))
  await writeFile(join(partFolder, 'trades.csv'), csvOf(trades))
  await writeFile(join(partFolder, 'equity.csv'), csvOf(equity))
  const { study } = writtenRun.report
  if (study !== null) await writeFile(join(partFolder, 'trials.csv'), csvOf(trialColumns(study)))
  await writeParquet(join(partFolder, TRADES), trades)
  await writeParquet(join(partFolder, 'equity.parquet'), equity)
  await rm(folder, { recursive: true, force: true })
  await rename(partFolder, folder)
}

const TRADES = 'trades.parquet'
/** Columns of `trades.parquet` that a list of trades shows. */
const LISTED = {
  at_ms: 'number',
  ticker: 'text',
  action: 'text',
  side: 'text',
  role: 'text',
  price_e4: 'number',
  size_e6: 'number',
  fee_e6: 'number',
  estimated: 'number',
  tag: 'text',
} as const

/**
 * Trades of a run in a folder, oldest first: at most `count`, starting at `first`. Rejects with
 * NotFound when the files were removed.
 */
export async function readTrades(
  folder: string,
  page: { readonly first: number; readonly count: number },
): Promise<ReportTrade[]> {
  const file = join(folder, TRADES)
  if (!existsSync(file))
    throw new NotFound('The trades of this backtest are no longer in its folder')
  const rows = await readParquet(file, LISTED, page)
  return rows.at_ms.map((at, i) => ({
    at: at as Millis,
    ticker: rows.ticker[i] as string,
    action: rows.action[i] as 'buy' | 'sell',
    side: rows.side[i] as 'yes' | 'no',
    role: rows.role[i] as 'taker' | 'maker',
    price: (rows.price_e4[i] as number) / 100,
    contracts: (rows.size_e6[i] as number) / 1e6,
    fee: (rows.fee_e6[i] as number) / 1e6,
    isEstimated: rows.estimated[i] === 1,
    tag: rows.tag[i] as string,
  }))
}

/**
 * Fills in the units of the store: prices in 1e-4 dollars, sizes in 1e-6 contracts, money in 1e-6
 * dollars.
 */
function tradeColumns({ fills, tickers, tags }: WrittenRun): WrittenColumn[] {
  const fillColumn = (name: string): Float64Array => fills[name] ?? new Float64Array()
  const textColumn = (name: string, format: (value: number) => string): string[] =>
    Array.from(fillColumn(name), (value) => format(value))
  return [
    { name: 'at_ms', kind: 'whole', values: fillColumn('at') },
    { name: 'order', kind: 'whole', values: fillColumn('order') },
    {
      name: 'ticker',
      kind: 'text',
      values: textColumn('market', (market) => tickers[market] ?? ''),
    },
    {
      name: 'action',
      kind: 'text',
      values: textColumn('isBuy', (is) => (is === 1 ? 'buy' : 'sell')),
    },
    { name: 'side', kind: 'text', values: textColumn('isYes', (is) => (is === 1 ? 'yes' : 'no')) },
    {
      name: 'role',
      kind: 'text',
      values: textColumn('isMaker', (is) => (is === 1 ? 'maker' : 'taker')),
    },
    { name: 'price_e4', kind: 'whole', values: fillColumn('price') },
    { name: 'size_e6', kind: 'whole', values: fillColumn('size') },
    { name: 'fee_e6', kind: 'whole', values: fillColumn('fee') },
    { name: 'estimated', kind: 'whole', values: fillColumn('isEstimated') },
    { name: 'decided_at_ms', kind: 'whole', values: fillColumn('decidedAt') },
    { name: 'tag', kind: 'text', values: textColumn('tag', (tag) => tags[tag] ?? '') },
  ]
}

function equityColumns({ samples }: WrittenRun): WrittenColumn[] {
  const sampleColumn = (name: string): Float64Array => samples[name] ?? new Float64Array()
  return [
    { name: 'at_ms', kind: 'whole', values: sampleColumn('at') },
    { name: 'equity_e6', kind: 'whole', values: sampleColumn('equity') },
    { name: 'cash_e6', kind: 'whole', values: sampleColumn('cash') },
    { name: 'cost_e6', kind: 'whole', values: sampleColumn('cost') },
  ]
}

/** Every trial of a study, including abandoned ones. */
function trialColumns({ axes, trials }: Study): WrittenColumn[] {
  const columnOf = (name: string, valueOf: (trial: Trial) => unknown): WrittenColumn => ({
    name,
    kind: 'text',
    values: trials.map((trial) => cellText(valueOf(trial))),
  })
  return [
    columnOf('fold', ({ fold }) => fold),
    columnOf('state', ({ state }) => state),
    ...axes.map(({ name }) => columnOf(`param_${name}`, ({ params }) => params[name])),
    columnOf('days', ({ days }) => days),
    columnOf('trades', ({ trades }) => trades),
    columnOf('profit_usd', ({ profit }) => profit),
    columnOf('sharpe_daily', ({ score }) => score),
    columnOf('median_of_neighbours', ({ median }) => median),
    columnOf('neighbours', ({ neighbours }) => neighbours),
    columnOf('error', ({ error }) => error),
  ]
}

const cellText = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
    ? String(value)
    : ''

/** A cell that a spreadsheet would interpret as a formula is prefixed with an apostrophe. */
export const cellOf = (text: string): string => {
  const isNumber = /^[+-]\d+(?:\.\d+)?(?:e[+-]?\d+)?$/i.test(text)
  const safe = !isNumber && /^[=+\-@\t\r]/.test(text) ? `'${text}` : text
  return /[",\n\r]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

function csvOf(columns: readonly WrittenColumn[]): string {
  const count = columns[0]?.values.length ?? 0
  const lines = [columns.map(({ name }) => cellOf(name)).join(',')]
  for (let row = 0; row < count; row++) {
    lines.push(
      columns
        .map((column) =>
          column.kind === 'text' ? cellOf(column.values[row] ?? '') : String(column.values[row]),
        )
        .join(','),
    )
  }
  return `${lines.join('\n')}\n`
}
