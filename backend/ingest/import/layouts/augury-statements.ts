import { canonicalTicker, VENUES, type Venue } from '../../../domain/market.ts'
import { venueName } from '../../../domain/venue.ts'
import type { SizeE6 } from '../../../domain/units.ts'
import { CHANGE_TYPES } from '../../../domain/changes/change-type.ts'
import { COVERAGE_FEEDS } from '../../../domain/coverage-feed.ts'
import { COVERAGE_STATES } from '../../../history/coverage.ts'
import { EXPORT_COLUMNS, exportedTrades, STAMP_COLUMNS } from './augury-export.ts'
import { cellsOf, RefusedRow, type Cells } from '../cells.ts'
import {
  requireValue,
  neededText,
  numberOf,
  choiceIn,
  priceIn,
  timeOf,
  wholeOf,
} from './exported-cells.ts'
import type { StatedChange, StatedCoverage, StatedCorrection, Statements } from '../import-host.ts'
import { textRows } from '../read-rows.ts'
import type { Table } from '../reader-database.ts'
import type { Reading, TableLayout } from '../reading.ts'

/**
 * The files of `augury export` that hold a history's statements beside ticks and facts. They are
 * read before ticks, so that a trade as printed is known before its correction.
 *
 *   changes      ts_ms, known_at_ms, change_id, change_type, before_number, before_text,
 *                after_number, after_text (at most one of each pair), delta
 *   coverage     known_at_ms, feed, state, from_ms, to_ms (null while it lasts), reason; the ticker is
 *                null for a statement about every market of the venue
 *   corrections  the columns of trades and `word`: printed, corrected or busted (without figures)
 */
const RANK = 2
const ROWS_PER_BATCH = 20_000
const STATEMENTS = ['printed', 'corrected', 'busted'] as const

const venueOf = (cells: Cells): Venue => requireValue(choiceIn(cells, 'venue', VENUES), 'venue')
const tickerOf = (cells: Cells): string => canonicalTicker(neededText(cells, 'ticker'))
const knownAtOf = (cells: Cells) => requireValue(timeOf(cells, 'known_at_ms'), 'known_at_ms')

function changeOf(cells: Cells): StatedChange {
  const [at, knownAt] = [requireValue(timeOf(cells, 'ts_ms'), 'ts_ms'), knownAtOf(cells)]
  return {
    venue: venueOf(cells),
    ticker: tickerOf(cells),
    id: neededText(cells, 'change_id'),
    type: requireValue(choiceIn(cells, 'change_type', CHANGE_TYPES), 'change_type'),
    at,
    ...(knownAt > at && { knownAt }),
    before: cells.text('before_text') ?? numberOf(cells, 'before_number'),
    after: cells.text('after_text') ?? numberOf(cells, 'after_number'),
    delta: numberOf(cells, 'delta'),
  }
}

function coverageOf(cells: Cells): StatedCoverage {
  const ticker = cells.text('ticker')
  const [from, to] = [requireValue(timeOf(cells, 'from_ms'), 'from_ms'), timeOf(cells, 'to_ms')]
  if (to !== null && to < from) throw new RefusedRow('to_ms is before from_ms')
  return {
    venue: venueOf(cells),
    ticker: ticker === null ? null : canonicalTicker(ticker),
    feed: requireValue(choiceIn(cells, 'feed', COVERAGE_FEEDS), 'feed'),
    state: requireValue(choiceIn(cells, 'state', COVERAGE_STATES), 'state'),
    from,
    to,
    knownAt: knownAtOf(cells),
    reason: cells.text('reason'),
  }
}

/** Null for a row that states how the trade was printed, because that row is a trade. */
function correctionIn(cells: Cells): StatedCorrection | null {
  const statement = requireValue(choiceIn(cells, 'word', STATEMENTS), 'word')
  if (statement === 'printed') return null
  const fields = {
    venue: venueOf(cells),
    ticker: tickerOf(cells),
    tradeId: neededText(cells, 'trade_id'),
    knownAt: knownAtOf(cells),
  }
  if (statement === 'busted') return { ...fields, corrected: null }
  const size = requireValue(wholeOf(cells, 'size_e6'), 'size_e6')
  if (size < 0) throw new RefusedRow('size_e6 is not an amount')
  return {
    ...fields,
    corrected: {
      ts: requireValue(timeOf(cells, 'ts_ms'), 'ts_ms'),
      price: requireValue(priceIn(cells, 'price_e4'), 'price_e4'),
      size: size as SizeE6,
      takerSide: choiceIn(cells, 'taker_side', ['yes', 'no']),
      isBlock: cells.flag('is_block') === true,
    },
  }
}

/** Reads a table row by row, in order, and passes on the statements of its rows. */
async function readStatements<S extends { readonly venue: Venue }>(
  table: Table,
  columns: readonly string[],
  reading: Reading,
  statementOf: (cells: Cells) => S | null,
  statementsOf: (rows: readonly S[]) => Statements,
): Promise<void> {
  const { tally, venue, dryRun, host, signal } = reading
  let pending: S[] = []
  const replay = async (): Promise<void> => {
    const rows = pending
    pending = []
    if (dryRun) tally.addRows(rows.length)
    else if (rows.length > 0) tally.settle(await host.storeStatements(statementsOf(rows)))
  }
  const rows = await textRows(table, columns, reading)
  for await (const chunk of rows.yieldRowObjectJs()) {
    signal.throwIfAborted()
    for (const row of chunk) {
      const number = Number(row['#'])
      try {
        const statement = statementOf(cellsOf(row))
        if (statement === null) continue
        if (venue === null || statement.venue === venue) pending.push(statement)
        else tally.refuse(`row belongs to another venue than ${venueName(venue)}`, 1, number)
      } catch (error) {
        if (!(error instanceof RefusedRow)) throw error
        tally.refuse(error.message, 1, number)
      }
    }
    if (pending.length >= ROWS_PER_BATCH) await replay()
  }
  await replay()
}

const layout = (
  name: string,
  columns: readonly string[],
  read: (table: Table, reading: Reading, columns: readonly string[]) => Promise<void>,
): TableLayout => ({
  name,
  venue: null,
  columns,
  rank: RANK,
  read: (table, reading) => read(table, reading, columns),
})

/** Layouts of the files of statements that `augury export` writes. */
export const exportedStatements: readonly TableLayout[] = [
  layout(
    'augury_changes',
    [
      'venue',
      'ticker',
      'ts_ms',
      'known_at_ms',
      'change_id',
      'change_type',
      'before_number',
      'before_text',
      'after_number',
      'after_text',
      'delta',
    ],
    (table, reading, columns) =>
      readStatements(table, columns, reading, changeOf, (changes) => ({ changes })),
  ),
  layout(
    'augury_coverage',
    ['venue', 'ticker', 'known_at_ms', 'feed', 'state', 'from_ms', 'to_ms', 'reason'],
    (table, reading, columns) =>
      readStatements(table, columns, reading, coverageOf, (coverage) => ({ coverage })),
  ),
  layout(
    'augury_corrections',
    [...STAMP_COLUMNS, ...EXPORT_COLUMNS.trades, 'word'],
    async (table, reading, columns) => {
      const printedSql = `(select * from ${table.from} where word::varchar = 'printed')`
      await exportedTrades.read({ ...table, from: printedSql }, reading)
      await readStatements(table, columns, reading, correctionIn, (corrections) => ({
        corrections,
      }))
    },
  ),
]
