import type {
  ImportCounts,
  LedgerImported,
  LedgerPulled,
} from '../../../contract/orders/imports.ts'
import { MAX_IMPORTED_ROWS } from '../../../domain/portfolio/statement/book-statement.ts'
import type { Mode } from '../../../domain/portfolio/ledger.ts'
import { startedTick, type Tick } from '../../../domain/portfolio/tick.ts'
import { DAY, type Millis } from '../../../domain/units.ts'
import { BodyFields } from '../../../http/request/body-fields.ts'
import { rangeIn } from '../../../http/request/body-range.ts'
import type { Clock } from '../../../lib/clock.ts'
import { Conflict, InvalidInput, UpstreamFailed } from '../../../lib/errors.ts'
import { newId } from '../../../lib/ids.ts'
import type { PerUserQueue } from '../../../lib/per-user-queue.ts'
import { eraseSecrets } from '../../../lib/secret-buffers.ts'
import type { OpenAccountHistory, OpenCredentials, VenuePage } from '../../../venues/trading.ts'
import type { TickLeases } from '../autopilot/tick-leases.ts'
import { insertTick } from '../autopilot/ticks.store.ts'
import type { PortfolioStore } from '../portfolio.store.ts'
import { ImportFields } from './import-fields.ts'
import { IMPORT_FORMATS, type ImportAccount, type LedgerImports } from './import.service.ts'

const DEFAULT_SPAN = 90 * DAY
const MAX_PAGES = 100
const TIMEOUT = 100_000

export interface LedgerPull {
  /**
   * Reads the user's account at venue_a and books its fills and settlements.
   * @throws InvalidInput; Conflict without credentials or a venue, or while a tick runs;
   *   UpstreamFailed when the venue refuses or does not answer
   */
  pull(userId: string, body: unknown): Promise<LedgerPulled>
}

/** History of accounts at venue_a, and the mode in which it is booked: paper for the simulated venue. */
export interface HistorySource {
  readonly open: OpenAccountHistory
  readonly mode: Mode
}

/** Rows of the account, oldest first. */
interface ReadRows {
  readonly fills: readonly unknown[]
  readonly settlements: readonly unknown[]
}

