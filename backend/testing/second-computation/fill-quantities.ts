import { executableEdge } from '../../domain/edges/thesis-edge.ts'
import { feeOfFill, feePerContract } from '../../domain/fees.ts'
import { executionOf } from '../../domain/prices/orderbook.ts'
import type { Cents, Millis, MoneyE6, PriceE4, SizeE6 } from '../../domain/units.ts'
import { computedTwice, type SecondComputation } from './computed-twice.ts'
import { feeA, feeB, LEVELS, levelsOf, schedule, side, terms, walked } from './drawn-levels.ts'
import { CENTS } from './shapes.ts'

/** Second computations of methodology A14 and A15. */
export const FILL_QUANTITIES: readonly SecondComputation[] = [
  computedTwice({
    name: 'executable price, slippage, executable edge',
    sections: ['A14', 'E2'],
    shape: { bids: LEVELS, asks: LEVELS, price: CENTS, spread: CENTS, fair: 'DOUBLE' },
    sql: `
      with read as (
        select *, bids is null as isUnknown, ${walked('asks')} as bought, ${walked('bids')} as sold,
               if(spread is null, 2, greatest(spread / 2, 1)) as cost from cases),
      priced as (
        select *, if(isUnknown, least(100, price + cost), bought) as b, if(isUnknown, greatest(0, price - cost), sold) as s,
               (bids[1].price + asks[1].price) / 2 as mid from read)
      select id, if(price is null and isUnknown, null, b) as b, if(isUnknown, if(price is null, null, cost), b - mid) as slippage,
             if(price is null and isUnknown, null, fair - b - ${feeA('b')}) as yes,
             if(price is null and isUnknown, null, s - fair - ${feeA('s')}) as no from priced`,
    decimals: { slippage: 4 },
    input: (draws) => {
      const { integer, nullable, chance } = draws
      const bid = integer(20, 60)
      const isKnown = chance(0.8)
      return {
        bids: isKnown ? side(draws, bid, -1) : null,
        asks: isKnown ? side(draws, bid + integer(1, 4), 1) : null,
        price: nullable(integer(1, 99)),
        spread: nullable(integer(1, 8)),
        fair: integer(1, 99),
      }
    },
    first: ({ bids, asks, price, spread, fair }) => {
      const book =
        bids === null || asks === null ? null : { bids: levelsOf(bids), asks: levelsOf(asks) }
      const market = { price: price as Cents | null, spread: spread as Cents | null }
      const { price: b, slippage } = executionOf('buy', 100, book, market)
      const worth = (held: 'yes' | 'no') =>
        executableEdge(fair as Cents, held, { ...market, book, fees: terms }).edge
      return {
        b,
        slippage,
        yes: worth('yes'),
        no: worth('no'),
      }
    },
  }),
  computedTwice({
    name: 'fees of fills',
    sections: ['A15'],
    shape: {
      fills: [{ price: 'INT', hundredths: 'INT', isBuy: 'BOOLEAN' }],
      times: 'INT',
      rate: 'INT',
    },
    // Integers throughout: money in 1e-6 dollars, contracts in hundredths, price in 1e-4 dollars.
    sql: `
      with recursive numbers as (
        select id, generate_subscripts(fills, 1) as i, unnest(fills) as f, times, rate, len(fills) as n from cases),
      models as (
        select *, (times * 7 * f.hundredths::hugeint * f.price * (10000 - f.price)) as exact,
               if(f.isBuy, -1, 1) * f.hundredths::hugeint * f.price as revenue from numbers),
      rounded as (select *, (exact + 999999) // 1000000 as model from models),
      charged as (
        select *, model + (((revenue - model) % 10000 + 10000) % 10000) as taken from rounded),
      orders as (
        select id, i, n, taken - 10000 * least((taken - model) // 10000, taken // 10000) as fee, (taken - model) % 10000 as rest, [(taken - 10000 * least((taken - model) // 10000, taken // 10000))::bigint] as fees
          from charged where i = 1
        union all
        select id, i, n, fee, rest, list_append(fees, fee::bigint) from (
          select o.id, c.i, o.n, fees, c.taken - 10000 * least((o.rest + c.taken - c.model) // 10000, c.taken // 10000) as fee,
                 o.rest + c.taken - c.model - 10000 * least((o.rest + c.taken - c.model) // 10000, c.taken // 10000) as rest
            from orders as o join charged as c on c.id = o.id and c.i = o.i + 1)),
      scheduled as (
        select id, list((rate * f.hundredths::hugeint * f.price * (10000 - f.price) // 1000000 // 10 * 10)::bigint order by i) as schedule from numbers group by id)
      select id, fees, schedule from orders join scheduled using (id) where i = n`,
    input: ({ list, integer, pick, chance }) => ({
      fills: list(1, 4, () => ({
        price: integer(1, 99) * pick([1, 100]),
        hundredths: integer(1, 20_000),
        isBuy: chance(0.6),
      })),
      times: pick([1, 1, 2]),
      rate: pick([4, 5]),
    }),
    first: ({ fills, times, rate }) => {
      let accumulator = 0 as MoneyE6
      const fees: number[] = []
      const scheduled: number[] = []
      for (const { price, hundredths, isBuy } of fills) {
        const fill = {
          at: 0 as Millis,
          role: 'taker' as const,
          side: isBuy ? ('buy' as const) : ('sell' as const),
          price: price as PriceE4,
          size: (hundredths * 10_000) as SizeE6,
        }
        const charged = feeOfFill({ ...terms, multiplier: times }, fill, accumulator)
        accumulator = charged.accumulator
        fees.push(charged.fee)
        scheduled.push(feeOfFill({ ...schedule, rate: rate / 100 }, fill).fee)
      }
      return { fees, schedule: scheduled }
    },
  }),
  computedTwice({
    name: 'fee of a contract inside edges',
    sections: ['A15'],
    shape: { price: 'DOUBLE' },
    sql: `select id, ${feeA('price')} as a, ${feeB('price')} as b from cases`,
    input: ({ cents }) => ({ price: cents(0, 100) }),
    first: ({ price }) => ({
      a: feePerContract(terms, price as Cents),
      b: feePerContract(schedule, price as Cents),
    }),
  }),
]
