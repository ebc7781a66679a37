import { convictionOf, selectIdeas, timeHorizon } from '../../domain/edges/ideas.ts'
import {
  annualisedYield,
  basketEdges,
  crossVenueEdge,
  executablePairGap,
  type EdgeLeg,
} from '../../domain/edges/implied-edges.ts'
import { ladderEdges } from '../../domain/edges/ladder-edges.ts'
import { suggestionOf } from '../../domain/edges/suggestion.ts'
import { edgeStrength, edgeTypeOf, executableEdge, thesisEdge } from '../../domain/edges/thesis-edge.ts' // prettier-ignore
import { feeOfFill, feePerContract, type FeeTerms } from '../../domain/fees.ts'
import { LIQUIDITY_WEIGHTS, type LiquidityScore } from '../../domain/liquidity.ts'
import type { BookLevel } from '../../domain/market.ts'
import { depthWithin, executionOf } from '../../domain/orderbook.ts'
import type { Cents, Millis, MoneyE6, PriceE4, SizeE6 } from '../../domain/units.ts'
import { computedTwice, type SecondComputation } from './computed-twice.ts'
import type { Draws } from './draws.ts'

const CENTS = 'DECIMAL(9,4)'
const LEVELS = [{ price: 'INT', size: 'DOUBLE' }] as const
const LIQUIDITIES = Object.keys(LIQUIDITY_WEIGHTS) as LiquidityScore[]
interface Level {
  readonly price: number
  readonly size: number
}

/** Levels of a side from `best` on, `step` cents apart, in cents and contracts. */
const side = ({ whole, list }: Draws, best: number, step: 1 | -1, least = 1): Level[] =>
  list(least, 4, (i) => ({ price: best + step * i, size: whole(1, 12) * 10 }))
const levelsOf = (levels: readonly Level[]): BookLevel[] =>
  levels.map(({ price, size }) => ({
    price: (price * 100) as PriceE4,
    size: (size * 1e6) as SizeE6,
  }))
const terms: FeeTerms = { venue: 'venue_a', kind: 'quadratic', multiplier: 1, waivedUntil: null }
const schedule: FeeTerms = { venue: 'venue_b', rate: 0.04, exponent: 1, takerOnly: true }
const leg = (bids: readonly Level[], asks: readonly Level[], fees: FeeTerms): EdgeLeg => ({
  book: { bids: levelsOf(bids), asks: levelsOf(asks) },
  fees,
})
/** SQL: size-weighted price of taking 100 contracts from levels, best first. */
const walked = (levels: string): string => `(
  select sum(part * price) / sum(part) from (
    select l.price as price, greatest(0, least(l.size, 100 - coalesce(sum(l.size) over (order by i rows between unbounded preceding and 1 preceding), 0))) as part
      from (select generate_subscripts(${levels}, 1) as i, unnest(${levels}) as l)))`
const feeA = (price: string): string => `(100 * .07 * (${price}) / 100 * (1 - (${price}) / 100))`
const feeB = (price: string): string => `(100 * .04 * (${price}) / 100 * (1 - (${price}) / 100))`
const CONVICTIONS = `case when confidence >= .6 and edge >= 6 then 'high' when edge >= 3 then 'medium' else 'low' end`

