import { HOUR, type Millis } from '../../backend/domain/units.ts'
import type { CoverageRow } from '../../backend/history/coverage.ts'
import type { CandleRow } from '../../backend/history/market-rows.ts'
import type { Stores } from '../../backend/app/stores.ts'
import { MARKETS } from './folder-image.ts'

/** Later than every bar. */
const FAR = 4_102_444_800_000 as Millis
const EVER = { from: 0 as Millis, to: Infinity as Millis, asOf: Infinity as Millis }

/** All results of a folder's stores, item by item; the key identifies the subject of an item. */
export interface Answers {
  /** Trades, quotes, facts and change events by `market|kind|time|id`. */
  readonly rows: ReadonlyMap<string, { readonly at: number; readonly text: string }>
  /** Hourly bars by `market|start`. */
  readonly candles: ReadonlyMap<string, CandleRow>
  readonly operational: ReadonlyMap<string, string>
  readonly gaps: readonly CoverageRow[]
}

export async function answersOf({ history, state }: Stores): Promise<Answers> {
  const rows = new Map<string, { at: number; text: string }>()
  const candles = new Map<string, CandleRow>()
  for (const { ticker } of MARKETS) {
    const market = history.marketIdOf(ticker)?.market
    if (market === undefined) continue
    const keep = (kind: string, at: number, id: string, value: unknown): void =>
      void rows.set(`${ticker}|${kind}|${at}|${id}`, { at, text: JSON.stringify(value) })
    for (const trade of await history.trades({ market, ...EVER })) {
      keep('trade', trade.ts, trade.tradeId, trade)
    }
    for (const quote of await history.quotes({ market, ...EVER }))
      keep('quote', quote.ts, '', quote)
    for (const { knownAt, facts } of await history.versionsOf(market, EVER.asOf)) {
      keep('facts', knownAt, '', facts)
    }
    const bars = await history.candles({
      market,
      width: HOUR,
      asOf: EVER.asOf,
      before: FAR,
      limit: 2_000,
    })
    for (const bar of bars) candles.set(`${ticker}|${bar.start}`, bar)
  }
  const since = { since: 0 as Millis, asOf: EVER.asOf, types: null, markets: null, after: null }
  for (const change of await history.changes({ ...since, limit: 1_000 })) {
    const { ticker } = history.keyOf(change.market)
    const { market: _number, ...fields } = change
    rows.set(`${ticker}|change|${change.at}|${change.id}`, {
      at: change.at,
      text: JSON.stringify(fields),
    })
  }
  const operational = new Map(
    (await state.selectFrom('import_run').selectAll().execute()).map(
      (row) => [row.id, JSON.stringify(row)] as const,
    ),
  )
  const gaps = await history.gaps({ ...EVER, venue: null, limit: 10_000 })
  return { rows, candles, operational, gaps }
}

/** Comparison of the results after damage with those before it. */
export interface Verdict {
  /** Nothing is missing or different. */
  readonly isSame: boolean
  /** Items that differ, or are missing without a report: each is a wrong result. */
  readonly wrong: readonly string[]
}

/**
 * Compares the results of a recovered folder with those before. A row may be missing inside a
 * recorded gap, an operational row or a fact when the damage was reported; nothing may ever differ.
 */
export function judge(before: Answers, after: Answers, isReported: boolean): Verdict {
  const wrong: string[] = []
  let isSame = true
  const inGap = (key: string, from: number, to: number): boolean => {
    const venue = MARKETS.find(({ ticker }) => key.startsWith(ticker))?.venue
    return after.gaps.some(
      (gap) => gap.venue === venue && gap.from <= from && (gap.to ?? Infinity) >= to,
    )
  }
  for (const [key, { at, text }] of before.rows) {
    const found = after.rows.get(key)
    if (found?.text === text) continue
    isSame = false
    const mayBeGone = /\|(facts|change)\|/.test(key) ? isReported : inGap(key, at, at + 1)
    if (found !== undefined || !mayBeGone) wrong.push(key)
  }
  for (const key of after.rows.keys()) if (!before.rows.has(key)) wrong.push(`new: ${key}`)
  for (const [key, bar] of before.candles) {
    const found = after.candles.get(key)
    const isGone = found === undefined && overlapsGap(after, bar)
    const isMarked = found?.crossesGap === true
    if (isGone || isMarked || JSON.stringify(found) === JSON.stringify(bar)) continue
    wrong.push(`candle ${key}`)
  }
  for (const [key, text] of before.operational) {
    const found = after.operational.get(key)
    if (found === text) continue
    isSame = false
    if (found !== undefined || !isReported) wrong.push(`operational ${key}`)
  }
  return { isSame, wrong }
}

const overlapsGap = ({ gaps }: Answers, { start }: CandleRow): boolean =>
  gaps.some((gap) => gap.from < start + HOUR && (gap.to ?? Infinity) > start)
