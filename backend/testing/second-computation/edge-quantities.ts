import {
  annualisedYield,
  basketEdges,
  crossVenueEdge,
  executablePairGap,
} from '../../domain/edges/implied-edges.ts'
import { ladderEdges } from '../../domain/edges/ladder-edges.ts'
import { edgeStrength, edgeTypeOf, thesisEdge } from '../../domain/edges/thesis-edge.ts'
import type { Cents } from '../../domain/units.ts'
import { computedTwice, type SecondComputation } from './computed-twice.ts'
import { feeA, feeB, leg, LEVELS, schedule, side, terms, walked } from './drawn-levels.ts'
import { CENTS, LIQUIDITIES } from './shapes.ts'

/** Second computations of methodology E1 and E3 to E6. */
export const EDGE_QUANTITIES: readonly SecondComputation[] = [
  computedTwice({
    name: 'thesis edge, strength, type',
    sections: ['E1', 'E6'],
    params: ['edges'],
    shape: {
      price: CENTS,
      now: CENTS,
      then_: CENTS,
      seen: CENTS,
      thesis: 'DOUBLE',
      own: 'DOUBLE',
      executable: 'DOUBLE',
      liquidity: 'TEXT',
      ladder: 'BOOLEAN',
      residual: 'DOUBLE',
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
    input: ({ nullable, integer, pick, any, chance }) => ({
      price: nullable(integer(1, 99)),
      now: integer(1, 99),
      then_: integer(40, 44),
      seen: nullable(integer(30, 60)),
      thesis: any(),
      own: nullable(any()),
      executable: nullable(integer(-20, 60) / 4),
      liquidity: pick(LIQUIDITIES),
      ladder: chance(0.2),
      residual: nullable(integer(0, 16) / 4),
    }),
    first: (row) => {
      const price = row.price as Cents | null
      const thesis = {
        thesisPrice: row.now as Cents,
        firstThesisPrice: row.then_ as Cents,
        firstMarketPrice: row.seen as Cents | null,
        thesisConfidence: row.thesis,
        ownConfidence: row.own,
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
    // Tradable size: the smaller cumulative depth of both while the next pair of levels is still
    // profitable.
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
    input: (draws) => {
      const { integer, nullable } = draws
      const [a, b] = [integer(25, 60), integer(25, 60)]
      return {
        bidsA: side(draws, a, -1),
        asksA: side(draws, a + 2, 1),
        bidsB: side(draws, b, -1),
        asksB: side(draws, b + 2, 1),
        tau: nullable(integer(-2, 40)),
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
    input: ({ list, integer, chance }) => ({
      outcomes: list(0, 4, () => ({
        bid: chance(0.9) ? integer(10, 40) : null,
        ask: chance(0.9) ? integer(20, 50) : null,
        size: integer(1, 90),
      })),
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
    input: ({ list, integer, nullable, pick }) => ({
      rungs: list(0, 5, () => ({
        rung: integer(1, 4),
        bid: nullable(integer(20, 50)),
        ask: nullable(integer(30, 60)),
        mark: nullable(integer(40, 60) / 2 + 10),
        source: pick(['ap', null, 'ap', 'reuters']),
      })),
      kind: pick(['above', 'by'] as const),
    }),
    first: ({ rungs, kind }) => {
      const edges = ladderEdges(
        rungs.map(({ rung, bid, ask, mark, source }, i) => ({
          ticker: `R${i + 1}`,
          rung,
          mark: mark as Cents | null,
          source,
          ...leg(
            bid === null ? [] : [{ price: bid, size: 1 }],
            ask === null ? [] : [{ price: ask, size: 1 }],
            terms,
          ),
        })),
        kind,
      )
      return {
        names: edges.map(({ easier, harder }) => easier + harder),
        nets: edges.map(({ net }) => net),
      }
    },
  }),
]
