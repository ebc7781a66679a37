import type {
  ImportCounts,
  LedgerImported,
  LedgerPulled,
} from '../../../contract/orders/imports.ts'
import { MAX_IMPORTED_ROWS } from '../../../domain/portfolio/statement/book-statement.ts'
import { startedTick, type Tick } from '../../../domain/portfolio/tick.ts'
import { DAY, type Millis } from '../../../domain/units.ts'
import { BodyFields } from '../../../http/request/body-fields.ts'
import { rangeIn } from '../../../http/request/body-range.ts'
import type { Clock } from '../../../lib/clock.ts'
import { Conflict, InvalidInput, UpstreamFailed } from '../../../lib/errors.ts'
import { newId } from '../../../lib/ids.ts'
import type { OpenAccountHistory, VenuePage } from '../../../venues/trading.ts'
import { insertTick } from '../autopilot/ticks.store.ts'
import { eraseCredentials, type OpenCredentials } from '../credentials/open-credentials.ts'
import type { PortfolioStore } from '../portfolio.store.ts'
import { ImportFields } from './import-fields.ts'
import { IMPORT_FORMATS, type LedgerImports } from './import.service.ts'

const DEFAULT_SPAN = 90 * DAY
const MAX_PAGES = 100
const TIMEOUT = 100_000

export interface LedgerPull {
  /**
   * Reads the user's account at venue_a and books its fills and settlements.
   * @throws InvalidInput; Conflict without credentials or live data, or while a tick runs;
   *   UpstreamFailed when the venue does not answer
   */
  pull(userId: string, body: unknown): Promise<LedgerPulled>
}

/** Rows of the account, oldest first. */
interface ReadRows {
  readonly fills: readonly unknown[]
  readonly settlements: readonly unknown[]
}

/** Pulls what a user traded at venue_a, as a tick with trigger reconcile. */
export function createLedgerPull(deps: {
  readonly portfolios: PortfolioStore
  readonly imports: LedgerImports
  readonly openCredentials: OpenCredentials
  /** Opens accounts of the exchange; null unless the data is live. */
  readonly openHistory: () => OpenAccountHistory | null
  /** The tick that runs for a user; null for none. */
  readonly runningTick: (userId: string) => string | null
  /** Holds the lease of the user's ticks until the returned function is called. */
  readonly holdLease: (userId: string, tickId: string) => () => void
  readonly clock: Clock
}): LedgerPull {
  const { portfolios, imports, openCredentials, openHistory, clock } = deps

  const readAccount = async (
    userId: string,
    open: OpenAccountHistory,
    span: { readonly since: Millis; readonly until: Millis },
  ): Promise<ReadRows> => {
    const credentials = await openCredentials(userId, 'venue_a')
    if (credentials === null) throw new Conflict('no secrets found')
    const signal = AbortSignal.timeout(TIMEOUT)
    try {
      const account = open(credentials)
      const { since, until } = span
      return {
        fills: await allRows((cursor) => account.fills(since, cursor, signal), until, [
          'created_time',
          'ts',
        ]),
        settlements: await allRows((cursor) => account.settlements(since, cursor, signal), until, [
          'settled_time',
        ]),
      }
    } catch (error) {
      if (error instanceof InvalidInput) throw error
      // A message of a parser or of the venue could quote a key.
      throw new UpstreamFailed('Kalshi did not answer; check the credentials and try again')
    } finally {
      eraseCredentials(credentials)
    }
  }

  /** Books rows oldest first, until 2000 new ones of a kind are booked. */
  const bookAll = async (userId: string, { fills, settlements }: ReadRows, dryRun: boolean) => {
    const longest = Math.max(fills.length, settlements.length)
    let imported = await bookFrom(userId, { fills, settlements }, 0, dryRun)
    let at = MAX_IMPORTED_ROWS
    const isFull = ({ inserted }: LedgerImported): boolean =>
      Math.max(inserted.fills, inserted.settlements) >= MAX_IMPORTED_ROWS
    for (; at < longest && !isFull(imported); at += MAX_IMPORTED_ROWS) {
      const more = await bookFrom(userId, { fills, settlements }, at, dryRun)
      imported = {
        ...imported,
        received: sumOf(imported.received, more.received),
        inserted: sumOf(imported.inserted, more.inserted),
        duplicates: sumOf(imported.duplicates, more.duplicates),
        errors: [...imported.errors, ...more.errors],
      }
    }
    return { imported, truncated: at < longest }
  }
  /** Books the rows of each kind from a place on; errors keep their places. */
  const bookFrom = async (
    userId: string,
    { fills, settlements }: ReadRows,
    at: number,
    dryRun: boolean,
  ): Promise<LedgerImported> => {
    const partOf = (rows: readonly unknown[]) => rows.slice(at, at + MAX_IMPORTED_ROWS)
    const body = {
      fills: partOf(fills).map(importRow),
      settlements: partOf(settlements),
      dryRun,
    }
    const booked = await imports.importEntries(userId, IMPORT_FORMATS.venue_a, body)
    const errors = booked.errors.map((error) => ({ ...error, index: error.index + at }))
    return { ...booked, errors }
  }

  /** The tick that records the read; nothing is decided in it. */
  const recorded = async (
    userId: string,
    tick: Pick<Tick, 'id' | 'tickAt' | 'status' | 'handoffNote' | 'error'>,
  ): Promise<void> => {
    const { config } = await portfolios.read(userId)
    const now = clock.now()
    const { id, tickAt } = tick
    const { executionMode } = config
    const row: Tick = {
      ...startedTick({ id, userId, tickAt, trigger: 'reconcile', executionMode, mode: 'live' }),
      ...tick,
      phase: 'done',
      tickDurationMs: now - tickAt,
      finishedAt: now,
    }
    await portfolios.change(userId, {}, now, (transaction) => insertTick(transaction, row))
  }

  return {
    async pull(userId, body) {
      const fields = new BodyFields(body ?? {})
      const now = clock.now()
      const span = rangeIn(fields, now, DEFAULT_SPAN)
      const dryRun = fields.flag('dryRun') ?? false
      const open = openHistory()
      if (open === null) {
        throw new Conflict('the sample exchange has no account of yours: start with --source live')
      }
      const running = deps.runningTick(userId)
      if (running !== null) throw new Conflict('a tick runs', 'TICK_RUNNING', { tickId: running })
      const id = newId('pt', now)
      const release = deps.holdLease(userId, id)
      const started = { id, tickAt: now }
      try {
        const read = await readAccount(userId, open, span)
        const { imported, truncated } = await bookAll(userId, read, dryRun)
        const note = `${dryRun ? 'Checked' : 'Booked'} ${countText(imported.inserted)} of Kalshi; ${countText(imported.duplicates)} were booked before`
        await recorded(userId, { ...started, status: 'completed', handoffNote: note, error: null })
        return {
          ...imported,
          fetched: { fills: read.fills.length, settlements: read.settlements.length },
          truncated,
          tickId: id,
        }
      } catch (error) {
        if (error instanceof UpstreamFailed) {
          const { message } = error
          await recorded(userId, {
            ...started,
            status: 'failed',
            handoffNote: null,
            error: message,
          })
        }
        throw error
      } finally {
        release()
      }
    },
  }
}