/** Pulls the trades of a user at venue_a, as a tick with trigger reconcile. */
export function createLedgerPull(deps: {
  readonly portfolios: PortfolioStore
  readonly imports: LedgerImports
  readonly openCredentials: OpenCredentials
  /** Null for a source without venues. */
  readonly openHistory: () => HistorySource | null
  readonly leases: TickLeases
  readonly userQueue: PerUserQueue
  /** Rows were booked in the paper account of a user. */
  readonly onPaperBooked: (userId: string) => void
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
      throw pullFailure(error)
    } finally {
      eraseSecrets(credentials)
    }
  }

  /** Books rows oldest first, until 2000 new ones of a kind are booked. */
  const bookAll = async (account: BookedAccount, rows: ReadRows, dryRun: boolean) => {
    const longest = Math.max(rows.fills.length, rows.settlements.length)
    let importResult = await bookFrom(account, rows, 0, dryRun)
    let offset = MAX_IMPORTED_ROWS
    const isFull = ({ inserted }: LedgerImported): boolean =>
      Math.max(inserted.fills, inserted.settlements) >= MAX_IMPORTED_ROWS
    for (; offset < longest && !isFull(importResult); offset += MAX_IMPORTED_ROWS) {
      const batch = await bookFrom(account, rows, offset, dryRun)
      importResult = {
        ...importResult,
        received: sumOf(importResult.received, batch.received),
        inserted: sumOf(importResult.inserted, batch.inserted),
        duplicates: sumOf(importResult.duplicates, batch.duplicates),
        errors: [...importResult.errors, ...batch.errors],
      }
    }
    return { imported: importResult, truncated: offset < longest }
  }
  /** Books a batch of each kind from an offset on; errors have the indices of all rows. */
  const bookFrom = async (
    { userId, ...account }: BookedAccount,
    { fills, settlements }: ReadRows,
    offset: number,
    dryRun: boolean,
  ): Promise<LedgerImported> => {
    const batchOf = (all: readonly unknown[]) => all.slice(offset, offset + MAX_IMPORTED_ROWS)
    const body = {
      fills: batchOf(fills),
      settlements: batchOf(settlements),
      dryRun,
    }
    const importResult = await imports.importEntries(userId, IMPORT_FORMATS.venue_a, body, account)
    const errors = importResult.errors.map((error) => ({ ...error, index: error.index + offset }))
    return { ...importResult, errors }
  }

  /** The tick that records the read; nothing is decided in it. */
  const recordTick = async (
    userId: string,
    tick: Pick<Tick, 'id' | 'tickAt' | 'mode' | 'status' | 'handoffNote' | 'error'>,
  ): Promise<void> => {
    const { config } = await portfolios.read(userId)
    const now = clock.now()
    const { id, tickAt, mode } = tick
    const { executionMode } = config
    const row: Tick = {
      ...startedTick({ id, userId, tickAt, trigger: 'reconcile', executionMode, mode }),
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
      const source = openHistory()
      if (source === null) {
        throw new Conflict(
          'this data has no exchange to read: start with --source live or --source demo',
        )
      }
      const { open, mode } = source
      const id = newId('pt', now)
      const release = deps.leases.take(userId, id)
      if (release === null) {
        const tickHolder = { tickId: deps.leases.holder(userId) }
        throw new Conflict('a tick is running', 'TICK_RUNNING', tickHolder)
      }
      const tickFields = { id, tickAt: now, mode }
      try {
        const rows = await readAccount(userId, open, span)
        const { paperEpoch } = await portfolios.read(userId)
        const account = { userId, mode, epoch: mode === 'paper' ? paperEpoch : 0 }
        const { imported, truncated } = await deps.userQueue.run(userId, async () => {
          const importResult = await bookAll(account, rows, dryRun)
          if (mode === 'paper' && !dryRun) deps.onPaperBooked(userId)
          return importResult
        })
        const note = `${dryRun ? 'Checked' : 'Booked'} ${countText(imported.inserted)} of Kalshi; ${countText(imported.duplicates)} were booked before`
        await recordTick(userId, {
          ...tickFields,
          status: 'completed',
          handoffNote: note,
          error: null,
        })
        return {
          ...imported,
          fetched: { fills: rows.fills.length, settlements: rows.settlements.length },
          truncated,
          tickId: id,
        }
      } catch (error) {
        if (error instanceof UpstreamFailed) {
          const { message } = error
          await recordTick(userId, {
            ...tickFields,
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

type BookedAccount = ImportAccount & { readonly userId: string }

/** The cause as a text of the service: a message of a parser or of the venue could quote a key. */
function pullFailure(error: unknown): UpstreamFailed {
  const status = statusOf(error)
  if (status === undefined) {
    return new UpstreamFailed(
      'the private key of Kalshi cannot sign; store the credentials again with the whole PEM',
    )
  }
  if (status === 401 || status === 403) {
    return new UpstreamFailed(
      `Kalshi refused the credentials (${status}); check that the key id belongs to the private key, and store them again`,
    )
  }
  if (status === 429) {
    return new UpstreamFailed(
      'Kalshi limits the requests of this account (429); wait a minute and pull again',
    )
  }
  const reason = status === null ? 'did not answer' : `failed (${status})`
  return new UpstreamFailed(`Kalshi ${reason}; nothing was booked, try again later`)
}

/** Status of a failure of the venue, null without an answer; undefined for other errors. */
function statusOf(error: unknown): number | null | undefined {
  if (!(error instanceof Error) || !('status' in error)) return undefined
  return typeof error.status === 'number' ? error.status : null
}

const sumOf = (first: ImportCounts, other: ImportCounts): ImportCounts => ({
  fills: first.fills + other.fills,
  settlements: first.settlements + other.settlements,
})
const countText = ({ fills, settlements }: ImportCounts): string =>
  `${fills} ${fills === 1 ? 'fill' : 'fills'} and ${settlements} ${settlements === 1 ? 'settlement' : 'settlements'}`

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
    const { rows: pageRows, next }: VenuePage<unknown> = await page(cursor)
    rows.push(...pageRows)
    cursor = next
    if (cursor === null) break
  }
  if (cursor !== null) {
    throw new InvalidInput('since: Kalshi has more rows than one pull reads; shorten the time')
  }
  return rows
    .map((row) => ({ row, at: timeIn(row, times) }))
    .filter(({ at }) => at === null || at <= until)
    .toSorted((left, right) => (left.at ?? 0) - (right.at ?? 0))
    .map(({ row }) => row)
}

function timeIn(row: unknown, names: readonly string[]): number | null {
  const value = new ImportFields(row).raw(...names)
  const at = typeof value === 'string' ? Date.parse(value) : NaN
  return Number.isNaN(at) ? null : at
}
