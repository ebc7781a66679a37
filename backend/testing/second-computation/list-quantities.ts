import { stepTriggers, NEW_TRIGGERS } from '../../domain/changes/change-triggers.ts'
import { DATA_AGE_PARAMS, freshnessOf } from '../../domain/data-age.ts'
import { HIGHLIGHT_KINDS, selectHighlights } from '../../domain/changes/highlights.ts'
import { globalDiff, marketDiff } from '../../domain/changes/market-diff.ts'
import { binaryOdds, isInBand } from '../../domain/odds/odds.ts'
import { priceMoves } from '../../domain/prices/price-moves.ts'
import { themeLiquidity } from '../../domain/liquidity/theme-liquidity.ts'
import { DAY, HOUR, MINUTE, type Cents, type Millis } from '../../domain/units.ts'
import { yieldCurves } from '../../domain/prices/yield-curve.ts'
import { computedTwice, type SecondComputation } from './computed-twice.ts'
import { CENTS, LIQUIDITIES } from './shapes.ts'

const WEIGHTS = `w(l, w) as (values ('high', 1.0), ('medium', .7), ('low', .4))`
const CADENCES = ['socket', 'polled', 'computed'] as const

/** Second computations of methodology part F, and of the data age of part M. */
export const LIST_QUANTITIES: readonly SecondComputation[] = [
  computedTwice({
    name: 'yield curve: slope, shape, hazards',
    sections: ['F1'],
    params: ['yieldCurves'],
    shape: { contracts: [{ days: 'DOUBLE', price: 'DOUBLE', volume: 'DOUBLE' }] },
    sql: `
      with p as (
        select id, round(c.days) as tenor, c.price as price, c.volume as volume from (select id, unnest(contracts) as c from cases) where c.days > 0 and c.price is not null),
      whole as (select id, avg(price) as mean, count(*) as n from p group by id having count(*) >= 2),
      tenors as (
        select id, tenor, if(coalesce(sum(volume), 0) > 0, sum(price * coalesce(volume, 0)) / sum(volume), avg(price)) as price,
               row_number() over (partition by id order by tenor) as i, count(*) over (partition by id) as k from p group by id, tenor),
      read as (
        select id, regr_slope(price, tenor) * 30 as slope, max(price) - min(price) as range_, any_value(k) as k,
               greatest(max(price) filter (where i = 1), max(price) filter (where i = k)) as ends, max(price) filter (where i > 1 and i < k) as inner_ from tenors group by id),
      steps as (select id, i, price, lag(price) over (partition by id order by i) as before from tenors),
      hazards as (select id, list((price - before) / (100 - before) order by i) as hazards from steps where before is not null group by id)
      select cases.id, mean as avgPrice, if(k = 1, null, slope) as slope,
             case when n is null then null when range_ < 3 then 'flat' when inner_ >= ends + 5 then 'humped' when k > 1 and slope > 0 then 'up' when k > 1 and slope < 0 then 'inverted' else 'flat' end as shape,
             if(n is null, null, coalesce(hazards, [])) as hazards
        from cases left join whole using (id) left join (select * from read) as read using (id) left join hazards using (id)`,
    decimals: { avgPrice: 2 },
    input: ({ list, integer, nullable, chance }) => ({
      contracts: list(0, 6, () => ({
        days: integer(-2, 40) * 3,
        price: chance(0.9) ? integer(20, 60) / 1 : null,
        volume: nullable(integer(0, 50)),
      })),
    }),
    first: ({ contracts }) => {
      const [curve] = yieldCurves(
        contracts.map(({ days, price, volume }, i) => ({
          venue: 'venue_a' as const,
          ticker: `K${i}`,
          title: '',
          family: 'F',
          closeTime: (days * DAY) as Millis,
          price: price as Cents | null,
          volume24h: volume,
        })),
        0 as Millis,
      )
      return {
        avgPrice: curve?.avgPrice ?? null,
        slope: curve?.slope ?? null,
        shape: curve?.shape ?? null,
        hazards: curve?.hazards ?? null,
      }
    },
  }),
  computedTwice({
    name: 'odds of a question, its change, its band',
    sections: ['F2'],
    params: ['odds'],
    shape: { members: [{ mark: CENTS, before: CENTS, usd: 'DOUBLE', liquidity: 'TEXT' }] },
    sql: `
      with ${WEIGHTS},
      m as (select id, m.mark::double as mark, m.before::double as before, m.usd as usd, sqrt(1 + coalesce(m.usd, 0)) * w as k from (select id, unnest(members) as m from cases) join w on l = m.liquidity),
      sums as (
        select id, sum(mark * k) / sum(k) filter (where mark is not null) as price, sum(usd) as usd,
               sum(mark * k) filter (where before is not null) / sum(k) filter (where mark is not null and before is not null)
               - sum(before * k) filter (where mark is not null) / sum(k) filter (where mark is not null and before is not null) as delta from m group by id)
      select cases.id, price, delta, usd, coalesce(round(price, 2) between 20 and 80, false) as mid, coalesce(abs(round(delta, 2)) >= 5, false) as moving
        from cases left join sums using (id)`,
    decimals: { price: 2, delta: 2 },
    input: ({ list, integer, nullable, pick }) => ({
      members: list(0, 4, () => ({
        mark: nullable(integer(10, 90)),
        before: nullable(integer(10, 90)),
        usd: nullable(integer(0, 9_000)),
        liquidity: pick(LIQUIDITIES),
      })),
    }),
    first: ({ members }) => {
      const odds = binaryOdds(
        members.map(({ mark, before, usd, liquidity }, i) => ({
          ticker: `K${i}`,
          volume24hUsd: usd,
          liquidity,
          mark: mark as Cents | null,
          markBefore: before as Cents | null,
        })),
      )
      return {
        price: odds.price,
        delta: odds.delta24h,
        usd: odds.volume24hUsd,
        mid: isInBand(odds, 'mid'),
        moving: isInBand(odds, 'moving'),
      }
    },
  }),
  computedTwice({
    name: 'liquidity of a theme',
    sections: ['F3'],
    params: ['themeLiquidity'],
    shape: {
      markets: [
        {
          score: 'TEXT',
          usd: 'DOUBLE',
          before: 'DOUBLE',
          bid: 'DOUBLE',
          ask: 'DOUBLE',
          spread: 'DOUBLE',
        },
      ],
    },
    sql: `
      with m as (select id, unnest(markets) as m from cases),
      sums as (
        select id, sum(m.usd) as usd, sum(if(m.bid is null or m.ask is null, null, least(m.bid, m.ask))) as depth, median(m.spread) as medianSpread,
               avg((m.score = 'high')::int) as high, avg((m.score = 'medium')::int) as medium, 100 * (sum(m.usd) / nullif(sum(m.before), 0) - 1) as change from m group by id),
      indexed as (select *, 100 * (.5 * high + .25 * medium + .25 * (coalesce(depth, 0) / 100000) / (1 + coalesce(depth, 0) / 100000)) as index_ from sums)
      select id, usd, depth, medianSpread, index_ as index, if(index_ >= 60, 'high', if(index_ >= 30, 'medium', 'low')) as score, change from indexed`,
    decimals: { change: 2 },
    input: ({ list, integer, nullable, pick }) => ({
      markets: list(1, 9, () => ({
        score: pick(LIQUIDITIES),
        usd: nullable(integer(0, 900)),
        before: nullable(integer(0, 900)),
        bid: nullable(integer(0, 90_000)),
        ask: nullable(integer(0, 90_000)),
        spread: nullable(integer(1, 20)),
      })),
    }),
    first: ({ markets }) => {
      const [theme] = themeLiquidity(
        markets.map(({ score, usd, before, bid, ask, spread }, i) => ({
          ticker: `K${i}`,
          theme: 'oil',
          liquidityScore: score,
          volume24hUsd: usd,
          volume24hUsdDayAgo: before,
          openInterestUsd: null,
          bidDepthUsd: bid,
          askDepthUsd: ask,
          spread,
        })),
      )
      return {
        usd: theme?.volume24hUsd ?? null,
        depth: theme?.depthUsd ?? null,
        medianSpread: theme?.medianSpread ?? null,
        index: theme?.index ?? null,
        score: theme?.liquidityScore ?? null,
        change: theme?.change24hPct ?? null,
      }
    },
  }),
  computedTwice({
    name: 'highlights',
    sections: ['F4'],
    params: ['highlights'],
    shape: { entries: [{ kind: 'TEXT', ticker: 'TEXT', event: 'TEXT', score: 'DOUBLE' }] },
    // Each event once with its best entry; depth is taken best price first.
    sql: `
      with recursive sorted as (
        select id, list(e order by e.score desc) as es from (select id, unnest(entries) as e from cases) group by id),
      walk as (
        select id, 0 as i, []::text[] as events, []::text[] as kinds, []::text[] as tickers from sorted
        union all
        select id, i + 1, if(takes, list_append(events, e.event), events), if(takes, list_append(kinds, e.kind), kinds), if(takes, list_append(tickers, e.ticker), tickers)
          from (select walk.*, es[i + 1] as e, len(es) as n,
                       not list_contains(events, es[i + 1].event) and len(list_filter(kinds, x -> x = es[i + 1].kind)) < 3 as takes
                  from walk join sorted using (id)) where i < n)
      select id, tickers from walk join sorted using (id) where i = len(es)`,
    input: ({ list, integer, pick, any }) => ({
      entries: list(1, 14, (i) => ({
        kind: pick(HIGHLIGHT_KINDS.slice(0, 3)),
        ticker: `K${i}`,
        event: `E${integer(0, 12)}`,
        score: any(),
      })),
    }),
    first: ({ entries }) => ({ tickers: selectHighlights(entries).map(({ ticker }) => ticker) }),
  }),
  computedTwice({
    name: 'diff of a market and of all',
    sections: ['F5'],
    params: ['marketDiff'],
    shape: {
      markets: [
        { then_: CENTS, now: CENTS, settled: 'BOOLEAN', wasSettled: 'BOOLEAN', seen: 'INT' },
      ],
    },
    sql: `
      with m as (select id, generate_subscripts(markets, 1) as k, unnest(markets) as m from cases),
      read as (select id, k, m, m.now - m.then_ as d from m),
      lists as (
        select id, list(k order by abs(d) desc, k) filter (where abs(d) >= 1 and not m.settled) as moved,
               list(d::double order by k) as deltas, list(k order by k) filter (where m.settled and not m.wasSettled) as resolved,
               list(k order by m.seen desc, k) filter (where m.seen > 0) as added from read group by id)
      select id, coalesce(moved, []) as moved, deltas, coalesce(resolved, []) as resolved, coalesce(added, []) as added from lists`,
    input: ({ list, integer, nullable, chance }) => ({
      markets: list(1, 8, () => ({
        then_: nullable(integer(160, 200) / 4),
        now: nullable(integer(160, 200) / 4),
        settled: chance(0.2),
        wasSettled: chance(0.3),
        seen: integer(-9, 3),
      })),
    }),
    first: ({ markets }) => {
      const spans = markets.map(({ then_, now, settled, wasSettled, seen }, i) => ({
        ticker: `K${i + 1}`,
        firstSeenAt: seen as Millis,
        statusSince: 0 as Millis,
        result: null,
        priceThen: then_ as Cents | null,
        priceNow: now as Cents | null,
        statusThen: wasSettled ? ('settled' as const) : ('active' as const),
        statusNow: settled ? ('settled' as const) : ('active' as const),
        labelThen: null,
        labelNow: null,
        labelSince: null,
      }))
      const diff = globalDiff(spans, 0 as Millis)
      const numberOf = ({ ticker }: { readonly ticker: string }) => Number(ticker.slice(1))
      const blank = {
        iyYes: null,
        iyNo: null,
        cri: null,
        ee: null,
        las: null,
        rv: null,
        vr: null,
        overround: null,
      }
      return {
        moved: diff.moved.map(({ market }) => numberOf(market)),
        deltas: spans.map(
          ({ priceThen, priceNow }) =>
            marketDiff({ ...blank, price: priceThen }, { ...blank, price: priceNow }).price.delta,
        ),
        resolved: diff.resolved.map(numberOf),
        added: diff.added.map(numberOf),
      }
    },
  }),
  computedTwice({
    name: 'price moves',
    sections: ['F6'],
    shape: { prices: [CENTS] },
    // 96 quarter hours are a day; the price a day before the first one is that of the list's start.
    sql: `
      with recursive walk as (
        select id, 101 as i, null::int as at_, null::decimal(9, 4) as after, []::int[] as places, []::double[] as deltas from cases
        union all
        select id, i + 1, if(isMove, i, at_), if(isMove, now, after), if(isMove, list_append(places, i), places), if(isMove, list_append(deltas, (now - base)::double), deltas)
          from (select *, coalesce(abs(now - base) >= 3, false) as isMove
                  from (select walk.*, prices[i] as now, if(at_ is not null and i - at_ < 96, after, prices[i - 96]) as base from walk join cases using (id)))
         where i <= 260)
      select id, places, deltas from walk where i = 261`,
    cases: 60,
    input: ({ list, integer, chance }) => {
      let price = 50
      return {
        prices: list(260, 260, () => {
          price = Math.min(95, Math.max(5, price + (chance(0.2) ? integer(-4, 4) / 2 : 0)))
          return chance(0.05) ? null : price
        }),
      }
    },
    first: ({ prices }) => {
      const at = (i: number) => (i * 15 * MINUTE) as Millis
      const instants = prices.map((_, i) => at(i + 1)).slice(100)
      const moves = priceMoves(
        'K',
        instants,
        (instant) => (prices[instant / (15 * MINUTE) - 1] ?? null) as Cents | null,
      )
      return {
        places: moves.map((move) => move.at / (15 * MINUTE)),
        deltas: moves.map(({ delta }) => delta),
      }
    },
  }),
  computedTwice({
    name: 'volume spikes and spread changes',
    sections: ['F6'],
    params: ['changeTriggers'],
    shape: { steps: [{ vr: 'DOUBLE', spread: CENTS, median: CENTS }] },
    sql: `
      with recursive walk as (
        select id, 0 as i, true as armed, false as wide, []::text[] as reported from cases
        union all
        select id, i + 1, case when spikes then false when s.vr < 1.5 then true else armed end, isWide,
               list_concat(list_concat(reported, if(spikes, ['volume_spike ' || (i + 1)], [])), if(isWide <> wide, ['spread_change ' || (i + 1)], []))
          from (select *, coalesce(armed and s.vr >= 3, false) as spikes,
                       case when s.spread is null or s.median is null then wide when wide then s.spread >= 1.5 * s.median
                            else s.spread >= 3 * s.median and s.spread >= 5 end as isWide
                  from (select walk.*, steps[i + 1] as s, len(steps) as n from walk join cases using (id))) where i < n)
      select id, reported from walk join cases using (id) where i = len(steps)`,
    input: ({ list, integer, nullable }) => ({
      steps: list(12, 12, () => ({
        vr: nullable(integer(0, 10) / 2),
        spread: nullable(integer(1, 9)),
        median: nullable(integer(1, 3)),
      })),
    }),
    first: ({ steps }) => {
      let state = NEW_TRIGGERS
      const labels: string[] = []
      for (const [i, { vr, spread, median }] of steps.entries()) {
        const reading = {
          vr,
          spread: spread as Cents | null,
          medianSpread7d: median as Cents | null,
        }
        const step = stepTriggers(state, { ...reading, label: null }, 'K', (i * HOUR) as Millis)
        state = step.state
        labels.push(...step.events.map(({ type }) => `${type} ${i + 1}`))
      }
      return { reported: labels }
    },
  }),
  computedTwice({
    name: 'data age',
    sections: ['M'],
    params: ['dataAge'],
    shape: { cadence: 'TEXT', age: 'BIGINT' },
    sql: `
      with read as (
        select id, age / case cadence when 'socket' then 60000 when 'polled' then 300000 else 900000 end as cadences from cases)
      select id, if(cadences is null or cadences > 3, 'stale', if(cadences > 1, 'late', 'fresh')) as freshness from read`,
    input: ({ integer, pick, chance }) => ({
      cadence: pick(CADENCES),
      age: chance(0.95) ? integer(0, 60) * pick([10_000, 60_000]) : null,
    }),
    first: ({ cadence, age }) => ({
      freshness: freshnessOf(age, DATA_AGE_PARAMS.cadence[cadence]),
    }),
  }),
]
