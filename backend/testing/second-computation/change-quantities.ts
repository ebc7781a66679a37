import { surpriseOf } from '../../domain/answers/briefing.ts'
import { DAY, type Cents, type Millis } from '../../domain/units.ts'
import { catalystWeight, selectCatalysts } from '../../domain/world/salient/catalysts.ts'
import { alertsOf } from '../../domain/world/delta/delta-alerts.ts'
import { deltaOf } from '../../domain/world/delta/delta.ts'
import { dispersionOf } from '../../domain/world/gauges/dispersion.ts'
import type { ExplainFact } from '../../domain/world/explain/explain-facts.ts'
import { explainMove } from '../../domain/world/explain/explain.ts'
import { resolutionsAhead } from '../../domain/world/salient/resolutions.ts'
import { trailFrom } from '../../domain/world/explain/trail.ts'
import { worldMarket } from '../world-markets.ts'
import { computedTwice, type SecondComputation } from './computed-twice.ts'
import { CENTS, LIQUIDITIES } from './shapes.ts'

const ADDRESSES = { baseUrl: 'http://here', appUrl: 'http://here' } as Parameters<
  typeof deltaOf
>[0]['addresses']
const WEIGHTS = `w(l, w) as (values ('high', 1.0), ('medium', .7), ('low', .4))`

