import type { Millis, PriceE4, SizeE6 } from '../../../domain/units.ts'
import { NO_PRICE } from '../../history-batch.ts'
import type { MarketId } from '../../market-key.ts'
import type { TradeCorrection, TradeRow } from '../../market-rows.ts'
import {
  bytes,
  flags,
  integers,
  readDoubles,
  readIntegers,
  readTexts,
  texts,
  wholes,
  type ColumnSource,
} from '../engine/columns.ts'
import type { Bounds, Session } from '../engine/connections.ts'

/**
 * The relation of trades as corrected by `$asOf`, replacing `trade_all`: a trade with a known
 * correction is replaced by its newest one, or removed when it was busted.
 */
export const CORRECTED_TRADES = `
  (select market, ts, lag, origin, trade_id, price, size, taker, is_block
     from trade_all
     anti join (select market, trade_id from trade_correction where known_at <= $asOf) as correction
       using (market, trade_id)
   union all
   select market, ts, greatest(known_at - ts, 0), 0, trade_id, price, size, taker, is_block
     from (select * from trade_correction where known_at <= $asOf
          qualify row_number() over (
            partition by market, trade_id order by known_at desc, rowid desc) = 1)
    where not is_busted)`

/** The relation of trades of one market: `trade_all` when nothing was corrected. */
export const tradesFrom = (isCorrected: boolean): string =>
  isCorrected ? CORRECTED_TRADES : 'trade_all'

/**
 * The same for reads of many markets: corrections and trade ids are looked up only for `$touched`.
 * No relation has the order of arrival.
 */
export const tradesOfMany = (isCorrected: boolean): string => {
  const columns = 'market, ts, lag, trade_id, price, size, taker, is_block'
  if (!isCorrected) return 'trade_all'
  return `
  (select ${columns} from trade_all where market not in (select unnest($touched))
   union all
   select ${columns} from ${CORRECTED_TRADES} where market in (select unnest($touched)))`
}

/**
 * Trade corrections of the venues, in memory: few markets have any, and the others are read
 * without looking for corrections.
 */
export class Corrections {
  readonly #byMarket = new Map<MarketId, TradeCorrection[]>()

  add(corrections: readonly TradeCorrection[]): void {
    for (const correction of corrections) {
      const marketCorrections = this.#byMarket.get(correction.market)
      if (marketCorrections === undefined) this.#byMarket.set(correction.market, [correction])
      else marketCorrections.push(correction)
    }
  }

  /** Whether any trade of the market was corrected by then. */
  touches(market: MarketId, asOf: Millis): boolean {
    return this.#byMarket.get(market)?.some((correction) => correction.knownAt <= asOf) ?? false
  }

  /** Whether a trade of any market was corrected by then. */
  hasAnyBy(asOf: Millis): boolean {
    for (const market of this.#byMarket.keys()) if (this.touches(market, asOf)) return true
    return false
  }

  /** Markets of which a trade was corrected by then. */
  marketsCorrectedBy(asOf: Millis): MarketId[] {
    return [...this.#byMarket.keys()].filter((market) => this.touches(market, asOf))
  }

  /** Markets of which a trade was corrected after one instant and by another. */
  marketsCorrectedBetween(after: Millis, asOf: Millis): MarketId[] {
    const matches = ({ knownAt }: TradeCorrection): boolean => knownAt > after && knownAt <= asOf
    return [...this.#byMarket].flatMap(([market, corrections]) =>
      corrections.some(matches) ? market : [],
    )
  }

  /** Markets with corrections known at any time. */
  markets(): IterableIterator<MarketId> {
    return this.#byMarket.keys()
  }

  /** The newest corrected figures of trades of a market, by id; busted trades have none. */
  figuresOf(market: MarketId): ReadonlyMap<string, TradeRow> {
    const figures = new Map<string, TradeRow>()
    const corrections = this.#byMarket.get(market) ?? []
    for (const { tradeId, corrected } of corrections.toSorted((a, b) => a.knownAt - b.knownAt)) {
      if (corrected !== null) figures.set(tradeId, { tradeId, ...corrected })
    }
    return figures
  }
}

const correctionsSql = (conditionSql: string): string => `
  select market, trade_id, known_at::double, is_busted::integer, coalesce(ts::double, 0),
         coalesce(price, ${NO_PRICE}), coalesce(size::double, 0), coalesce(taker, 0)::integer,
         coalesce(is_block, false)::integer
    from trade_correction where ${conditionSql} order by rowid`

/** All corrections, in the order appended. */
export const readCorrections = (session: Session): Promise<TradeCorrection[]> =>
  readWhere(session, 'true')

/** Corrections known within [first, last], in the order appended. */
export const correctionsKnown = (
  session: Session,
  span: { readonly first: Millis; readonly last: Millis },
): Promise<TradeCorrection[]> => readWhere(session, 'known_at between $first and $last', span)

async function readWhere(
  session: Session,
  conditionSql: string,
  values: Bounds = {},
): Promise<TradeCorrection[]> {
  const corrections: TradeCorrection[] = []
  for (const chunk of await session.read(correctionsSql(conditionSql), values)) {
    const ids = readTexts(chunk, 1)
    const [market, bustedIds, price] = [
      readIntegers(chunk, 0),
      readIntegers(chunk, 3),
      readIntegers(chunk, 5),
    ]
    const [taker, block] = [readIntegers(chunk, 7), readIntegers(chunk, 8)]
    const [knownAt, ts, size] = [
      readDoubles(chunk, 2),
      readDoubles(chunk, 4),
      readDoubles(chunk, 6),
    ]
    for (let i = 0; i < chunk.rowCount; i++) {
      corrections.push({
        market: market[i] ?? -1,
        tradeId: ids[i] ?? '',
        knownAt: knownAt[i] as Millis,
        corrected:
          bustedIds[i] === 1
            ? null
            : {
                ts: ts[i] as Millis,
                price: price[i] as PriceE4,
                size: size[i] as SizeE6,
                takerSide: sideOf(taker[i]),
                isBlock: block[i] === 1,
              },
      })
    }
  }
  return corrections
}

/** The taker side from its code: 0 unknown, 1 yes, 2 no. */
export const sideOf = (code: number | undefined): TradeRow['takerSide'] =>
  code === 1 ? 'yes' : code === 2 ? 'no' : null

const SIDE_CODES = { yes: 1, no: 2 } as const

export const correctionColumns = (corrections: readonly TradeCorrection[]): ColumnSource[] => {
  const figures = corrections.map((correction) => correction.corrected)
  return [
    integers(Int32Array.from(corrections, (correction) => correction.market)),
    texts(corrections.map((correction) => correction.tradeId)),
    wholes(Float64Array.from(corrections, (correction) => correction.knownAt)),
    flags(figures.map((row) => row === null)),
    wholes(Float64Array.from(figures, (row) => row?.ts ?? NaN)),
    integers(
      Int32Array.from(figures, (row) => row?.price ?? NO_PRICE),
      NO_PRICE,
    ),
    wholes(Float64Array.from(figures, (row) => row?.size ?? NaN)),
    bytes(Uint8Array.from(figures, (row) => (row?.takerSide ? SIDE_CODES[row.takerSide] : 0))),
    flags(figures.map((row) => row?.isBlock ?? false)),
  ]
}
