import { DuckDBInstance } from '@duckdb/node-api'
import { DAY, HOUR, type Millis } from '../../../domain/units.ts'
import { StoreFailed } from '../../../lib/errors.ts'
import { silentLogger } from '../../../lib/logger.ts'
import type { MarketId } from '../../market-key.ts'
import type { HistoryTape, TapeKind, TapeTicks, TapeWindow } from '../../tape.ts'
import { openHistoryAt } from './history-at.ts'
import { orNull, readDoubles, readIntegers } from '../engine/columns.ts'
import { Session, Writer } from '../engine/connections.ts'
import { correctionsKnown } from '../ticks/corrections.ts'
import { statementsKnown } from '../coverage/coverage.ts'
import { quoteText, settingsOf } from '../engine/engine.ts'
import { recordsBetween } from '../facts/facts.ts'
import { HISTORY_SCHEMA } from '../migrations/migrations.ts'
import { PAST } from './point-in-time-views.ts'
import { MarketRegistry } from '../facts/registry.ts'
import { TICK_KINDS, type TickKind } from '../ticks/spans.ts'
import { storedSpan } from '../ticks/stored-span.ts'
import { TAPE_COLUMNS, TAPE_READERS } from './tape-columns.ts'

/** Target number of rows in a window; its duration is adapted to the previous window. */
const WINDOW_ROWS = 100_000
const [SHORTEST, LONGEST] = [HOUR / 4, DAY]

const windowSql = (kind: TickKind): string => `
  select market, ts::double, lag::double, origin, ${TAPE_COLUMNS[kind].join(', ')}
    from ${kind}_all
   where ts > $earliest and ts <= $until and ts + lag > $from and ts + lag <= $until
   order by ts + lag, ts, market, part, seq`

/**
 * Opens the history of a file as a tape: nothing is written to it, and other processes may read it
 * at the same time, though none may write. Histories that begin on it use the same engine, so that
 * closing one of them does not release the file lock.
 * @throws StoreFailed when another process has it open to write, or it cannot be read
 */
export async function openTape(path: string, memoryLimitMb: number): Promise<HistoryTape> {
  const instance = await DuckDBInstance.create(':memory:')
  const connection = await instance.connect()
  const session = new Session(connection)
  const openSession = async (): Promise<Session> => {
    const readConnection = await instance.connect()
    await readConnection.run(`use ${PAST}`)
    return new Session(readConnection)
  }
  const close = (): void => {
    session.close()
    instance.closeSync()
  }
  let isLocked = false
  const historyAt: HistoryTape['historyAt'] = async (at, startView) => {
    const options = { ...startView, memoryLimitMb }
    if (!isLocked) {
      for (const setting of settingsOf(startView.path, options)) await connection.run(setting)
      isLocked = true
    }
    return openHistoryAt(instance, at, options)
  }
  try {
    await connection.run(`set memory_limit = '${memoryLimitMb}MiB'`)
    // No spill folder is configured yet.
    await connection.run("set temp_directory = ''")
    await connection.run(`attach ${quoteText(path)} as ${PAST} (read_only)`)
    await connection.run(`use ${PAST}`)
    await refuseOtherSchema(session, path)
    // A tape registers no markets: the writer is never used.
    const registry = await MarketRegistry.load(session, new Writer(connection, silentLogger))
    const span = await storedSpan(session)
    const lags = await lagsOf(session)
    return {
      span,
      corrected: await correctedMarkets(session),
      keyOf: (market) => registry.keyOf(market),
      historyAt,
      windows: (from, to, kinds) => windowsOf({ openSession, registry, lags, kinds }, from, to),
      close,
    }
  } catch (error) {
    close()
    throw error instanceof StoreFailed
      ? error
      : new StoreFailed(`The history ${path} could not be opened to be read`, { cause: error })
  }
}

async function refuseOtherSchema(session: Session, path: string): Promise<void> {
  const [versionChunk] = await session.read(
    'select coalesce(max(number), 0)::double from schema_version',
  )
  const schema = versionChunk === undefined ? 0 : readDoubles(versionChunk, 0)[0]
  if (schema === HISTORY_SCHEMA) return
  throw new StoreFailed(
    `The history ${path} has schema ${schema}, this version reads ${HISTORY_SCHEMA}: start Augury on it once`,
  )
}

/** Largest lag of each kind's rows; a kind without rows is omitted. */
async function lagsOf(session: Session): Promise<ReadonlyMap<TickKind, number>> {
  const lags = new Map<TickKind, number>()
  for (const kind of TICK_KINDS) {
    const [maxChunk] = await session.read(
      `select coalesce(max(lag)::double, 'nan'::double) from ${kind}_all`,
    )
    const lag = orNull(maxChunk && readDoubles(maxChunk, 0)[0])
    if (lag !== null) lags.set(kind, lag)
  }
  return lags
}

async function correctedMarkets(session: Session): Promise<ReadonlySet<MarketId>> {
  const chunks = await session.read('select distinct market from trade_correction')
  return new Set(chunks.flatMap((chunk) => [...readIntegers(chunk, 0)]))
}

/** Ticks of a window and their tables. */
const KIND_OF: Readonly<Record<TapeKind, TickKind>> = {
  trades: 'trade',
  quotes: 'quote',
  books: 'book',
  candles: 'candle',
  activity: 'activity',
}

async function* windowsOf(
  tape: {
    readonly openSession: () => Promise<Session>
    readonly registry: MarketRegistry
    readonly lags: ReadonlyMap<TickKind, number>
    readonly kinds: readonly TapeKind[] | undefined
  },
  from: Millis,
  to: Millis,
): AsyncGenerator<TapeWindow, void, undefined> {
  const { registry, lags, kinds } = tape
  const session = await tape.openSession()
  try {
    let length: number = SHORTEST
    let start: number = from
    while (start < to) {
      const until = Math.min(to, start + length) as Millis
      const bounds = { from: start, until }
      const read = async <K extends TapeKind>(name: K): Promise<TapeTicks[K]> => {
        const kind = KIND_OF[name]
        const lag = kinds === undefined || kinds.includes(name) ? lags.get(kind) : undefined
        const chunks =
          lag === undefined
            ? []
            : await session.read(windowSql(kind), { ...bounds, earliest: start - lag - 1 })
        return TAPE_READERS[kind](chunks) as TapeTicks[K]
      }
      const ticks = {
        trades: await read('trades'),
        quotes: await read('quotes'),
        books: await read('books'),
        candles: await read('candles'),
        activity: await read('activity'),
      }
      const arrivalRange = { first: (start + 1) as Millis, last: until }
      yield {
        until,
        ticks,
        facts: await recordsBetween(session, registry, start as Millis, until),
        coverage: await statementsKnown(session, arrivalRange),
        corrections: await correctionsKnown(session, arrivalRange),
      }
      const rows = Object.values(ticks).reduce((sum, { market }) => sum + market.length, 0)
      if (rows < WINDOW_ROWS / 2) length = Math.min(LONGEST, length * 2)
      if (rows > WINDOW_ROWS * 2) length = Math.max(SHORTEST, length / 2)
      start = until
    }
  } finally {
    session.close()
  }
}
