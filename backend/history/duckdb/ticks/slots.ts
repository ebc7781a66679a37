import { MINUTE } from '../../../domain/units.ts'
import type { SlotColumns, SlotQuery } from '../../context-store.ts'
import { NO_PRICE } from '../../history-batch.ts'
import { readBytes, readDoubles, readIntegers } from '../engine/columns.ts'
import type { Session } from '../engine/connections.ts'
import { tradesOfMany, type Corrections } from './corrections.ts'

/** How long a quote is valid as the top of the book. */
const QUOTE_LIFETIME = 15 * MINUTE

/** Integer units of size × price in a dollar. */
const PER_DOLLAR = 1e10

const KNOWN_CONDITION = 'ts <= $asOf and ts + lag <= $asOf'
const SLOT = '(ts - $from - 1) // $step'
const IN_SLOTS = `ts > $from and ts <= $from + $step * $count and ${KNOWN_CONDITION}`

interface Shape {
  readonly isCorrected: boolean
  /** Only markets of `$markets`. */
  readonly isListed: boolean
  /** Slots shorter than a quote's validity: it is carried into later ones. */
  readonly isShort: boolean
}

const onlyListed = (isListed: boolean): string =>
  isListed ? 'and market in (select unnest($markets))' : ''

/** Trades by market and slot; the newest by (ts, trade id). */
const tradeSlotsQuery = ({ isCorrected, isListed }: Shape): string => `
  select market, ${SLOT} as slot,
         arg_max(price, (ts, trade_id)) filter (where not is_block) as last,
         count(*) filter (where not is_block) as trades,
         sum(size::hugeint * price) as money
    from ${tradesOfMany(isCorrected)}
   where ${IN_SLOTS} ${onlyListed(isListed)}
   group by market, slot`

/** Quotes of the last minutes of their slot, the newest of each by (ts, lag, arrival). */
const quotedInLong = ({ isListed }: Shape): string => `
  select market, ${SLOT} as slot,
         arg_max(struct_pack(bid, ask), (ts, lag, part, seq)) as quote
    from quote_all
   where ${IN_SLOTS} and $step - 1 - (ts - $from - 1) % $step < ${QUOTE_LIFETIME}
     ${onlyListed(isListed)}
   group by market, slot`

/**
 * Short slots: a quote is valid in those that end within its validity and before a newer quote.
 * Slots are counted from `$base`, whole slots before `$from`.
 */
const quotedInShort = ({ isListed }: Shape): string => `
  select market, quote,
         unnest(range(greatest(own, 0), least(
           $count, until, coalesce(lead(own) over (partition by market order by own), $count)
         ))) as slot
    from (select market, own, newest.quote as quote,
                 (newest.ts - $from + ${QUOTE_LIFETIME - 1}) // $step as until
            from (select market, (ts - $base - 1) // $step - $back as own,
                         arg_max(struct_pack(ts, quote := struct_pack(bid, ask)),
                           (ts, lag, part, seq)) as newest
                    from quote_all
                   where ts > $from + $step - ${QUOTE_LIFETIME} and ts <= $from + $step * $count
                     and ${KNOWN_CONDITION} ${onlyListed(isListed)}
                   group by market, own))`

/**
 * Bars by market and slot: the newest known version of each that is no wider than a slot; of
 * several published widths, the one with the largest sum.
 */
const barSlotsQuery = ({ isListed }: Shape): string => `
  select market, slot, max(money) as money
    from (select market, slot, width, sum(bar.volume::hugeint * bar.close) as money
            from (select market, ts, width, any_value(${SLOT}) as slot,
                         arg_max(struct_pack(close, volume), (lag, part, seq)) as bar
                    from candle_all
                   where ${IN_SLOTS} and width between 1 and $step ${onlyListed(isListed)}
                   group by market, ts, width)
           where bar.close is not null and bar.volume is not null
           group by market, slot, width)
   group by market, slot`

const slotsSql = (shape: Shape): string => `
  select market, slot::integer, coalesce(max(last), ${NO_PRICE}), max(is_quoted)::utinyint,
         coalesce(max(bid), ${NO_PRICE}), coalesce(max(ask), ${NO_PRICE}),
         max(trades)::integer, max(money)::double / ${PER_DOLLAR}
    from (select market, slot, last, 0 as is_quoted, null as bid, null as ask, trades, money
            from (${tradeSlotsQuery(shape)})
          union all
          select market, slot, null, 1, quote.bid, quote.ask, 0, 0
            from (${shape.isShort ? quotedInShort(shape) : quotedInLong(shape)})
          union all
          select market, slot, null, 0, null, null, 0, money from (${barSlotsQuery(shape)}))
   group by market, slot
   order by market, slot`

/** State of markets at the ends of slots; see the port. */
export async function slotsOf(
  session: Session,
  corrections: Corrections,
  { from, step, count, asOf, markets }: SlotQuery,
): Promise<SlotColumns> {
  let columns = emptySlots(0)
  if (count <= 0 || markets?.length === 0) return columns
  const correctedMarkets = corrections.marketsCorrectedBy(asOf)
  const isShort = step < QUOTE_LIFETIME
  const lookbackSteps = Math.ceil(QUOTE_LIFETIME / step)
  const shape = { isCorrected: correctedMarkets.length > 0, isListed: markets !== null, isShort }
  const values = {
    from,
    step,
    count,
    asOf,
    ...(correctedMarkets.length > 0 ? { touched: correctedMarkets } : {}),
    ...(isShort ? { back: lookbackSteps, base: from - lookbackSteps * step } : {}),
    ...(markets === null ? {} : { markets }),
  }
  await session.readBulk(
    slotsSql(shape),
    values,
    (rows) => (columns = emptySlots(rows)),
    (chunk, row) => {
      columns.market.set(readIntegers(chunk, 0), row)
      columns.slot.set(readIntegers(chunk, 1), row)
      columns.last.set(readIntegers(chunk, 2), row)
      columns.isQuoted.set(readBytes(chunk, 3), row)
      columns.bid.set(readIntegers(chunk, 4), row)
      columns.ask.set(readIntegers(chunk, 5), row)
      columns.trades.set(readIntegers(chunk, 6), row)
      columns.usd.set(readDoubles(chunk, 7), row)
    },
  )
  return columns
}

const emptySlots = (rows: number): SlotColumns => ({
  market: new Int32Array(rows),
  slot: new Int32Array(rows),
  last: new Int32Array(rows),
  isQuoted: new Uint8Array(rows),
  bid: new Int32Array(rows),
  ask: new Int32Array(rows),
  trades: new Int32Array(rows),
  usd: new Float64Array(rows),
})
