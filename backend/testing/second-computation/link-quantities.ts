import { gapRecords } from '../../domain/links/gap-record.ts'
import { GAP_WINDOWS, servedGap } from '../../domain/links/gaps.ts'
import { discoverLeadLags, isLagCandidate } from '../../domain/links/lead-lag.ts'
import { LINK_KINDS } from '../../domain/links/link-graph.ts'
import { LINK_PARAMS } from '../../domain/links/link-params.ts'
import { exclusiveBeta, responseCoefficient } from '../../domain/links/response.ts'
import {
  jaccardOf,
  dateLikeness,
  numberFeature,
  rawConfidence,
} from '../../domain/pairing/features.ts'
import { PAIRING_PARAMS, PAIRING_PRESETS } from '../../domain/pairing/params.ts'
import { benjaminiHochberg, rankCorrelationOf } from '../../domain/statistics/statistics.ts'
import { DAY, type Cents, type Millis } from '../../domain/units.ts'
import { computedTwice, type SecondComputation } from './computed-twice.ts'
import { CENTS, LIQUIDITIES } from './shapes.ts'

const PRESETS = ['arb', 'world', 'detail', 'browse'] as const

/** Second computations of methodology part D. */
export const LINK_QUANTITIES: readonly SecondComputation[] = [
  computedTwice({
    name: 'prior response and confidence of link kinds',
    sections: ['D1'],
    params: ['links'],
    shape: { kind: 'TEXT' },
    sql: `with kinds(kind, beta, confidence) as (values ('same_event_exclusive', null, .95), ('ladder', .8, .9), ('series_sibling', .5, .7), ('thematic', .35, .5), ('cross_venue', 1, null))
          select id, beta::double as beta, confidence::double as confidence from cases join kinds using (kind)`,
    input: ({ pick }) => ({
      kind: pick(LINK_KINDS.filter((kind) => kind !== 'lead_lag')),
    }),
    first: ({ kind }) => {
      const betas: Readonly<Record<string, number>> = LINK_PARAMS.priorBeta
      const confidences: Readonly<Record<string, number>> = LINK_PARAMS.confidence
      return { beta: betas[kind] ?? null, confidence: confidences[kind] ?? null }
    },
  }),
  computedTwice({
    name: 'response coefficient',
    sections: ['D2'],
    params: ['links'],
    shape: { i: ['DOUBLE'], j: ['DOUBLE'], prior: 'DOUBLE', beforeI: 'DOUBLE', beforeJ: 'DOUBLE' },
    sql: `
      with hours as (select id, unnest(i) as x, unnest(j) as y from cases),
      fits as (select id, count(*) as n, sum(x * y) / sum(x * x) as b from hours where abs(x) >= 1 and y is not null group by id)
      select cases.id, coalesce(n, 0) as n,
             greatest(-1.5, least(1.5, (coalesce(n, 0) * coalesce(b, 0) + 20 * prior) / (coalesce(n, 0) + 20))) as beta,
             -beforeJ / nullif(100 - beforeI, 0) as exclusive from cases left join fits using (id)`,
    input: ({ list, integer, nullable, pick }) => {
      const slope = integer(-30, 30) / 10
      const i = list(1, 40, () => nullable(integer(-12, 12) / 4))
      return {
        i,
        j: i.map((x) => nullable(slope * (x ?? 1) + integer(-2, 2))),
        prior: pick([1, 0.8, 0.5, 0.35, -1]),
        beforeI: integer(1, 100),
        beforeJ: integer(1, 99),
      }
    },
    first: ({ i, j, prior, beforeI, beforeJ }) => {
      const column = (values: readonly (number | null)[]) =>
        Float64Array.from(values, (x) => x ?? NaN)
      const { beta, n } = responseCoefficient(column(i), column(j), prior)
      return { beta, n, exclusive: exclusiveBeta(beforeI as Cents, beforeJ as Cents) }
    },
  }),
  computedTwice({
    name: 'lead and lag: threshold, ranks, false discoveries',
    sections: ['D3'],
    params: ['links'],
    shape: {
      rho: 'DOUBLE',
      zero: 'DOUBLE',
      n: 'INT',
      x: ['DOUBLE'],
      y: ['DOUBLE'],
      chances: ['DOUBLE'],
    },
    sql: `
      with pairs as (select id, unnest(x) as x, unnest(y) as y from cases),
      ranks as (
        select id, (rank() over (partition by id order by x) + (count(*) over (partition by id, x) - 1) / 2) as rx,
               (rank() over (partition by id order by y) + (count(*) over (partition by id, y) - 1) / 2) as ry from pairs),
      correlations as (select id, corr(rx, ry) as rho_ from ranks group by id),
      tests as (select id, generate_subscripts(chances, 1) as i, unnest(chances) as p, len(chances) as m from cases),
      placed as (select *, row_number() over (partition by id order by p) as k from tests),
      cuts as (select id, max(p) filter (where p <= k / m * .05) as most from placed group by id),
      significances as (select id, list(coalesce(p <= most, false) order by i) as significant from placed join cuts using (id) group by id)
      select cases.id, abs(rho) >= 3 / sqrt(n) and abs(rho) >= abs(coalesce(zero, 0)) + .05 as isCandidate,
             if(isnan(rho_), null, rho_) as spearman, significant from cases left join correlations using (id) left join significances using (id)`,
    input: ({ list, integer, nullable, any }) => {
      const x = list(3, 30, () => integer(-4, 4))
      return {
        rho: integer(-50, 50) / 100 + 0.003,
        zero: nullable(integer(-30, 30) / 100),
        n: integer(50, 900),
        x,
        y: x.map((value) => value * integer(-1, 2) + integer(-2, 2)),
        chances: list(1, 12, () => any() ** 4),
      }
    },
    first: ({ rho, zero, n, x, y, chances }) => ({
      isCandidate: isLagCandidate(rho, zero, n),
      spearman: rankCorrelationOf(x, y),
      significant: benjaminiHochberg(chances, 0.05),
    }),
  }),
  computedTwice({
    name: 'lead and lag: the lag, its slope, its confidence',
    cases: 20,
    sections: ['D1', 'D3'],
    shape: { leader: ['DOUBLE'], follower: ['DOUBLE'], lag: 'INT' },
    // The follower repeats the leader after a fixed number of hours, so that the link is found.
    sql: `
      with hours as (select id, generate_subscripts(leader, 1) as h, unnest(leader) as x, unnest(follower) as y from cases),
      shifted as (select a.id, k, a.x, b.y from hours as a cross join range(-6, 7) as r(k) join hours as b on b.id = a.id and b.h = a.h + k),
      ranks as (
        select *, rank() over (partition by id, k order by x) + (count(*) over (partition by id, k, x) - 1) / 2 as rx,
               rank() over (partition by id, k order by y) + (count(*) over (partition by id, k, y) - 1) / 2 as ry from shifted),
      lags as (select id, k, corr(rx, ry) as rho, sum(x * y) / sum(x * x) as slope from ranks group by id, k),
      best as (select * from lags where k <> 0 qualify row_number() over (partition by id order by abs(rho) desc) = 1)
      select id, k as lag, rho, slope as beta, .4 + .4 * rho * rho as confidence from best`,
    input: ({ list, integer }) => {
      const lag = integer(1, 6)
      const leader = list(120, 120, () => integer(1, 5) * (integer(0, 1) === 0 ? -1 : 1))
      const follower = leader.map((_, h) => 0.5 * (leader[h - lag] ?? 1) + integer(1, 9) / 10)
      return { leader, follower, lag }
    },
    first: ({ leader, follower }) => {
      const market = (ticker: string, changes: readonly number[]) => ({
        ticker,
        theme: 'oil',
        changes: Float64Array.from(changes),
      })
      const [found] = discoverLeadLags([market('A', leader), market('B', follower)])
      return {
        lag: found?.lagHours ?? null,
        rho: found?.rho ?? null,
        beta: found?.beta ?? null,
        confidence: found?.confidence ?? null,
      }
    },
  }),
  computedTwice({
    name: 'expected response, gap, significance, direction, strength',
    sections: ['D4', 'D5'],
    params: ['links'],
    shape: {
      a: CENTS,
      c: CENTS,
      before: CENTS,
      beta: 'DECIMAL(6,3)',
      vol: 'DOUBLE',
      hours: 'INT',
      spreadI: CENTS,
      spreadJ: CENTS,
      idle: 'DOUBLE',
      li: 'TEXT',
      lj: 'TEXT',
      kind: 'TEXT',
      confidence: 'DOUBLE',
    },
    sql: `
      with w(l, w) as (values ('high', 1.0), ('medium', .7), ('low', .4)),
      expecting as (
        select cases.*, if(a is null or c is null or abs(a) < 5 or beta is null or before is null, null, greatest(0 - before, least(100 - before, beta * a))) as e,
               least(wi.w, wj.w) as weight from cases join w as wi on wi.l = li join w as wj on wj.l = lj),
      gaps as (select *, e - c as g, (e - c) / (if(vol < .3, .3, vol) * sqrt(hours)) as z from expecting),
      served as (
        select * from gaps where abs(g) >= 5 and abs(z) >= 2 and spreadI <= 10 and spreadJ <= 10 and idle <= 24 and e <> 0)
      select cases.id, e::double as expected, g as gap, z, case when c / e >= 0 and c / e < 1 then 'lagging' when served.id is not null then 'overshooting' end as direction,
             served.confidence * weight * (abs(z) / 2) / (1 + abs(z) / 2) as strength,
             case served.kind when 'cross_venue' then 'cross_venue' when 'thematic' then 'theme' when 'lead_lag' then 'correlated' else if(served.id is null, null, 'series_sibling') end as relation
        from (select id from cases) as cases left join served using (id)`,
    decimals: { gap: 2, strength: 4 },
    input: ({ nullable, integer, pick, any, chance }) => ({
      a: nullable(integer(-60, 60)),
      c: chance(0.95) ? integer(-20, 20) : null,
      before: integer(1, 99),
      beta: integer(-100, 120) / 100,
      vol: chance(0.9) ? any() * 2 : null,
      hours: pick(Object.values(GAP_WINDOWS)),
      spreadI: chance(0.9) ? integer(1, 11) : null,
      spreadJ: chance(0.9) ? integer(1, 11) : null,
      idle: chance(0.9) ? integer(0, 26) : null,
      li: pick(LIQUIDITIES),
      lj: pick(LIQUIDITIES),
      kind: pick(LINK_KINDS),
      confidence: any(),
    }),
    first: (row) => {
      const gap = servedGap({
        trigger: { move: row.a, liquidity: row.li, spread: row.spreadI as Cents | null },
        lagging: {
          move: row.c,
          liquidity: row.lj,
          spread: row.spreadJ as Cents | null,
          before: row.before as Cents,
          volatility: row.vol,
          idleHours: row.idle,
        },
        kind: row.kind,
        confidence: row.confidence,
        beta: row.beta,
        hours: row.hours,
      })
      return {
        expected: gap?.expected ?? null,
        gap: gap?.gap ?? null,
        z: gap?.z ?? null,
        direction: gap?.direction ?? null,
        strength: gap?.strength ?? null,
        relation: gap?.relation ?? null,
      }
    },
  }),
  computedTwice({
    name: 'record of gaps',
    sections: ['D6'],
    shape: { gaps: [{ gap: 'DOUBLE', h1: 'DOUBLE', h24: 'DOUBLE' }] },
    sql: `
      with shares as (select id, 1 - g.h1 / g.gap as s1, 1 - g.h24 / g.gap as s24 from (select id, unnest(gaps) as g from cases)),
      sums as (
        select id, avg(s1) as closed1, avg(s24) as closed24, count(s24) as n, (count(*) filter (where s24 > 0))::double as hits from shares group by id),
      rates as (select *, hits / nullif(n, 0) as p, 1.959963984540054 * 1.959963984540054 as z2 from sums)
      select id, closed1, closed24, p as hitRate,
             (p + z2 / (2 * n)) / (1 + z2 / n) - 1.959963984540054 * sqrt(p * (1 - p) / n + z2 / (4 * n * n)) / (1 + z2 / n) as low,
             coalesce(n >= 100 and (p + z2 / (2 * n)) / (1 + z2 / n) - 1.959963984540054 * sqrt(p * (1 - p) / n + z2 / (4 * n * n)) / (1 + z2 / n) < .5, false) as unproven
        from rates`,
    input: ({ list, integer, chance, nullable }) => {
      const closes = integer(2, 9)
      return {
        gaps: list(1, 140, () => {
          const gap = integer(5, 30) * (chance(0.5) ? 1 : -1)
          return {
            gap,
            h1: nullable(gap + integer(-5, 5)),
            h24: chance(0.95)
              ? gap + (integer(0, 9) < closes ? -1 : 1) * Math.sign(gap) * integer(1, 4)
              : null,
          }
        }),
      }
    },
    first: ({ gaps }) => {
      const [record] = gapRecords(
        gaps.map(({ gap, h1, h24 }) => ({
          kind: 'ladder',
          gap,
          after: { 1: h1, 6: null, 24: h24 },
        })),
      )
      const closedAfter = (hours: number) =>
        record?.closed.find((row) => row.hours === hours)?.share ?? null
      return {
        closed1: closedAfter(1),
        closed24: closedAfter(24),
        hitRate: record?.hitRate ?? null,
        low: record?.hitInterval?.low ?? null,
        unproven: record?.unproven ?? null,
      }
    },
  }),
  computedTwice({
    name: 'features and raw confidence of a pair, presets',
    sections: ['D7'],
    params: ['pairing', 'pairingPresets'],
    shape: {
      text: 'DOUBLE',
      a: ['TEXT'],
      b: ['TEXT'],
      strikeA: 'DOUBLE',
      strikeB: 'DOUBLE',
      days: 'DOUBLE',
      markA: 'DOUBLE',
      markB: 'DOUBLE',
      confidence: 'DECIMAL(4,2)',
      close: 'DOUBLE',
    },
    sql: `
      with features as (
        select *, if(len(a) + len(b) = 0, 1, len(list_intersect(a, b)) / len(list_distinct(list_concat(a, b)))) as entity,
               case when strikeA is null and strikeB is null then 1 when strikeA is null or strikeB is null then .5
                    when abs(strikeA - strikeB) <= .005 * greatest(strikeA, strikeB) then 1 else 0 end as number,
               exp(-abs(days) / 30) as date, 1 - abs(markA - markB) / 100 as price from cases)
      select id, entity, number::double as number, date,
             1 / (1 + exp(8 - 7 * text - 2 * entity - 2 * number - 1.5 * date - .5 * price)) as raw,
             list_filter([if(confidence >= .80 and close <= 90, 'arb', null), if(confidence >= .75 and close <= 180, 'world', null),
                          if(confidence >= .60, 'detail', null), if(confidence >= .50, 'browse', null)], x -> x is not null) as presets from features`,
    input: ({ any, list, pick, nullable, integer }) => {
      const names = () =>
        [...new Set(list(0, 4, () => pick(['fed', 'iran', 'texas', 'nvda', 'gop'])))].sort()
      const strike = integer(100, 200)
      return {
        text: any(),
        a: names(),
        b: names(),
        strikeA: nullable(strike),
        strikeB: nullable(pick([strike, strike * 1.004, strike * 1.02])),
        days: integer(-90, 90),
        markA: integer(1, 99),
        markB: integer(1, 99),
        confidence: integer(40, 100) / 100,
        close: nullable(integer(0, 300)),
      }
    },
    first: ({ text, a, b, strikeA, strikeB, days, markA, markB, confidence, close }) => {
      const strikes = (strike: number | null) => (strike === null ? [] : [strike])
      const features = {
        text,
        entity: jaccardOf(a, b),
        number: numberFeature(strikes(strikeA), strikes(strikeB)),
        date: dateLikeness((days * DAY) as Millis, 0 as Millis),
        price: 1 - Math.abs(markA - markB) / 100,
      }
      const { entity, number, date } = features
      const presets = PRESETS.filter((name) => {
        const preset = PAIRING_PRESETS[name]
        const isNear = preset.closeDays === null || (close !== null && close <= preset.closeDays)
        return confidence >= preset.confidence && isNear
      })
      return { entity, number, date, raw: rawConfidence(features, PAIRING_PARAMS), presets }
    },
  }),
]