const sumOf = (one: ImportCounts, other: ImportCounts): ImportCounts => ({
  fills: one.fills + other.fills,
  settlements: one.settlements + other.settlements,
})
const countText = ({ fills, settlements }: ImportCounts): string =>
  `${fills} ${fills === 1 ? 'fill' : 'fills'} and ${settlements} ${settlements === 1 ? 'settlement' : 'settlements'}`

/**
 * A fill as an import reads it: the venue names the side that the account gained, so that a sale of
 * YES is a purchase of NO.
 */
function importRow(row: unknown): unknown {
  const isGained = typeof row === 'object' && row !== null && 'outcome_side' in row
  return isGained && !('action' in row) ? { ...row, action: 'buy' } : row
}

/**
 * All rows of pages that are newest first, until an instant, oldest first. A row whose time cannot be
 * read is kept: the import reports it.
 */
async function allRows(
  page: (cursor: string | null) => Promise<VenuePage<unknown>>,
  until: Millis,
  times: readonly string[],
): Promise<unknown[]> {
  const rows: unknown[] = []
  let cursor: string | null = null
  for (let pages = 0; pages < MAX_PAGES; pages++) {
    const { rows: more, next }: VenuePage<unknown> = await page(cursor)
    rows.push(...more)
    cursor = next
    if (cursor === null) break
  }
  if (cursor !== null) {
    throw new InvalidInput('since: Kalshi has more rows than one pull reads; shorten the time')
  }
  return rows
    .map((row) => ({ row, at: timeIn(row, times) }))
    .filter(({ at }) => at === null || at <= until)
    .toSorted((one, other) => (one.at ?? 0) - (other.at ?? 0))
    .map(({ row }) => row)
}

function timeIn(row: unknown, names: readonly string[]): number | null {
  const value = new ImportFields(row).raw(...names)
  const at = typeof value === 'string' ? Date.parse(value) : NaN
  return Number.isNaN(at) ? null : at
}
