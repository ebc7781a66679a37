import { cpSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { DAY, HOUR, type Millis } from '../../backend/domain/units.ts'
import type { MarketId } from '../../backend/history/market-key.ts'
import { silentLogger } from '../../backend/lib/logger.ts'
import { openStores, type Stores } from '../../backend/app/stores.ts'
import { quoteColumns, tradeColumns } from '../../backend/testing/history-rows.ts'
import { InstantClock } from '../../backend/testing/instant-clock.ts'
import { marketFacts } from '../../backend/testing/market-facts.ts'

/** Number of closed days before the last, open one. */
const CLOSED_DAYS = 3
const ROWS_A_DAY = 600
export const MARKETS = [
  { venue: 'venue_a', ticker: 'KXONE-26DEC31' },
  { venue: 'venue_a', ticker: 'KXTWO-26DEC31' },
  {
    venue: 'venue_b',
    ticker: '0x00000000000000000000000000000000000000000000000000000000000000b1',
  },
] as const

/** Waiting for seconds takes no time on it; loops that wait for minutes never wake. */
export const imageClock = (): InstantClock => new InstantClock(10_000)

/**
 * Creates a data folder with three closed days, copied to Parquet, and part of an open one, and
 * three images of it: `older`, `killed`, copied while it was open and its newest rows were only in
 * the logs, and `clean`.
 */
export async function makeImages(root: string): Promise<void> {
  const folder = join(root, 'work')
  mkdirSync(folder, { recursive: true })
  const clock = imageClock()
  const stores = await openStores(folder, silentLogger, clock)
  const { history, upkeep } = stores
  const today = (Math.floor(clock.now() / DAY) * DAY) as Millis
  const markets = await history.marketIds(MARKETS)
  for (let back = CLOSED_DAYS; back >= 1; back--) {
    await appendDay(stores, markets, today - back * DAY, DAY / ROWS_A_DAY)
  }
  await history.sortClosedHours(today)
  await upkeep?.copies.copyDue(new AbortController().signal)
  // Sorted hours of the open day are in the file, newer ones only in the logs.
  await appendDay(stores, markets, today, (6 * HOUR) / ROWS_A_DAY)
  await history.sortClosedHours((today + 6 * HOUR) as Millis)
  await noteImports(stores, 0)
  await stores.close()
  cpSync(folder, join(root, 'older'), { recursive: true, preserveTimestamps: true })

  const again = await openStores(folder, silentLogger, clock)
  await appendDay(again, markets, today + 7 * HOUR, HOUR / ROWS_A_DAY)
  await appendDay(again, markets, today + 8 * HOUR, HOUR / ROWS_A_DAY)
  await noteImports(again, 20)
  cpSync(folder, join(root, 'killed'), { recursive: true, preserveTimestamps: true })
  await again.close()
  cpSync(folder, join(root, 'clean'), { recursive: true, preserveTimestamps: true })
}

async function appendDay(
  { history }: Stores,
  markets: readonly MarketId[],
  from: number,
  step: number,
): Promise<void> {
  const rows = Array.from({ length: ROWS_A_DAY }, (_, row) => row)
  await history.append({
    trades: tradeColumns(
      rows.map((row) => ({
        market: markets[row % markets.length] ?? 0,
        ts: from + row * step,
        tradeId: `${from}-${row}`,
        price: 1_000 + ((row * 37) % 500),
      })),
    ),
    quotes: quoteColumns(
      rows.map((row) => ({
        market: markets[row % markets.length] ?? 0,
        ts: from + row * step,
        bid: 900 + ((row * 31) % 400),
        ask: 1_500 + ((row * 29) % 400),
        bidSize: 1_000_000 + row,
        askSize: 2_000_000 + row,
      })),
    ),
    facts: MARKETS.map((key, index) => ({
      market: markets[index] ?? 0,
      knownAt: from as Millis,
      facts: marketFacts({ ...key, title: `As of ${from}: will it pass?` }),
    })),
    changes: markets.map((market) => ({
      id: `chg-${from}-${market}`,
      market,
      type: 'status_change',
      at: from as Millis,
      before: 'open',
      after: 'closed',
      delta: null,
    })),
  })
}

async function noteImports({ state }: Stores, first: number): Promise<void> {
  await state
    .insertInto('import_run')
    .values(
      Array.from({ length: 20 }, (_, index) => ({
        id: `imp-${first + index}`,
        state: 'done',
        files: JSON.stringify({ path: `file-${first + index}.csv`, rows: 1_000 + index }),
        started_at: 1_000 + index,
        ended_at: 2_000 + index,
        created_at: 500 + index,
      })),
    )
    .execute()
}