/** Second computations of methodology A14, A15 and part E. */
export const EDGE_QUANTITIES: readonly SecondComputation[] = [
  computedTwice({
    name: 'executable price, slippage, depth, executable edge',
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
             list_sum(list_transform(list_filter(asks, x -> x.price <= asks[1].price + 1), x -> x.size)) as within,
             if(price is null and isUnknown, null, fair - b - ${feeA('b')}) as yes,
             if(price is null and isUnknown, null, s - fair - ${feeA('s')}) as no from priced`,
    decimals: { slippage: 4 },
    given: (draws) => {
      const { whole, known, chance } = draws
      const bid = whole(20, 60)
      const isKnown = chance(0.8)
      return {
        bids: isKnown ? side(draws, bid, -1) : null,
        asks: isKnown ? side(draws, bid + whole(1, 4), 1) : null,
        ...{ price: known(whole(1, 99)), spread: known(whole(1, 8)), fair: whole(1, 99) },
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
        ...{ b, slippage, yes: worth('yes'), no: worth('no') },
        within: book === null ? null : depthWithin(book.asks, 1),
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
    // Whole numbers throughout: money in 1e-6 dollars, contracts in hundredths, price in 1e-4 dollars.
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
    given: ({ list, whole, pick, chance }) => ({
      fills: list(1, 4, () => ({ price: whole(1, 99) * pick([1, 100]), hundredths: whole(1, 20_000), isBuy: chance(0.6) })), // prettier-ignore
      times: pick([1, 1, 2]),
      rate: pick([4, 5]),
    }),
    first: ({ fills, times, rate }) => {
      let accumulator = 0 as MoneyE6
      const fees: number[] = []
      const scheduled: number[] = []
      for (const { price, hundredths, isBuy } of fills) {
        const fill = {
          ...{
            at: 0 as Millis,
            role: 'taker' as const,
            side: isBuy ? ('buy' as const) : ('sell' as const),
          },
          ...{ price: price as PriceE4, size: (hundredths * 10_000) as SizeE6 },
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
    given: ({ cents }) => ({ price: cents(0, 100) }),
    first: ({ price }) => ({
      a: feePerContract(terms, price as Cents),
      b: feePerContract(schedule, price as Cents),
    }),
  }),
  computedTwice({
    name: 'thesis edge, strength, type',
    sections: ['E1', 'E6'],
    params: ['edges'],
    shape: {
      ...{ price: CENTS, now: CENTS, then_: CENTS, seen: CENTS, thesis: 'DOUBLE', own: 'DOUBLE' },
      ...{ executable: 'DOUBLE', liquidity: 'TEXT', ladder: 'BOOLEAN', residual: 'DOUBLE' },
    },
    sql: `
      with w(l, w) as (values ('high', 1.0), ('medium', .7), ('low', .4)),
      edges as (
        select *, if(abs(now - price) >= 1, now - price, null) as edge,
               if(abs(then_ - seen) >= 1, greatest(0, least(1, (price - seen) / (then_ - seen))), null) as absorbed,
               thesis * coalesce(own, .6) as confidence from cases join w on l = liquidity)
      select id, edge::double as edge, if(edge is null, null, if(edge > 0, 'yes', 'no')) as direction,
             if(edge is null or seen is null, null, absorbed) as absorption, if(edge is null, null, confidence) as confidence,
             if(edge is null, null, abs(executable) * confidence * (1 - if(seen is null, 0, coalesce(absorbed, 0))) * w) as strength,
             case when ladder then 'timing_gap' when residual >= 2 then 'attention_gap' when price >= 90 or price <= 10 then 'risk_premium' else 'consensus_gap' end as type
        from edges`,
    given: ({ known, whole, pick, any, chance }) => ({
      ...{
        price: known(whole(1, 99)),
        now: whole(1, 99),
        then_: whole(40, 44),
        seen: known(whole(30, 60)),
      },
      ...{ thesis: any(), own: known(any()), executable: known(whole(-20, 60) / 4) },
      ...{ liquidity: pick(LIQUIDITIES), ladder: chance(0.2), residual: known(whole(0, 16) / 4) },
    }),
    first: (row) => {
      const price = row.price as Cents | null
      const thesis = {
        ...{ thesisPrice: row.now as Cents, firstThesisPrice: row.then_ as Cents },
        ...{ firstMarketPrice: row.seen as Cents | null, thesisConfidence: row.thesis, ownConfidence: row.own }, // prettier-ignore
      }
      const edge = thesisEdge(thesis, price)
      return {
        edge: edge?.edge ?? null,
        direction: edge?.direction ?? null,
        absorption: edge?.absorption ?? null,
        confidence: edge?.confidence ?? null,
        strength:
          edge === null
            ? null
            : edgeStrength(row.executable, edge.confidence, edge.absorption, row.liquidity),
        type: edgeTypeOf({ onDateLadder: row.ladder, residualVr: row.residual, price }),
      }
    },
  }),
  computedTwice({
    name: 'cross-venue edge',
    sections: ['E3', 'D7'],
    params: ['edges'],
    shape: { bidsA: LEVELS, asksA: LEVELS, bidsB: LEVELS, asksB: LEVELS, tau: 'DOUBLE' },
    // Takeable size: what both running depths share while a further pair of levels still pays.
    sql: `
      with ways as (
        select id, tau, 'a' as yes, asksA as y, list_transform(bidsB, x -> struct_pack(price := 100 - x.price, size := x.size)) as n, .07 as ky, .04 as kn from cases
        union all
        select id, tau, 'b', asksB, list_transform(bidsA, x -> struct_pack(price := 100 - x.price, size := x.size)), .04, .07 from cases),
      costs as (
        select *, y[1].price + n[1].price + 100 * ky * y[1].price / 100 * (1 - y[1].price / 100) + 100 * kn * n[1].price / 100 * (1 - n[1].price / 100) as cost from ways),
      best as (select * from costs qualify row_number() over (partition by id order by cost, yes) = 1),
      ys as (select id, ky, kn, l.price as p, l.size as s, sum(l.size) over (partition by id order by i) as upto from (select id, ky, kn, generate_subscripts(y, 1) as i, unnest(y) as l from best)),
      ns as (select id, l.price as p, l.size as s, sum(l.size) over (partition by id order by i) as upto from (select id, generate_subscripts(n, 1) as i, unnest(n) as l from best)),
      sizes as (
        select ys.id, sum(greatest(0, least(ys.upto, ns.upto) - greatest(ys.upto - ys.s, ns.upto - ns.s))) as size from ys join ns using (id)
         where 100 - ys.p - ns.p - 100 * ky * ys.p / 100 * (1 - ys.p / 100) - 100 * kn * ns.p / 100 * (1 - ns.p / 100) > 0 group by ys.id),
      walks as (
        select id, ${walked('asksA')} as ya, 100 - ${walked('bidsB')} as nb, ${walked('asksB')} as yb, 100 - ${walked('bidsA')} as na from cases)
      select id, 100 - cost as net, cost, yes as buyYes, coalesce(size, 0) as size, if(tau > 0, (100 - cost) * 365 / (tau * cost) * 100, null) as yield,
             greatest(100 - ya - nb - ${feeA('ya')} - ${feeB('nb')}, 100 - yb - na - ${feeB('yb')} - ${feeA('na')}) as gap
        from best left join sizes using (id) join walks using (id)`,
    given: (draws) => {
      const { whole, known } = draws
      const [a, b] = [whole(25, 60), whole(25, 60)]
      return {
        ...{ bidsA: side(draws, a, -1), asksA: side(draws, a + 2, 1) },
        ...{ bidsB: side(draws, b, -1), asksB: side(draws, b + 2, 1), tau: known(whole(-2, 40)) },
      }
    },
    first: ({ bidsA, asksA, bidsB, asksB, tau }) => {
      const [a, b] = [leg(bidsA, asksA, terms), leg(bidsB, asksB, schedule)]
      const edge = crossVenueEdge(a, b)
      return {
        net: edge?.net ?? null,
        cost: edge?.cost ?? null,
        buyYes: edge?.buyYes ?? null,
        size: edge?.size ?? null,
        yield: edge === null ? null : annualisedYield(edge, tau),
        gap: executablePairGap(a, b),
      }
    },
  }),
  computedTwice({
    name: 'basket edge',
    sections: ['E4'],
    shape: {
      outcomes: [{ bid: 'INT', ask: 'INT', size: 'INT' }],
      exclusive: 'BOOLEAN',
      exhaustive: 'BOOLEAN',
    },
    sql: `
      with o as (select id, exclusive, exhaustive, unnest(outcomes) as o from cases),
      sums as (
        select id, exclusive, exhaustive, count(*) as n, count(o.ask) as asks, count(o.bid) as bids, min(o.size) as size,
               100 - sum(o.ask + ${feeA('o.ask')}) as buying, sum(o.bid - ${feeA('o.bid')}) - 100 as selling from o group by all)
      select cases.id, if(exclusive and exhaustive and n >= 2 and asks = n, buying, null) as underround,
             if(exclusive and n >= 2 and bids = n, selling, null) as overround, if(exclusive and n >= 2 and bids = n, size, null) as size
        from (select id from cases) as cases left join sums using (id)`,
    given: ({ list, whole, chance }) => ({
      outcomes: list(0, 4, () => ({ bid: chance(0.9) ? whole(10, 40) : null, ask: chance(0.9) ? whole(20, 50) : null, size: whole(1, 90) })), // prettier-ignore
      exclusive: chance(0.8),
      exhaustive: chance(0.7),
    }),
    first: ({ outcomes, exclusive, exhaustive }) => {
      const edges = basketEdges(
        outcomes.map(({ bid, ask, size }) =>
          leg(
            bid === null ? [] : [{ price: bid, size }],
            ask === null ? [] : [{ price: ask, size }],
            terms,
          ),
        ),
        { exclusive, exhaustive },
      )
      const found = (kind: string) => edges.find((edge) => edge.kind === kind)
      return {
        underround: found('underround')?.net ?? null,
        overround: found('overround')?.net ?? null,
        size: found('overround')?.size ?? null,
      }
    },
  }),
  computedTwice({
    name: 'ladder contradictions',
    sections: ['E5'],
    params: ['edges'],
    shape: {
      rungs: [{ rung: 'INT', bid: 'INT', ask: 'INT', mark: CENTS, source: 'TEXT' }],
      kind: 'TEXT',
    },
    sql: `
      with r as (select id, kind, generate_subscripts(rungs, 1) as k, unnest(rungs) as r from cases),
      pairs as (
        select e.id, e.k as ek, h.k as hk, e.r as e, h.r as h from r as e join r as h on h.id = e.id
           and if(e.kind = 'above', h.r.rung > e.r.rung, h.r.rung < e.r.rung)
         where e.r.source is null or h.r.source is null or e.r.source = h.r.source),
      found as (
        select id, 'R' || ek as easier, 'R' || hk as harder, coalesce(h.bid > e.ask, false) as hard,
               h.bid - e.ask - ${feeA('e.ask')} - ${feeA('h.bid')} as net, h.mark - e.mark as v from pairs),
      told as (select id, easier, harder, if(hard, net, null) as net from found where hard or v > 1)
      select cases.id, coalesce(names, []) as names, coalesce(nets, []) as nets from (select id from cases) as cases left join (
        select id, list(easier || harder order by net desc nulls last, easier || harder) as names, list(net order by net desc nulls last, easier || harder) as nets from told group by id) using (id)`,
    given: ({ list, whole, known, pick }) => ({
      rungs: list(0, 5, () => ({ rung: whole(1, 4), bid: known(whole(20, 50)), ask: known(whole(30, 60)), mark: known(whole(40, 60) / 2 + 10), source: pick(['ap', null, 'ap', 'reuters']) })), // prettier-ignore
      kind: pick(['above', 'by'] as const),
    }),
    first: ({ rungs, kind }) => {
      const edges = ladderEdges(
        rungs.map(({ rung, bid, ask, mark, source }, i) => ({
          ...{ ticker: `R${i + 1}`, rung, mark: mark as Cents | null, source },
          ...leg(bid === null ? [] : [{ price: bid, size: 1 }], ask === null ? [] : [{ price: ask, size: 1 }], terms), // prettier-ignore
        })),
        kind,
      )
      return {
        names: edges.map(({ easier, harder }) => easier + harder),
        nets: edges.map(({ net }) => net),
      }
    },
  }),
  computedTwice({
    name: 'suggestion, its confidence, the size hint',
    sections: ['E7'],
    params: ['edges'],
    shape: {
      ...{
        live: 'BOOLEAN',
        liquidity: 'TEXT',
        spread: 'DOUBLE',
        tau: 'DOUBLE',
        disputed: 'BOOLEAN',
      },
      ...{
        edge: 'DOUBLE',
        executable: 'DOUBLE',
        fair: 'DOUBLE',
        cost: 'DOUBLE',
        sure: 'DECIMAL(4,2)',
      },
      ...{ score: 'DECIMAL(6,3)', vol: 'DOUBLE', panic: 'BOOLEAN', catalyst: 'DOUBLE' },
    },
    sql: `
      with w(l, w) as (values ('high', 1.0), ('medium', .7), ('low', .4)),
      ruled as (
        select *, (not live)::int + (liquidity = 'low' and coalesce(executable < 5, true))::int + coalesce(spread > 15, false)::int
                  + coalesce(tau < 1 / 24, false)::int + disputed::int as avoid,
               coalesce(executable >= 3 and sure >= .3 and (coalesce(score < .65, false) or executable >= 6) and vol * sqrt(24) < 2 * abs(edge), false) as consider,
               (abs(edge) >= 3 and coalesce(executable < 3, true)) or panic or coalesce(catalyst between 0 and 24, false) as wait
          from cases join w on l = liquidity),
      kelly as (select *, greatest(0, .25 * (fair - cost) / (100 - cost)) as f from ruled)
      select id, case when avoid > 0 then 'avoid' when consider then if(edge > 0, 'consider_long', 'consider_short') when wait then 'wait' else 'monitor' end as action,
             (case when avoid > 0 then least(.9, .5 + .1 * avoid)
                   when consider then greatest(0, least(.95, (executable / 5) / (1 + executable / 5) * sure * w * (1 - .5 * greatest(0, coalesce(score, 1) - .5) / .5)))
                   when wait then .4 else .3 end)::double as confidence,
             case when avoid > 0 or not consider or liquidity = 'low' or cost is null or f < .02 then 'small'
                  when f < .05 or coalesce(score >= .65, true) then 'medium' else 'large' end as size from kelly`,
    decimals: { confidence: 4 },
    given: ({ chance, pick, known, whole, any }) => {
      const edge = whole(-12, 12) || 5
      return {
        ...{ live: chance(0.95), liquidity: pick(LIQUIDITIES), spread: known(whole(1, 16)) },
        ...{ tau: known(pick([0.02, 5, 40])), disputed: chance(0.05), edge },
        ...{
          executable: known(whole(-4, 40) / 4),
          fair: whole(30, 60),
          cost: known(whole(20, 40)),
        },
        ...{
          sure: whole(20, 80) / 100,
          score: known(whole(300, 800) / 1_000),
          vol: known(any() * 3),
        },
        ...{ panic: chance(0.1), catalyst: known(whole(-5, 200)) },
      }
    },
    first: (row) => {
      const suggestion = suggestionOf({
        ...{ isLive: row.live, liquidity: row.liquidity, spread: row.spread, tau: row.tau },
        ...{ disputed: row.disputed, pairConflict: false, asScore: row.score, volatility: row.vol },
        ...{ isPanic: row.panic, catalystHours: row.catalyst },
        edge: {
          ...{ edge: row.edge, direction: row.edge > 0 ? 'yes' : 'no', executable: row.executable },
          ...{ fair: row.fair, cost: row.cost, confidence: row.sure },
        },
      })
      return {
        action: suggestion.action,
        confidence: suggestion.confidence,
        size: suggestion.sizeHint,
      }
    },
  }),
  computedTwice({
    name: 'ideas: choice, conviction, horizon',
    sections: ['E8'],
    params: ['edges'],
    shape: {
      candidates: [
        { ticker: 'TEXT', theme: 'TEXT', edge: 'DOUBLE', confidence: 'DOUBLE', strength: 'DOUBLE' },
      ],
      days: 'DOUBLE',
    },
    sql: `
      with c as (select id, c.ticker as k, c.theme as t, c.edge as edge, c.confidence as confidence, c.strength as s from (select id, unnest(candidates) as c from cases) where c.edge > 0),
      bythemes as (select * from c qualify row_number() over (partition by id, t order by s desc, k) <= 2),
      chosen as (select * from bythemes qualify row_number() over (partition by id order by s desc, k) <= 10),
      said as (select *, ${CONVICTIONS} as conviction, case ${CONVICTIONS} when 'high' then 1 when 'medium' then 2 else 3 end as o from chosen)
      select cases.id, coalesce(ideas, []) as ideas, case when days < 7 then 'days' when days < 60 then 'weeks' else 'months' end as horizon
        from cases left join (select id, list(k || ' ' || conviction order by o, round(edge, 2) desc, k) as ideas from said group by id) using (id)`,
    given: ({ list, whole, pick, any, known }) => ({
      candidates: list(0, 16, (i) => ({ ticker: `K${String((i * 7) % 17).padStart(2, '0')}`, theme: pick(['a', 'b', 'c', 'd', 'e', 'f']), edge: whole(-4, 32) / 4, confidence: whole(3, 9) / 10, strength: any() })), // prettier-ignore
      days: known(whole(0, 100)),
    }),
    first: ({ candidates, days }) => {
      const ideas = selectIdeas(
        candidates.map(({ ticker, theme, edge, confidence, strength }) => ({
          ...{
            basis: 'yield' as const,
            ticker,
            theme,
            title: ticker,
            direction: 'buy_yes' as const,
          },
          ...{
            executableEdge: edge,
            confidence,
            strength,
            pitch: '',
            catalyst: null,
            closeTime: null,
          },
          ...{ warning: null, asScore: null, cost: null, hedges: [] },
        })),
        0 as Millis,
      )
      const said = ideas.map(
        (idea) => `${idea.ticker} ${convictionOf(idea.confidence, idea.executableEdge)}`,
      )
      return { ideas: said, horizon: timeHorizon(days) }
    },
  }),
]
