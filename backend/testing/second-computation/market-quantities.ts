import { changeRates, changeRows, QUARTER_HOUR } from '../../domain/changes/change-rows.ts'
import { expectedEdge } from '../../domain/prices/expected-edge.ts'
import {
  adjustedYield,
  cliffRatio,
  crossVenueRatio,
  impliedYieldNo,
  impliedYieldYes,
  liquidityAdjustedSpread,
  normalizedMarks,
  overround,
  tauAt,
  tauDays,
} from '../../domain/prices/indicators.ts'
import { depthUsd, liquidityScore } from '../../domain/liquidity/liquidity.ts'
import type { BookLevel } from '../../domain/market.ts'
import { volatilityPerRootHour } from '../../domain/prices/mark-volatility.ts'
import {
  headlinePrice,
  markOf,
  settledPrice,
  spreadOf,
  usableBook,
} from '../../domain/prices/price.ts'
import { HOUR, type Cents, type Millis, type PriceE4, type SizeE6 } from '../../domain/units.ts'
import { volumeUsd } from '../../domain/liquidity/volume.ts'
import { computedTwice, type SecondComputation } from './computed-twice.ts'
import { CENTS } from './shapes.ts'

const T0 = Date.UTC(2026, 10, 20)

/** Second computations of methodology 0.3 and A1 to A8, A17. */
export const MARKET_QUANTITIES: readonly SecondComputation[] = [
  computedTwice({
    name: 'dollar volume',
    sections: ['0.3'],
    shape: {
      volume: 'DOUBLE',
      unit: 'TEXT',
      price: CENTS,
    },
    sql: `select id, case when unit = 'usd' then volume else volume * price / 100 end as volumeUsd
            from cases`,
    input: ({ nullable, pick, cents, integer }) => ({
      volume: nullable(integer(0, 100_000)),
      unit: pick(['contracts', 'usd'] as const),
      price: nullable(cents(0, 100)),
    }),
    first: ({ volume, unit, price }) => ({
      volumeUsd: volumeUsd(volume, unit, price as Cents | null),
    }),
  }),
  computedTwice({
    name: 'headline price, mark, spread',
    sections: ['A1', 'A2'],
    shape: { bid: CENTS, ask: CENTS, last: CENTS, ageMs: 'BIGINT', paused: 'BOOLEAN' },
    sql: `
      with sides as (
        select *, paused or ageMs is null or ageMs > 15 * 60000
                  or coalesce(bid > 0 and ask < 100 and bid >= ask, false) as isAbsent from cases),
      book as (
        select id, last, if(isAbsent or bid <= 0, null, bid) as b, if(isAbsent or ask >= 100, null, ask) as a
          from sides),
      priced as (
        select *, b is not null and a is not null as isValid,
               case when b is not null and a is not null then
                      case when last is null then if(a - b <= 10, (a + b) / 2, null)
                           when last < b then b when last > a then a else last end
                    when last is null then null
                    when b is not null then if(last > b, last, b)
                    when a is not null then if(last < a, last, a)
                    else last end as price
          from book)
      select id, price::double as price, if(isValid and a - b <= 10, (a + b) / 2, price)::double as mark,
             (a - b)::double as spread, isValid as hasOrderbook,
             case when price is null then null when last is null then 'mid'
                  when price = last then 'last' else 'clamped' end as source
        from priced`,
    input: ({ nullable, pick, cents, integer, chance }) => ({
      bid: nullable(chance(0.5) ? cents(0, 100) : integer(20, 40)),
      ask: nullable(chance(0.5) ? cents(0, 100) : integer(35, 55)),
      last: nullable(pick([cents(0, 100), integer(15, 60)])),
      ageMs: nullable(integer(0, 1_000_000)),
      paused: chance(0.1),
    }),
    first: ({ bid, ask, last, ageMs, paused }) => {
      const sides = { bid: bid as Cents | null, ask: ask as Cents | null, ageMs, paused }
      const book = usableBook(sides)
      const { price, source } = headlinePrice({ ...book, last: last as Cents | null })
      const mark = markOf({ ...book, price })
      return {
        price,
        source,
        mark,
        spread: spreadOf(book.bid, book.ask),
        hasOrderbook: book.bookValid,
      }
    },
  }),
  computedTwice({
    name: 'settlement price',
    sections: ['A1'],
    shape: { result: 'TEXT', paid: 'INT' },
    sql: `select id, case when result = 'void' then null when paid is not null then paid / 100
                      when result = 'yes' then 100 when result = 'no' then 0 end as settled from cases`,
    input: ({ integer, pick, nullable }) => ({
      result: pick(['yes', 'no', 'void', 'scalar', null] as const),
      paid: nullable(integer(0, 10_000)),
    }),
    first: ({ result, paid }) => ({
      settled: settledPrice({ result, settlementPrice: paid as PriceE4 | null }),
    }),
  }),
  computedTwice({
    name: 'depth, liquidity score',
    sections: ['A2'],
    shape: { bids: ['BIGINT'], asks: ['BIGINT'], spread: CENTS, volume: 'DOUBLE' },
    sql: `
      with depths as (
        select *, if(bids is null, null, coalesce(list_sum(bids[1:5]), 0) / 1e6)::double as bidDepth,
                  if(asks is null, null, coalesce(list_sum(asks[1:5]), 0) / 1e6)::double as askDepth from cases),
      thin as (select *, if(bidDepth is null or askDepth is null, null, least(bidDepth, askDepth)) as d from depths)
      select id, bidDepth, askDepth,
             case when spread is null then 'low'
                  when d is not null and spread <= 3 and d >= 1000 then 'high'
                  when d is not null and spread <= 5 and d >= 200 then 'medium'
                  when d is null and spread <= 3 and volume >= 10000 then 'high'
                  when d is null and spread <= 5 and volume >= 1000 then 'medium'
                  else 'low' end as score from thin`,
    input: ({ nullable, list, integer, pick }) => {
      const side = () => nullable(list(0, 8, () => integer(1, 60) * pick([1, 10]) * 1_000_000))
      return {
        bids: side(),
        asks: side(),
        spread: nullable(integer(1, 7)),
        volume: nullable(integer(0, 300) * 100),
      }
    },
    first: ({ bids, asks, spread, volume }) => {
      const levels = (sizes: readonly number[] | null): BookLevel[] | null =>
        sizes?.map((size) => ({ price: 0 as PriceE4, size: size as SizeE6 })) ?? null
      const [bidDepth, askDepth] = [depthUsd(levels(bids)), depthUsd(levels(asks))]
      const score = liquidityScore({
        spread: spread as Cents | null,
        bidDepthUsd: bidDepth,
        askDepthUsd: askDepth,
        volume24hUsd: volume,
      })
      return { bidDepth, askDepth, score }
    },
  }),
  computedTwice({
    name: 'time to close, yields, cliff ratio, adjusted yield, cross-venue ratio',
    sections: ['A3', 'A4', 'A5', 'A7'],
    shape: { price: CENTS, spread: CENTS, other: CENTS, ms: 'BIGINT' },
    sql: `
      with timed as (
        select *, if(ms > 0, ms / 86400000, null) as tau, if(price > 0 and price < 100, price, null) as p from cases),
      yields as (
        select *, (100 - p) / p * 365 / if(tau < 1 / 24, 1 / 24, tau) * 100 as y, round(spread / p, 4) as l from timed)
      select id, tau, floor(tau) as days, y as iyYes,
             p / (100 - p) * 365 / if(tau < 1 / 24, 1 / 24, tau) * 100 as iyNo,
             if(p > 50, p / (100 - p), (100 - p) / p) as cri, spread / p as las,
             if(l > 1, 0 * y, y * (1 - l)) as adjIy, (p - other) / p as cvr
        from yields`,
    decimals: { cri: 3, las: 4, adjIy: 2, cvr: 4 },
    input: ({ nullable, pick, integer, cents }) => ({
      price: nullable(pick([integer(0, 100), cents(0, 100), cents(0, 3)])),
      spread: nullable(cents(0.01, 30)),
      other: nullable(cents(0, 100)),
      ms: nullable(pick([integer(-9, 900) * 86_400_000, integer(-7_200_000, 7_200_000)])),
    }),
    first: ({ price: given, spread, other, ms }) => {
      const price = given as Cents | null
      const tau = tauAt(ms === null ? null : ((T0 + ms) as Millis), T0 as Millis)
      const las = liquidityAdjustedSpread(price, spread as Cents | null)
      const iyYes = impliedYieldYes(price, tau)
      return {
        tau,
        days: tauDays(tau),
        iyYes,
        iyNo: impliedYieldNo(price, tau),
        cri: cliffRatio(price),
        las,
        adjIy: adjustedYield(iyYes, las),
        cvr: crossVenueRatio(price, other as Cents | null),
      }
    },
  }),
  computedTwice({
    name: 'expected edge',
    sections: ['A6'],
    shape: {
      price: CENTS,
      caller: 'TEXT',
      theses: [
        {
          thesisId: 'TEXT',
          thesisPrice: CENTS,
          executableEdge: 'DOUBLE',
          ownerId: 'TEXT',
          isActive: 'BOOLEAN',
          isPublic: 'BOOLEAN',
        },
      ],
    },
    sql: `
      with visible as (
        select id, price, unnest(list_filter(theses, x -> x.isActive and (x.isPublic or coalesce(x.ownerId = caller, false)))) as t
          from cases),
      best as (
        select id, price, t from visible
        qualify row_number() over (partition by id order by abs(t.executableEdge) desc nulls last, t.thesisId) = 1)
      select cases.id, (t.thesisPrice - best.price)::double as ee,
             case when t.thesisPrice > best.price then 'yes' when t.thesisPrice < best.price then 'no' end as direction
        from cases left join best using (id)`,
    input: ({ nullable, list, integer, pick, chance }) => ({
      price: nullable(integer(1, 99)),
      caller: pick(['u1', 'u2', null]),
      theses: list(0, 5, (i) => ({
        thesisId: `t${i}`,
        thesisPrice: integer(1, 99),
        executableEdge: nullable(integer(-4, 4)),
        ownerId: pick(['u1', 'u2']),
        isActive: chance(0.8),
        isPublic: chance(0.4),
      })),
    }),
    first: ({ price, caller, theses }) => {
      const priced = theses.map((row) => ({ ...row, thesisPrice: row.thesisPrice as Cents }))
      const { ee, direction } = expectedEdge(priced, price as Cents | null, caller)
      return { ee, direction }
    },
  }),
  computedTwice({
    name: 'overround',
    sections: ['A7'],
    shape: { exclusive: 'BOOLEAN', outcomes: [{ bid: CENTS, ask: CENTS, tradable: 'BOOLEAN' }] },
    sql: `
      with sums as (
        select cases.id, bool_or(exclusive) as exclusive, count(*) filter (where o.tradable) as live,
               count(*) filter (where o.tradable and o.ask is null) as missing,
               count(*) filter (where not o.tradable and (o.bid is not null or o.ask is not null)) as quoted,
               sum(o.ask) filter (where o.tradable) as asks
          from (select id, exclusive, unnest(outcomes) as o from cases) as cases group by id)
      select id, if(exclusive and live >= 2 and missing = 0 and quoted = 0, asks - 100, null)::double as overround
        from cases left join (select id, live, missing, quoted, asks from sums) using (id)`,
    decimals: { overround: 2 },
    input: ({ chance, list, cents }) => ({
      exclusive: chance(0.85),
      outcomes: list(0, 6, () => ({
        bid: chance(0.6) ? cents(1, 40) : null,
        ask: chance(0.93) ? cents(1, 60) : null,
        tradable: chance(0.97),
      })),
    }),
    first: ({ exclusive, outcomes }) => ({
      overround: overround(
        exclusive,
        outcomes.map(({ tradable, ...row }) => ({
          tradable,
          bid: row.bid as Cents | null,
          ask: row.ask as Cents | null,
        })),
      ),
    }),
  }),
  computedTwice({
    name: 'change rows',
    sections: ['A8'],
    shape: { prices: [CENTS] },
    sql: `
      with recursive rows as (
        select id, 1 as i, prices[1] as standing, if(prices[1] is null, [], [1]) as places,
               if(prices[1] is null, [], [0::double]) as deltas from cases
        union all
        select r.id, i + 1, if(isRow, p, standing), if(isRow, list_append(places, i + 1), places),
               if(isRow, list_append(deltas, coalesce((p - standing)::double, 0)), deltas)
          from (select rows.*, prices[i + 1] as p, prices,
                       p is not null and (standing is null or abs(p - standing) >= 1) as isRow
                  from rows join cases using (id)) as r
         where i < len(prices))
      select id, places, deltas from rows join cases using (id) where i = len(prices)`,
    // An unknown price is followed only by known ones: a last trade stays known.
    input: ({ integer, list }) => {
      const unknown = integer(0, 3)
      let price = integer(10, 90)
      return {
        prices: list(12, 12, (i) => {
          price += integer(-5, 5) / 4
          return i < unknown ? null : price
        }),
      }
    },
    first: ({ prices }) => {
      const trades = prices.flatMap((price, i) =>
        price === null ? [] : [{ ts: (T0 + i * QUARTER_HOUR) as Millis, price: price as Cents }],
      )
      const to = (T0 + (prices.length - 1) * QUARTER_HOUR) as Millis
      const window = { from: T0 as Millis, to, closeTimeAt: () => null }
      const rows = changeRows({ trades, quotes: [] }, window)
      return {
        places: rows.map(({ at }) => (at - T0) / QUARTER_HOUR + 1),
        deltas: rows.map(({ delta }) => delta),
      }
    },
  }),
  computedTwice({
    name: 'change rates iar and rv',
    sections: ['A8'],
    shape: { observed: 'BIGINT', rows: [{ at: 'BIGINT', price: CENTS, delta: CENTS }] },
    sql: `
      with inside as (
        select id, unnest(list_filter(rows, x -> x.at > -48 * 3600000 and x.at <= 0)) as r, observed from cases),
      sums as (
        select id, any_value(observed) as observed, count(*) as n, (max(r.at) - min(r.at)) / 3600000 as hours,
               stddev_samp(r.delta / r.price) as sd from inside group by id),
      known as (select * from sums where n >= 3 and hours >= 1 and observed <= -48 * 3600000)
      select cases.id, n / hours as iar, 100 * sd * sqrt(n / hours * 8760) as rv
        from cases left join (select id, n, hours, sd from known) using (id)`,
    decimals: { iar: 2, rv: 1 },
    input: ({ integer, list, pick }) => ({
      observed: -integer(40, 90) * HOUR,
      rows: list(0, 25, () => integer(-55 * HOUR, HOUR))
        .sort((a, b) => a - b)
        .map((at) => ({ at, price: integer(2, 98), delta: pick([-2, -1, 1, 2, 1.25]) })),
    }),
    first: ({ observed, rows }) => {
      const timed = rows.map(({ at, price, delta }) => ({
        at: (T0 + at) as Millis,
        price: price as Cents,
        delta,
      }))
      const { iar, rv } = changeRates(timed, T0 as Millis, (T0 + observed) as Millis)
      return { iar, rv }
    },
  }),
  computedTwice({
    name: 'volatility in cents per root hour (volC)',
    sections: ['A8'],
    params: ['volatility'],
    shape: { marks: [{ ts: 'BIGINT', mark: CENTS }], window: 'BIGINT' },
    sql: `
      with seen as (select id, win, unnest(list_filter(marks, x -> x.ts <= 0)) as m
                      from (select id, "window" as win, marks from cases)),
      opened as (select id, win, max(m.ts) filter (where m.ts <= -win) as opening from seen group by id, win),
      known as (select id, win, m from seen join opened using (id, win)
                 where m.mark is not null and (opening is null or m.ts >= opening)),
      standing as (select id, win, min(m.ts) as base from known group by id, win),
      moves as (
        select id, m.mark - lag(m.mark) over (partition by id order by m.ts) as d
          from known join standing using (id, win) where m.ts >= base),
      sums as (select id, coalesce(sum(d * d), 0) as squares from moves group by id)
      select cases.id, if(hours >= 1, sqrt(squares / hours), null) as volC
        from cases left join
             (select id, squares, (0 - if(base > -win, base, -win)) / 3600000 as hours from standing join sums using (id)) using (id)`,
    input: ({ integer, list, nullable }) => ({
      window: integer(2, 30) * HOUR,
      marks: list(0, 20, () => integer(-40 * HOUR, 2 * HOUR))
        .sort((a, b) => a - b)
        .filter((ts, i, all) => ts !== all[i - 1])
        .map((ts) => ({ ts, mark: nullable(integer(10, 400) / 4) })),
    }),
    first: ({ window, marks }) => ({
      volC: volatilityPerRootHour(
        {
          ts: Float64Array.from(marks, ({ ts }) => ts),
          marks: Float64Array.from(marks, ({ mark }) => mark ?? NaN),
        },
        -window as Millis,
        0 as Millis,
      ),
    }),
  }),
  computedTwice({
    name: 'normalised outcomes',
    sections: ['A17'],
    shape: { marks: [CENTS], none: 'BOOLEAN' },
    sql: `select id, if(none or len(marks) = 0 or len(list_filter(marks, x -> x is null)) > 0
                        or list_sum(marks) < 80 or list_sum(marks) > 120, null,
                        list_transform(marks, x -> (100 * x / list_sum(marks))::double)) as shares from cases`,
    decimals: { shares: 2 },
    input: ({ chance, list, cents }) => ({
      marks: list(0, 4, () => (chance(0.95) ? cents(10, 45) : null)),
      none: chance(0.1),
    }),
    first: ({ marks, none }) => ({ shares: normalizedMarks(marks as (Cents | null)[], none) }),
  }),
]
