import { foldTrades } from '../fold-trades.ts'
import { dailyTrend } from '../../domain/trend/daily-trend.ts'
import { heatOf, percentilesOf } from '../../domain/trend/heat.ts'
import { priceLevels } from '../../domain/prices/price-levels.ts'
import {
  bollingerBands,
  dailySlope,
  exponentialMean,
  filledForward,
  rangeOf,
  relativeStrength,
  simpleMean,
} from '../../domain/trend/technicals.ts'
import { technicalRow } from '../../domain/trend/technical-row.ts'
import { efficiencyRatio, trendLabel } from '../../domain/trend/trend-label.ts'
import {
  DAY,
  HOUR,
  MINUTE,
  type Cents,
  type Millis,
  type PriceE4,
  type SizeE6,
} from '../../domain/units.ts'
import {
  daysToEvent,
  dailyVolumes,
  volumeRatio,
  volumeSurprise,
} from '../../domain/liquidity/volume-ratio.ts'
import { computedTwice, type SecondComputation } from './computed-twice.ts'
import { CENTS } from './shapes.ts'

/** Second computations of quantities from a market's past: A9, A12, A13, A16, and of part M. */
export const SERIES_QUANTITIES: readonly SecondComputation[] = [
  computedTwice({
    name: 'volume ratio, expected and residual',
    sections: ['A9'],
    params: ['volumeRatio'],
    shape: { volume: 'DOUBLE', baseline: ['DOUBLE'], days: 'DOUBLE' },
    sql: `
      with logs as (select id, ln(1 + b) as l from (select id, unnest(baseline) as b from cases) where b is not null),
      stats as (select id, median(l) as med, count(l) as n, coalesce(stddev_samp(l), 0) as s from logs group by id),
      ratios as (
        select cases.id, days, (ln(1 + volume) - med) / sqrt((n * s * s + 5 * .8 * .8) / (n + 5)) as vr
          from cases left join stats using (id))
      select id, vr, exp(-days / 20) as expectedVr, vr - exp(-days / 20) as residualVr from ratios`,
    input: ({ nullable, list, integer }) => ({
      volume: nullable(integer(0, 9_000)),
      baseline: list(0, 14, () => nullable(integer(0, 5_000))),
      days: nullable(integer(0, 400) / 8),
    }),
    first: ({ volume, baseline, days }) => {
      const { vr, expectedVr, residualVr } = volumeSurprise(
        volumeRatio({ current: volume, baseline }),
        days,
      )
      return { vr, expectedVr, residualVr }
    },
  }),
  computedTwice({
    name: 'daily volumes and days to the event',
    sections: ['A9'],
    shape: {
      trades: [{ hour: 'DOUBLE', usd: 'DOUBLE' }],
      since: 'DOUBLE',
      dates: [{ hour: 'DOUBLE', known: 'DOUBLE' }],
      expected: 'DOUBLE',
    },
    sql: `
      with windows as (select id, k, trades, since from cases, range(0, 15) as r(k)),
      sums as (
        select id, list(if(-24 * (k + 1) < since, null,
                 coalesce(list_sum(list_transform(list_filter(trades, x -> x.hour <= -24 * k and x.hour > -24 * (k + 1)), x -> x.usd)), 0)) order by k) as volumes
          from windows group by id),
      ahead as (select *, list_min(list_transform(list_filter(dates, x -> x.known <= 0 and x.hour > 0), x -> x.hour)) as soonest from cases)
      select id, volumes, coalesce(soonest, if(expected > 0, expected, null)) / 24 as days from sums join ahead using (id)`,
    input: ({ list, integer, nullable }) => ({
      trades: list(0, 20, () => ({ hour: integer(-400, 10), usd: integer(1, 90) })),
      since: integer(-420, -10),
      dates: list(0, 3, () => ({ hour: integer(-50, 200), known: integer(-30, 10) })),
      expected: nullable(integer(-50, 300)),
    }),
    first: ({ trades, since, dates, expected }) => {
      const sorted = trades.toSorted((a, b) => a.hour - b.hour)
      const hours = (hour: number) => (hour * HOUR) as Millis
      const { current, baseline } = dailyVolumes(
        Float64Array.from(sorted, ({ hour }) => hours(hour)),
        Float64Array.from(sorted, ({ usd }) => usd),
        0 as Millis,
        hours(since),
      )
      const catalysts = dates.map((date) => ({ at: hours(date.hour), knownAt: hours(date.known) }))
      const days = daysToEvent(catalysts, expected === null ? null : hours(expected), 0 as Millis)
      return { volumes: [current, ...baseline], days }
    },
  }),
  computedTwice({
    name: 'trend label',
    sections: ['A12'],
    params: ['trendLabel'],
    shape: {
      marks: [CENTS],
      hourAgo: CENTS,
      spread: CENTS,
      median: CENTS,
      trades: 'INT',
      hours: 'INT',
      twoSided: 'BOOLEAN',
    },
    sql: `
      with moves as (
        select *, abs(marks[8] - hourAgo) as d1, abs(marks[8] - marks[7]) as d24, marks[8] - marks[1] as net,
               list_sum(list_transform(range(2, 9), x -> abs(marks[x] - marks[x - 1]))) as path,
               len(list_filter(marks, x -> x is null)) as unknown from cases),
      ratios as (select *, if(unknown > 0 or path = 0, null, abs(net) / path) as er from moves)
      select id, er::double as er, case
               when hours < 72 or coalesce(trades, 0) < 10 or not twoSided then 'frontier'
               when d1 >= 15 or d24 >= 25 or (d24 >= 10 and spread >= 3 * median and spread >= 5) then 'panic'
               when net >= 5 and er >= .4 then 'bull' when net <= -5 and er >= .4 then 'bear' else 'range' end as label
        from ratios`,
    input: ({ list, integer, chance, nullable }) => {
      const drift = integer(-4, 4)
      const start = integer(40, 60)
      return {
        marks: list(8, 8, (i) => (chance(0.02) ? null : start + drift * i + integer(-4, 4))),
        hourAgo: nullable(integer(30, 70)),
        spread: nullable(integer(1, 12)),
        median: nullable(integer(1, 3)),
        trades: nullable(integer(5, 90)),
        hours: integer(60, 400),
        twoSided: chance(0.9),
      }
    },
    first: ({ marks, hourAgo, spread, median, trades, hours, twoSided }) => ({
      er: efficiencyRatio(marks),
      label: trendLabel({
        isLive: true,
        hoursSinceFirstSeen: hours,
        trades7d: trades,
        twoSided,
        mark1hAgo: hourAgo as Cents | null,
        dailyMarks: marks as (Cents | null)[],
        spread: spread as Cents | null,
        medianSpread7d: median as Cents | null,
      }),
    }),
  }),
  computedTwice({
    name: 'averages, RSI, bands, range, slope of closes',
    sections: ['A13'],
    shape: { closes: ['DOUBLE'], price: 'DOUBLE' },
    // Recursions in closed form: an exponential average weights the value j steps back by k(1 −
    // k)^j.
    sql: `
      with numbered as (select id, price, generate_subscripts(closes, 1) as i, unnest(closes) as c from cases),
      filled as (
        select id, price, i, last_value(c ignore nulls) over (partition by id order by i) as c from numbered),
      seen as (
        select id, price, row_number() over (partition by id order by i) as i, count(*) over (partition by id) as n, c
          from filled where c is not null),
      steps as (select *, c - lag(c) over (partition by id order by i) as d from seen),
      weights as (
        select *, if(i - 1 <= 14, power(13 / 14, n - 15) / 14, power(13 / 14, n - i) / 14) as wilder from steps),
      sums as (
        select id, any_value(price) as price, any_value(n) as n,
               avg(c) filter (where i > n - 20) as mean, stddev_pop(c) filter (where i > n - 20) as sd,
               sum(c * if(i = 1, 1, 2 / 13) * power(11 / 13, n - i)) as ema,
               sum(greatest(d, 0) * wilder) filter (where d is not null) as g,
               sum(greatest(-d, 0) * wilder) filter (where d is not null) as l,
               max(c) as high, min(c) as low, regr_slope(c, i) filter (where i > n - 8) as slope
          from weights group by id)
      select cases.id, if(n >= 21, mean, null) as sma, if(n >= 13, ema, null) as ema,
             if(n < 15, null, case when l < 1e-12 then if(g < 1e-12, 50, 100) else 100 - 100 / (1 + g / l) end) as rsi,
             if(n >= 21, greatest(0, mean - 2 * sd), null) as lower, if(n >= 21, least(100, mean + 2 * sd), null) as upper,
             high, low, if(high > low and sums.price is not null, greatest(0, least(1, (sums.price - low) / (high - low))), null) as position,
             if(n >= 8, slope, null) as slope
        from cases left join sums using (id)`,
    input: ({ list, integer, nullable, chance }) => {
      let close = integer(5, 95)
      const isStill = chance(0.05)
      return {
        closes: list(0, 40, () => {
          close = Math.min(99, Math.max(1, close + (isStill ? 0 : integer(-3, 3))))
          return chance(0.1) ? null : close
        }),
        price: nullable(integer(1, 99)),
      }
    },
    first: ({ closes, price }) => {
      const filled = filledForward(closes)
      const bands = bollingerBands(filled, 20, 2)
      const range = rangeOf(filled, price)
      return {
        sma: simpleMean(filled, 20),
        ema: exponentialMean(filled, 12),
        rsi: relativeStrength(filled, 14),
        lower: bands?.lower ?? null,
        upper: bands?.upper ?? null,
        high: range?.high ?? null,
        low: range?.low ?? null,
        position: range?.position ?? null,
        slope: dailySlope(filled, 8),
      }
    },
  }),
  computedTwice({
    name: 'technical row: trend, momentum, breakout, strength',
    sections: ['A13'],
    params: ['technicals'],
    shape: { price: CENTS, closes: [CENTS], vr: 'DOUBLE' },
    sql: `
      with weeks as (
        select *, closes[len(closes) - 7:] as w, list_filter(closes[greatest(1, len(closes) - 20):len(closes) - 1], x -> x is not null) as before from cases),
      known as (select *, len(w) = 8 and len(list_filter(w, x -> x is null)) = 0 as isKnown, len(closes) >= 8 as isWeek from weeks),
      slopes as (
        select id, regr_slope(c, i) as slope, sum(abs(c - p)) as path
          from (select id, i, c, lag(c) over (partition by id order by i) as p
                  from (select id, generate_subscripts(w, 1) as i, unnest(w)::double as c from known where isKnown)) group by id),
      read as (
        select known.*, slope, if(path > 0, abs(w[8] - w[1]) / path, null) as er, w[8] - w[1] as net from known left join slopes using (id))
      select id, case when isWeek and net >= 3 then 'up' when isWeek and net <= -3 then 'down' else 'flat' end as trend,
             slope as momentum,
             case when len(before) < 8 then null when price > list_max(before) then 'up' when price < list_min(before) then 'down' end as breakout,
             .5 * coalesce(er, 0) + .3 * least(1, abs(coalesce(slope, 0)) / 5)
               + .2 * (greatest(coalesce(vr, 0), 0) / 2) / (1 + greatest(coalesce(vr, 0), 0) / 2) as strength
        from read`,
    decimals: { momentum: 4, strength: 4 },
    input: ({ list, integer, nullable, chance }) => {
      const drift = integer(-2, 2)
      return {
        price: nullable(integer(5, 95)),
        closes: list(1, 30, (i) =>
          chance(0.04) ? null : 50 + (drift * i) / 2 + integer(-6, 6) / 2,
        ),
        vr: nullable(integer(-8, 20) / 4),
      }
    },
    first: ({ price, closes, vr }) => {
      const row = technicalRow({
        price: price as Cents | null,
        dailyCloses: closes as (Cents | null)[],
        hourlyCloses: [],
        vr,
      })
      const { trend, momentum, breakout, strength } = row
      return { trend, momentum, breakout, strength }
    },
  }),
  computedTwice({
    name: 'support and resistance levels',
    sections: ['A13'],
    params: ['priceLevels'],
    shape: { closes: ['DOUBLE'], price: 'DOUBLE' },
    sql: `
      with recursive hours as (select id, generate_subscripts(closes, 1) as i, unnest(closes) as c, len(closes) as n from cases),
      ranges as (
        select *, max(c) over w as high, min(c) over w as low, lag(c) over (partition by id order by i) as p
          from hours window w as (partition by id order by i rows between 12 preceding and 12 following)),
      turns as (
        select id, list(c order by c) as t from ranges
         where i > 12 and i <= n - 12 and high > low and (c = high or c = low) and (i = 13 or c <> p) group by id),
      grouping_ as (
        select id, 1 as i, t[1] as base, 1 as g, [1] as groups from turns
        union all
        select id, i + 1, if(t[i + 1] - base <= 2, base, t[i + 1]), if(t[i + 1] - base <= 2, g, g + 1),
               list_append(groups, if(t[i + 1] - base <= 2, g, g + 1))
          from grouping_ join turns using (id) where i < len(t)),
      members as (
        select id, unnest(groups) as g, unnest(t) as c from grouping_ join turns using (id) where i = len(t)),
      levels as (select id, g, avg(c) as level, count(*) as touches from members group by id, g having count(*) >= 2),
      best as (
        select levels.* from levels join cases using (id) where round(level, 2) <> price
        qualify row_number() over (partition by id order by touches desc, abs(round(level, 2) - price), level) <= 6)
      select cases.id, coalesce(levels, []) as levels, coalesce(touches, []) as touches, coalesce(kinds, []) as kinds
        from cases left join (
          select best.id, list(level order by level desc) as levels, list(touches order by level desc) as touches,
                 list(if(level < price, 'support', 'resistance') order by level desc) as kinds
            from best join cases using (id) group by best.id) using (id)`,
    decimals: { levels: 2 },
    input: ({ list, integer, nullable }) => {
      let close = 50
      return {
        closes: list(200, 200, () => (close = Math.min(90, Math.max(10, close + integer(-3, 3))))),
        price: nullable(integer(20, 80)),
      }
    },
    first: ({ closes, price }) => {
      const levels = priceLevels(closes, price as Cents | null)
      return {
        levels: levels.map((level) => level.price),
        touches: levels.map(({ touches }) => touches),
        kinds: levels.map(({ kind }) => kind),
      }
    },
  }),
  computedTwice({
    name: 'candles',
    sections: ['A16'],
    shape: {
      trades: [{ ts: 'BIGINT', tradeId: 'TEXT', price: 'INT', size: 'INT', isBlock: 'BOOLEAN' }],
    },
    sql: `
      with rows as (select id, unnest(trades) as t from cases),
      bars as (
        select id, t.ts // 60000 as bucket, arg_min(t.price, (t.ts, t.tradeId)) filter (where not t.isBlock) as o,
               max(t.price) filter (where not t.isBlock) as h, min(t.price) filter (where not t.isBlock) as l,
               arg_max(t.price, (t.ts, t.tradeId)) filter (where not t.isBlock) as c, sum(t.size) as v
          from rows group by id, bucket having count(*) filter (where not t.isBlock) > 0)
      select cases.id, coalesce(bars, []) as bars from cases left join (
        select id, flatten(list([bucket, o, h, l, c, v]::bigint[] order by bucket)) as bars from bars group by id) using (id)`,
    input: ({ list, integer, chance }) => ({
      trades: list(0, 15, (i) => ({
        ts: integer(0, 40) * 10_000,
        tradeId: `t${(i * 7) % 16}`,
        price: integer(1, 9_999),
        size: integer(1, 90),
        isBlock: chance(0.2),
      })),
    }),
    first: ({ trades }) => {
      const prints = trades.map(({ ts, tradeId, price, size, isBlock }) => ({
        at: ts as Millis,
        tradeId,
        isBlock,
        price: price as PriceE4,
        size: size as SizeE6,
      }))
      const bars = foldTrades(prints, MINUTE)
      return {
        bars: bars.flatMap((bar) => [
          bar.start / MINUTE,
          bar.open,
          bar.high,
          bar.low,
          bar.close,
          bar.volume,
        ]),
      }
    },
  }),
  computedTwice({
    name: 'heat, volume percentile',
    sections: ['M'],
    shape: { volumes: ['DOUBLE'], vr: 'DOUBLE', change: 'DOUBLE' },
    sql: `
      with shares as (
        select *, if(volumes[1] is null, null, len(list_filter(volumes, x -> x <= volumes[1])) / len(list_filter(volumes, x -> x is not null))) as pct from cases)
      select id, pct, 100 * (.5 * (greatest(coalesce(vr, 0), 0) / 2) / (1 + greatest(coalesce(vr, 0), 0) / 2)
             + .3 * (abs(coalesce(change, 0)) / 10) / (1 + abs(coalesce(change, 0)) / 10) + .2 * coalesce(pct, 0)) as heat from shares`,
    decimals: { heat: 0 },
    input: ({ list, nullable, integer }) => ({
      volumes: list(1, 9, () => nullable(integer(0, 6))),
      vr: nullable(integer(-8, 24) / 4),
      change: nullable(integer(-40, 40)),
    }),
    first: ({ volumes, vr, change }) => {
      const pct = percentilesOf(volumes)[0] ?? null
      return { pct, heat: heatOf({ volumeRatio: vr, change24h: change, volumePercentile: pct }) }
    },
  }),
  computedTwice({
    name: 'daily trend',
    sections: ['M'],
    params: ['dailyTrend'],
    shape: {
      now: 'DOUBLE',
      prices: [{ hour: 'DOUBLE', price: 'DOUBLE' }],
      trades: [{ hour: 'DOUBLE', size: 'DOUBLE' }],
    },
    sql: `
      with days as (
        select id, floor(p.hour / 24) as d, arg_max(p.price, p.hour) as price, max(p.price) as high, min(p.price) as low, max(p.hour) as at_
          from (select id, now, unnest(prices) as p from cases)
         where p.price is not null and p.hour <= now and floor(p.hour / 24) > floor(now / 24) - 7 group by id, d),
      volumes as (
        select id, floor(t.hour / 24) as d, sum(t.size) as v from (select id, now, unnest(trades) as t from cases) where t.hour <= now group by id, d)
      select cases.id, coalesce(rows, []) as rows from cases left join (
        select id, flatten(list([d, price, high, low, coalesce(v, 0),
                 if(price > 0 and price < 100 and 600 - at_ > 0, (100 - price) / price * 365 / ((600 - at_) / 24) * 100, null)] order by d)) as rows
          from days left join volumes using (id, d) group by id) using (id)`,
    input: ({ list, integer, nullable }) => ({
      now: integer(150, 300),
      prices: list(0, 25, () => integer(0, 320))
        .sort((a, b) => a - b)
        .filter((hour, i, all) => hour !== all[i - 1])
        .map((hour) => ({ hour, price: nullable(integer(0, 100)) })),
      trades: list(0, 25, () => integer(0, 320))
        .sort((a, b) => a - b)
        .map((hour) => ({ hour, size: integer(1, 50) })),
    }),
    first: ({ now, prices, trades }) => {
      const rows = dailyTrend(
        {
          ts: Float64Array.from(prices, ({ hour }) => hour * HOUR),
          price: Float64Array.from(prices, ({ price }) => price ?? NaN),
        },
        {
          ts: Float64Array.from(trades, ({ hour }) => hour * HOUR),
          volume: Float64Array.from(trades, ({ size }) => size),
        },
        (now * HOUR) as Millis,
        () => (600 * HOUR) as Millis,
      )
      return {
        rows: rows.flatMap((row) => [
          Date.parse(row.date) / DAY,
          row.price,
          row.high,
          row.low,
          row.volume,
          row.iy,
        ]),
      }
    },
  }),
]