/** Second computations of methodology C7 and C8, and of the calendar of part M. */
export const CHANGE_QUANTITIES: readonly SecondComputation[] = [
  computedTwice({
    name: 'delta: gauges, prices, alerts',
    sections: ['C7'],
    params: ['delta', 'deltaAlerts'],
    shape: {
      breadth0: 'DECIMAL(5,2)',
      breadth1: 'DECIMAL(5,2)',
      activity0: 'INT',
      activity1: 'INT',
      price0: CENTS,
      price1: CENTS,
      tau0: CENTS,
      tau1: CENTS,
      ee0: CENTS,
      ee1: CENTS,
    },
    sql: `
      select id, list_filter([if(abs(activity1 - activity0) >= 1, 'Activity', null), if(abs(breadth1 - breadth0) >= .05, 'Breadth', null),
                              if(abs(price1 - price0) >= 3, 'price_move', null)], x -> x is not null) as changes,
             (activity1 - activity0)::double as activityDelta,
             list_filter([if(abs(price1 - price0) >= 3, 'price_move', null), if(tau0 >= 1 and tau1 < 1, 'closing_soon', null),
                          if(ee0 * ee1 < 0, 'edge_flipped', null)], x -> x is not null) as alerts from cases`,
    input: ({ nullable, integer }) => ({
      breadth0: nullable(integer(-9, 9) / 100),
      breadth1: nullable(integer(-9, 9) / 100),
      activity0: nullable(integer(0, 2)),
      activity1: nullable(integer(0, 2)),
      price0: nullable(integer(80, 100) / 2),
      price1: nullable(integer(80, 100) / 2),
      tau0: nullable(integer(0, 12) / 4),
      tau1: nullable(integer(0, 8) / 4),
      ee0: nullable(integer(-2, 2)),
      ee1: nullable(integer(-2, 2)),
    }),
    first: (drawn) => {
      const end = (at: number, breadth: number | null, activity: number | null) => ({
        at: at as Millis,
        label: 'Steady',
        value: null,
        salient: [],
        movers: [],
        gauges: { disagreement: null, geoRisk: null, breadth, activity },
      })
      const { changes, indexDelta } = deltaOf({
        from: end(0, drawn.breadth0, drawn.activity0),
        to: end(DAY, drawn.breadth1, drawn.activity1),
        prices: [
          { ticker: 'K', title: 'K', from: drawn.price0, to: drawn.price1, isQuotedOnce: false },
        ],
        resolved: [],
        newMarkets: [],
        addresses: ADDRESSES,
      })
      const alerts = alertsOf(
        [
          {
            ticker: 'K',
            resolved: null,
            price: { from: drawn.price0, to: drawn.price1 },
            tau: { from: drawn.tau0, to: drawn.tau1 },
            expectedEdge: { from: drawn.ee0, to: drawn.ee1 },
          },
        ],
        DAY,
      )
      return {
        changes: changes.map(({ kind, label }) =>
          kind === 'gauge' ? (label.split(' ')[0] ?? '') : kind,
        ),
        activityDelta: indexDelta.activity,
        alerts: alerts.map(({ kind }) => kind),
      }
    },
  }),
  computedTwice({
    name: 'dispersion and agreement',
    sections: ['C8'],
    params: ['dispersion'],
    shape: { markets: [{ event: 'TEXT', mark: CENTS, usd: 'DOUBLE' }] },
    sql: `
      with m as (select id, m.event as e, m.mark::double as p, coalesce(m.usd, 0) as v from (select id, unnest(markets) as m from cases) where m.mark is not null),
      weighed as (select *, if(sum(v) over (partition by id, e) = 0, 1, v) as w from m),
      means as (select *, sum(w * p) over (partition by id, e) / sum(w) over (partition by id, e) as mu from weighed),
      groups_ as (
        select id, e, count(*) as n, any_value(mu) as mu, sqrt(sum(w * (p - mu) * (p - mu)) / sum(w)) as sd, median(p) as med, min(p) as lo, max(p) as hi, sum(v) as v
          from means group by id, e having count(*) >= 2),
      far as (
        select id, e, count(*) as outliers from means join groups_ using (id, e) where abs(p - med) >= greatest(10, 1.5 * sd) group by id, e),
      lists as (
        select id, flatten(list([mu, sd, med, lo, hi] order by round(sd, 2) desc, e)) as numbers,
               list(case when sd <= 10 then 'tight' when sd >= 25 then 'split' else 'mixed' end order by round(sd, 2) desc, e) as consensus,
               list(least(3, coalesce(outliers, 0)) order by round(sd, 2) desc, e) as outliers,
               1 - if(sum(groups_.v) = 0, avg(least(1, sd / 50)), sum(groups_.v * least(1, sd / 50)) / nullif(sum(groups_.v), 0)) as agreement
          from groups_ left join far using (id, e) group by id),
      wholes as (select id, median(p) as median_, quantile_cont(p, .75) - quantile_cont(p, .25) as iqr from m group by id)
      select cases.id, coalesce(numbers, []) as numbers, coalesce(consensus, []) as consensus, coalesce(outliers, []) as outliers, agreement, median_ as median, iqr
        from cases left join lists using (id) left join wholes using (id)`,
    decimals: { numbers: 2, agreement: 4, median: 2, iqr: 2 },
    input: ({ list, integer, nullable, pick }) => ({
      markets: list(0, 12, () => ({
        event: pick(['E1', 'E2', 'E3']),
        mark: nullable(integer(0, 200) / 2),
        usd: nullable(integer(0, 5)),
      })),
    }),
    first: ({ markets }) => {
      const rows = markets.map(({ event, mark, usd }, i) =>
        worldMarket({ ticker: `K${i}`, eventId: event, mark, volume24hUsd: usd }),
      )
      const { agreement, median, iqr, groups } = dispersionOf(rows, [], 99, ADDRESSES)
      return {
        agreement,
        median,
        iqr,
        numbers: groups.flatMap((group) => [
          group.mean,
          group.stdev,
          group.median,
          group.min,
          group.max,
        ]),
        consensus: groups.map(({ consensus }) => consensus),
        outliers: groups.map(({ outliers }) => outliers.length),
      }
    },
  }),
  computedTwice({
    name: 'catalysts and their weight',
    sections: ['C8'],
    shape: {
      entries: [{ key: 'TEXT', days: 'DOUBLE', mark: CENTS, liquidity: 'TEXT' }],
      limit: 'INT',
    },
    sql: `
      with ${WEIGHTS},
      ahead as (
        select id, "limit" as most, e, coalesce(4 * (e.mark / 100) * (1 - e.mark / 100) * w / (1 + e.days), 0) as weight
          from (select id, "limit", unnest(entries) as e from cases) join w on l = e.liquidity where e.days > 0 and e.days <= 7),
      kept as (select * from ahead qualify row_number() over (partition by id order by weight desc, e.key) <= most)
      select cases.id, coalesce(keys, []) as keys, coalesce(weights, []) as weights from cases left join (
        select id, list(e.key order by e.days, e.key) as keys, list(weight order by e.days, e.key) as weights from kept group by id) using (id)`,
    input: ({ list, integer, nullable, pick }) => ({
      entries: list(0, 9, (i) => ({
        key: `e${i}`,
        days: integer(-2, 40) / 4,
        mark: nullable(integer(1, 99)),
        liquidity: pick(LIQUIDITIES),
      })),
      limit: integer(1, 5),
    }),
    first: ({ entries, limit }) => {
      const dated = entries.map(({ key, days, mark, liquidity }) => ({
        id: key,
        at: (days * DAY) as Millis,
        importance: 'low' as const,
        liquidity,
        mark: mark as Cents | null,
      }))
      const selected = selectCatalysts(dated, 0 as Millis, (7 * DAY) as Millis, limit)
      return {
        keys: selected.map(({ id }) => id),
        weights: selected.map((entry) => catalystWeight(entry, entry.at / DAY)),
      }
    },
  }),
  computedTwice({
    name: 'importance of resolutions, surprise of a result',
    sections: ['M', 'I3'],
    shape: { events: [{ days: 'INT', usd: 'DOUBLE' }], result: 'TEXT', before: CENTS },
    sql: `
      with e as (select id, generate_subscripts(events, 1) as i, unnest(events) as e from cases),
      cuts as (
        select id, quantile_cont(e.usd, 1.0 / 3) as low_, quantile_cont(e.usd, 2.0 / 3) as high_ from e where e.days between 1 and 30 and e.usd > 0 group by id),
      ranked as (
        select id, list(case when coalesce(e.usd, 0) <= 0 or low_ is null then 'low' when e.usd >= high_ then 'high' when e.usd >= low_ then 'medium' else 'low' end order by i) as importance
          from e left join cuts using (id) where e.days > 0 group by id)
      select cases.id, coalesce(importance, []) as importance,
             case result when 'yes' then abs(100 - before) when 'no' then abs(before) end::double as surprise
        from cases left join ranked using (id)`,
    input: ({ list, integer, nullable, pick }) => ({
      events: list(0, 9, () => ({ days: integer(-2, 45), usd: nullable(integer(0, 60)) })),
      result: pick(['yes', 'no', 'void', null]),
      before: nullable(integer(0, 100)),
    }),
    first: ({ events, result, before }) => {
      const markets = events.map(({ days, usd }, i) => ({
        ...worldMarket({
          ticker: `K${i}`,
          eventId: `E${i}`,
          closeTime: days * DAY,
          volume24hUsd: usd,
        }),
        expirationTime: null,
      }))
      const entries = resolutionsAhead(markets, 0 as Millis)
      return {
        importance: entries.map(({ importance }) => importance),
        surprise: surpriseOf(result, before),
      }
    },
  }),
  computedTwice({
    name: 'hypotheses of a move',
    sections: ['C8'],
    params: ['explain'],
    shape: {
      facts: [{ kind: 'TEXT', hours: 'DOUBLE', known: 'DOUBLE', expected: 'DOUBLE' }],
      cents: 'DOUBLE',
    },
    sql: `
      with read as (
        select id, f.kind as kind, case
            when f.kind in ('econ_release', 'legislation') and f.hours <= 0 and f.hours >= -24 then .35 * nullif(1 - abs(f.hours) / 24, 0)
            when f.kind = 'flow' and f.hours <= 0 and abs(f.expected) / 10 >= .4 then .15 when f.kind = 'contagion' and f.hours <= -1 / 6 and f.expected * cents > 0 and abs(f.expected) >= abs(cents) / 2 then .25 * least(1, abs(f.expected / cents)) end as weight
          from (select id, cents, unnest(facts) as f from cases) where f.known <= 30),
      kinds as (select id, kind, max(weight) as weight from read where weight is not null group by id, kind)
      select cases.id, coalesce(found, []) as kinds, coalesce(confidences, []) as confidences from cases left join (
        select id, list(kind order by weight desc, kind) as found, list(weight / (.15 + total) order by weight desc, kind) as confidences
          from (select *, sum(weight) over (partition by id) as total from kinds) group by id) using (id)`,
    decimals: { confidences: 4 },
    input: ({ list, integer, pick }) => ({
      facts: list(0, 6, () => ({
        kind: pick(['econ_release', 'legislation', 'flow', 'contagion'] as const),
        hours: integer(-30, 30),
        known: integer(0, 34),
        expected: integer(-8, 8),
      })),
      cents: pick([-6, 5, 8]),
    }),
    first: ({ facts, cents }) => {
      const at = (hours: number) => ((100 + hours) * 3_600_000) as Millis
      const explainFacts = facts.map(({ kind, hours, known, expected }): ExplainFact => {
        const evidence = { source: 's', title: 't', url: null, at: at(hours) }
        const base = { evidence, knownAt: at(known) }
        if (kind === 'flow') return { ...base, kind: 'block_trade', share: Math.abs(expected) / 10 }
        return kind === 'contagion'
          ? { ...base, kind, movedAt: at(hours), expected }
          : { ...base, kind }
      })
      const move = { startedAt: at(0), cents, entityWords: [] }
      const { hypotheses } = explainMove(explainFacts, move, at(30))
      return {
        kinds: hypotheses.map(({ kind }) => kind),
        confidences: hypotheses.map(({ confidence }) => confidence),
      }
    },
  }),
  computedTwice({
    name: 'trail of links',
    sections: ['C8'],
    shape: { links: [{ a: 'TEXT', b: 'TEXT', confidence: 'DOUBLE' }] },
    sql: `
      with l as (select distinct id, l.a as a, l.b as b, l.confidence as c from (select id, unnest(links) as l from cases)),
      both_ as (select id, a as x, b as y, c from l union all select id, b, a, c from l),
      near as (select id, y as k, max(c) as s from both_ where x = 'A' and y <> 'A' group by id, y),
      far as (
        select near.id, y as k, max(s * c) as s from near join both_ on both_.id = near.id and x = k
         where y <> 'A' and (near.id, y) not in (select id, k from near) group by near.id, y),
      nodes as (select id, 1 as hop, k, s from near union all select id, 2, k, s from far)
      select cases.id, coalesce(tickers, []) as tickers, coalesce(strengths, []) as strengths, coalesce(hops, []) as hops from cases left join (
        select id, list(k order by hop, s desc, k) as tickers, list(s order by hop, s desc, k) as strengths, list(hop order by hop, s desc, k) as hops
          from nodes group by id) using (id)`,
    decimals: { strengths: 4 },
    input: ({ list, any, integer }) => ({
      links: list(0, 10, () => ({ a: integer(0, 5), b: integer(0, 5), confidence: any() }))
        .filter(({ a, b }) => a < b)
        .map(({ a, b, confidence }) => ({
          a: 'ABCDEF'.charAt(a),
          b: 'ABCDEF'.charAt(b),
          confidence,
        })),
    }),
    first: ({ links }) => {
      const { nodes } = trailFrom(
        'A',
        (ticker) =>
          links.flatMap(({ a, b, confidence }) =>
            a === ticker || b === ticker
              ? [
                  {
                    to: a === ticker ? b : a,
                    kind: 'thematic' as const,
                    confidence,
                    lagSeconds: null,
                  },
                ]
              : [],
          ),
        99,
      )
      return {
        tickers: nodes.map(({ ticker }) => ticker),
        strengths: nodes.map(({ strength }) => strength),
        hops: nodes.map(({ hop }) => hop),
      }
    },
  }),
]
