import { isInSample, forecastsOf } from '../../domain/calibration/sample.ts'
import { calibrationScores, calibrationVerdict } from '../../domain/calibration/scores.ts'
import { clusterInterval } from '../../domain/statistics/cluster-bootstrap.ts'
import { econSurprise } from '../../domain/econ-surprise.ts'
import { ladderDistribution } from '../../domain/odds/ladder-distribution.ts'
import { finalScore } from '../../domain/text/market-ranking.ts'
import {
  logit,
  quantileOf,
  sampleSd,
  saturate,
  wilsonInterval,
} from '../../domain/statistics/statistics.ts'
import { HOUR, roundTo, type Cents, type Millis } from '../../domain/units.ts'
import { computedTwice, type SecondComputation } from './computed-twice.ts'
import { CENTS, LIQUIDITIES } from './shapes.ts'

const Z = 1.959963984540054

/** Second computations of methodology 0.5, 0.6, part G, I1, and of the expectations of part M. */
export const SCORE_QUANTITIES: readonly SecondComputation[] = [
  computedTwice({
    name: 'rounding half away from zero',
    sections: ['0.5'],
    shape: { value: 'DECIMAL(18,6)' },
    // Decimals are exact in the engine, so ties round exactly.
    sql: `select id, [round(value, 0), round(value, 1), round(value, 2), round(value, 3), round(value, 4)]::double[] as rounded from cases`,
    input: ({ integer, pick }) => ({
      value: (integer(-400_000, 400_000) * pick([1, 5, 50, 500])) / 1e6,
    }),
    first: ({ value }) => ({ rounded: [0, 1, 2, 3, 4].map((places) => roundTo(value, places)) }),
  }),
  computedTwice({
    name: 'statistics',
    sections: ['0.6'],
    shape: { xs: ['DOUBLE'], q: 'DOUBLE', p: 'DOUBLE', hits: 'INT', n: 'INT' },
    sql: `
      with x as (select id, q, unnest(xs) as x from cases),
      stats as (select id, stddev_samp(x) as sd, quantile_cont(x, .25) as low, quantile_cont(x, .5) as med from x group by id),
      held as (select *, greatest(.005, least(.995, p)) as h, hits / n as s from cases)
      select id, sd, low, med, ln(h / (1 - h)) as logit, p / (1 + p) as sat,
             (s + ${Z} * ${Z} / (2 * n) - ${Z} * sqrt(s * (1 - s) / n + ${Z} * ${Z} / (4 * n * n))) / (1 + ${Z} * ${Z} / n) as wilson
        from held join stats using (id)`,
    input: ({ list, any, integer }) => {
      const n = integer(1, 60)
      return { xs: list(1, 20, () => any() * 100), q: 0.25, p: any(), hits: integer(0, n), n }
    },
    first: ({ xs, q, p, hits, n }) => ({
      sd: sampleSd(xs),
      low: quantileOf(xs, q),
      med: quantileOf(xs, 0.5),
      logit: logit(p),
      sat: saturate(p),
      wilson: wilsonInterval(hits, n)?.low ?? null,
    }),
  }),
  computedTwice({
    name: 'calibration sample and forecasts',
    sections: ['G1'],
    params: ['calibrationSample'],
    shape: {
      result: 'TEXT',
      known: 'INT',
      parlay: 'BOOLEAN',
      usd: 'DOUBLE',
      min: 'DOUBLE',
      life: 'INT',
      close: 'INT',
      determined: 'INT',
      marks: [{ hour: 'INT', mark: CENTS }],
    },
    sql: `
      with triggered as (
        select *, if(close is null or determined is null, coalesce(close, determined), least(close, determined)) as trigger_ from cases),
      marks_ as (select id, trigger_, unnest(marks) as m from triggered),
      stood as (
        select id, arg_max(m, m.hour) filter (where m.hour <= trigger_ - 24) as before, arg_max(m, m.hour) filter (where m.hour <= trigger_) as last_ from marks_ group by id)
      select t.id, coalesce(known > 0 and known <= 720 and result in ('yes', 'no') and not parlay and life >= 48 and ("min" <= 0 or coalesce(usd, -1) >= "min"), false) as isIn,
             if(before.hour >= trigger_ - 48, before.mark, null)::double as dayBefore, if(last_.hour >= trigger_ - 24, last_.mark, null)::double as atClose
        from triggered as t left join stood using (id)`,
    input: ({ pick, nullable, integer, chance, list }) => ({
      result: pick(['yes', 'no', 'void', 'scalar', null] as const),
      known: nullable(integer(-50, 800)),
      parlay: chance(0.1),
      usd: nullable(integer(0, 20)),
      min: integer(0, 10),
      life: nullable(integer(20, 90)),
      close: nullable(integer(100, 300)),
      determined: nullable(integer(100, 300)),
      marks: list(0, 8, () => integer(40, 300))
        .sort((a, b) => a - b)
        .filter((hour, i, all) => hour !== all[i - 1])
        .map((hour) => ({ hour, mark: nullable(integer(1, 99)) })),
    }),
    first: ({ result, known, parlay, usd, min, life, close, determined, marks }) => {
      const hours = (hour: number | null) => (hour === null ? null : ((hour * HOUR) as Millis))
      const market = {
        ticker: 'K',
        venue: 'venue_a' as const,
        eventId: 'E',
        category: 'x',
        topics: [],
        result,
        settledKnownAt: hours(known),
        isParlay: parlay,
        volumeUsd: usd,
        listedAt: 0 as Millis,
        closeTimeAtListing: hours(life),
        closeTime: hours(close),
        determinedAt: hours(determined),
      }
      const period = { from: 0 as Millis, to: (720 * HOUR) as Millis, minVolumeUsd: min }
      const forecasts = forecastsOf(market, {
        ts: Float64Array.from(marks, ({ hour }) => hour * HOUR),
        marks: Float64Array.from(marks, ({ mark }) => mark ?? NaN),
      })
      return { isIn: isInSample(market, period), ...forecasts }
    },
  }),
  computedTwice({
    name: 'calibration scores',
    sections: ['G2', 'G3'],
    params: ['calibrationScores'],
    shape: { forecasts: [{ price: 'DOUBLE', outcome: 'INT' }] },
    sql: `
      with f as (select id, f.price / 100 as p, f.outcome as o, least(9, floor(f.price / 10)) as b, greatest(.005, least(.995, f.price / 100)) as h from (select id, unnest(forecasts) as f from cases)),
      sums as (
        select id, count(*) as n, avg((p - o) ** 2) as brier, -avg(o * ln(h) + (1 - o) * ln(1 - h)) as logScore, avg(o) as rate,
               avg(((p > .5)::int = o)::int) filter (where p <> .5) as hitRate from f group by id),
      buckets as (select id, b, count(*) as n, avg(p) as pb, avg(o) as ob, avg((p - o) ** 2) as brier from f group by id, b),
      intervals as (
        select *, (ob + ${Z} * ${Z} / (2 * n) - ${Z} * sqrt(ob * (1 - ob) / n + ${Z} * ${Z} / (4 * n * n))) / (1 + ${Z} * ${Z} / n) as low,
               (ob + ${Z} * ${Z} / (2 * n) + ${Z} * sqrt(ob * (1 - ob) / n + ${Z} * ${Z} / (4 * n * n))) / (1 + ${Z} * ${Z} / n) as high from buckets),
      parts as (
        select id, sum(buckets.n * (pb - ob) ** 2) / any_value(sums.n) as reliability, sum(buckets.n * (ob - rate) ** 2) / any_value(sums.n) as resolution,
               sum(buckets.n * greatest(0, 100 * low - 100 * pb, 100 * pb - 100 * high)) / any_value(sums.n) as error,
               flatten(list([b, buckets.n, 100 * pb, 100 * ob, 100 * (pb - ob), buckets.brier] order by b)) as bands
          from intervals as buckets join sums using (id) group by id)
      select id, brier, logScore, hitRate, reliability, resolution, rate * (1 - rate) as uncertainty, 1 - brier / nullif(rate * (1 - rate), 0) as skill, bands, error,
             if(n < 30, 'insufficient (' || n || ')', case when brier <= .1 and error <= 1 then 'excellent' when brier <= .15 and error <= 2.5 then 'good'
               when brier <= .2 and error <= 5 then 'fair' when brier <= .25 and error <= 10 then 'mediocre' else 'poor' end) as verdict
        from sums join parts using (id)`,
    input: ({ list, integer, any }) => {
      const skill = any()
      return {
        forecasts: list(1, 60, () => {
          const price = integer(0, 20) * 5
          return {
            price,
            outcome: any() < skill * (price / 100) + (1 - skill) / 2 ? (1 as const) : (0 as const),
          }
        }),
      }
    },
    first: ({ forecasts }) => {
      const scores = calibrationScores(
        forecasts.map(({ price, outcome }) => ({ price: price as Cents, outcome })),
      )
      if (scores === null) return { brier: null }
      const { brier, logScore, hitRate, reliability, resolution, uncertainty, skill } = scores
      const bands = scores.buckets.flatMap((band, b) =>
        band.n === 0
          ? []
          : [b, band.n, band.predictedMean, band.realizedRate, band.deviation, band.brier],
      )
      const verdict = calibrationVerdict(scores) ?? `insufficient (${scores.n})`
      return {
        brier,
        logScore,
        hitRate,
        reliability,
        resolution,
        uncertainty,
        skill,
        bands,
        error: scores.calibrationError,
        verdict,
      }
    },
  }),
  computedTwice({
    name: 'cluster bootstrap of a mean',
    sections: ['G1'],
    params: ['bootstrap'],
    shape: { values: [{ cluster: 'INT', value: 'DOUBLE' }], draws: ['INT'] },
    cases: 6,
    // The same bootstrap samples of clusters, given as numbers; two thousand of them.
    sql: `
      with v as (select id, v.cluster as c, v.value as value from (select id, unnest("values") as v from cases)),
      clusters as (select id, row_number() over (partition by id order by c) - 1 as k, sum(value) as s, count(*) as n, count(*) over (partition by id) as m from v group by id, c),
      drawn as (select id, generate_subscripts(draws, 1) - 1 as i, unnest(draws) as k from cases),
      means as (select drawn.id, i // m as d, sum(s) / sum(n) as mean from drawn join clusters on clusters.id = drawn.id and clusters.k = drawn.k group by drawn.id, d)
      select id, if(count(*) = 2000, quantile_cont(mean, .025), null) as low, if(count(*) = 2000, quantile_cont(mean, .975), null) as high from means group by id`,
    input: ({ list, integer, any }) => ({
      values: list(60, 60, (i) => ({ cluster: i < 20 ? i + 10 : integer(10, 29), value: any() })),
      draws: list(40_000, 40_000, () => integer(0, 19)),
    }),
    first: ({ values, draws }) => {
      let place = 0
      const interval = clusterInterval(
        values,
        ({ cluster }) => String(cluster),
        ({ value }) => value,
        () => ((draws[place++] ?? 0) + 0.5) / 20,
      )
      return { low: interval?.low ?? null, high: interval?.high ?? null }
    },
  }),
  computedTwice({
    name: 'final score of a search result',
    sections: ['I1'],
    shape: { rel: 'DOUBLE', pct: 'DOUBLE', liquidity: 'TEXT' },
    sql: `with w(l, w) as (values ('high', 1.0), ('medium', .7), ('low', .4))
          select id, rel * (.60 + .25 * pct + .15 * w) as score from cases join w on l = liquidity`,
    input: ({ any, pick }) => ({ rel: any(), pct: any(), liquidity: pick(LIQUIDITIES) }),
    first: ({ rel, pct, liquidity }) => ({ score: finalScore(rel, pct, liquidity) }),
  }),
  computedTwice({
    name: 'surprise of a release',
    sections: ['M'],
    params: ['econSurprise'],
    shape: { actual: 'DOUBLE', consensus: 'DOUBLE', implied: 'DOUBLE', past: ['DOUBLE'] },
    sql: `
      with p as (select id, unnest(past) as p from cases),
      sds as (select id, if(count(p) >= 8, nullif(stddev_samp(p), 0), null) as sd from p group by id)
      select cases.id, coalesce(consensus, implied) as expected, (actual - coalesce(consensus, implied)) / sd as surprise from cases left join sds using (id)`,
    input: ({ list, nullable, integer, any }) => ({
      actual: nullable(integer(0, 50) / 10),
      consensus: nullable(integer(0, 50) / 10),
      implied: nullable(any() * 5),
      past: list(0, 16, () => nullable(integer(-9, 9) / 10)),
    }),
    first: ({ actual, consensus, implied, past }) => {
      const { expected, surprise } = econSurprise({ actual, consensus, impliedMean: implied }, past)
      return { expected, surprise }
    },
  }),
  computedTwice({
    name: 'distribution of a ladder',
    sections: ['M'],
    shape: { rungs: [{ strike: 'DOUBLE', chance: 'DOUBLE', weight: 'DOUBLE' }] },
    // Isotonic regression (decreasing): the value at a rung is the minimum over starts of the
    // maximum mean to any end.
    sql: `
      with r as (select id, generate_subscripts(rungs, 1) as i, unnest(rungs) as r, len(rungs) as n from cases),
      sums as (select id, i, n, r.strike as strike, r.chance as c, r.weight as w from r),
      means as (
        select a.id, a.i as a, b.i as b, sum(m.c * m.w) / sum(m.w) as v from sums as a join sums as b on a.id = b.id and b.i >= a.i
          join sums as m on m.id = a.id and m.i between a.i and b.i group by a.id, a.i, b.i),
      tops as (select s.id, s.i, a, max(v) as v from sums as s join means on means.id = s.id and a <= s.i and b >= s.i group by s.id, s.i, a),
      fitted as (select id, i, min(v) as p from tops group by id, i),
      edges as (select id, i, n, strike, p, coalesce(lag(p) over w, 1) as above, lag(strike) over w as from_, lead(strike) over w as next_ from fitted join sums using (id, i) window w as (partition by id order by i)),
      buckets as (
        select id, i, coalesce(from_, 2 * strike - next_) as low, strike as high, above - p as chance from edges
        union all
        select id, n + 1, strike, 2 * strike - from_, p from edges where i = n),
      upto as (select *, sum(chance) over (partition by id order by i) as total from buckets),
      halves as (select * from upto where chance > 0 and total >= .5 - 1e-12 qualify row_number() over (partition by id order by i) = 1),
      whole as (select id, sum((low + high) / 2 * chance) / sum(chance) as mean, list(chance order by i) as chances from buckets group by id)
      select whole.id, chances, mean, halves.low + (halves.high - halves.low) * least(1, (.5 - (total - chance)) / chance) as median from whole left join halves using (id)`,
    input: ({ list, integer, pick }) => {
      let strike = 0
      return {
        rungs: list(2, 6, (i) => ({
          strike: (strike += integer(1, 3)),
          chance: Math.max(0.02, 0.95 - i * 0.15 + integer(-20, 20) / 100),
          weight: pick([1, 0.7, 0.4]),
        })).map((rung) => ({ ...rung, chance: Math.min(1, rung.chance) })),
      }
    },
    first: ({ rungs }) => {
      const distribution = ladderDistribution(rungs)
      return {
        chances: distribution?.buckets.map(({ chance }) => chance) ?? null,
        mean: distribution?.mean ?? null,
        median: distribution?.median ?? null,
      }
    },
  }),
]
