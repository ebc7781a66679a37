import {
  adverseSelection,
  adverseSelectionPrior,
  printCosts,
} from '../../domain/regime/adverse-selection.ts'
import { EVENT_TYPES, OBSERVABILITIES } from '../../domain/topics/event-type-rules.ts'
import { observabilityOf } from '../../domain/topics/event-type.ts'
import { regimeBreakdown } from '../../domain/regime/regime.ts'
import { REGIME_SIDES, regimeHistory, regimeLabel } from '../../domain/regime/label.ts'
import { REGIME_SORTS } from '../../domain/regime/scan.ts'
import { scanRegimes } from '../scan-regimes.ts'
import type { Cents, Millis } from '../../domain/units.ts'
import { computedTwice, type SecondComputation } from './computed-twice.ts'
import { CENTS } from './shapes.ts'

const MINUTES = 60_000

const PRIORS = `
  types(eventType, base) as (values ('data_release', .50), ('political', .50), ('financial', .60), ('sports', .45),
    ('weather', .40), ('cultural', .45), ('scientific', .40)),
  watched(observability, adj) as (values ('none', 0), ('low', .10), ('medium', .05), ('high', 0), ('direct', .15))`

/** The SQL of a label by the thresholds alone. */
const cut = (value: string): string =>
  `case when ${value} is null then 'neutral' when ${value} <= .35 then 'maker' when ${value} >= .65 then 'taker' else 'neutral' end`

/** Second computations of methodology A10 and A11, and of the regime lists of part M. */
export const SELECTION_QUANTITIES: readonly SecondComputation[] = [
  computedTwice({
    name: 'observability by event type',
    sections: ['A10'],
    params: ['eventType'],
    shape: { type: 'TEXT', tau: 'DOUBLE', days: 'DOUBLE', inPlay: 'BOOLEAN' },
    sql: `select id, case
            when type = 'financial' or (type = 'sports' and inPlay) then 'direct'
            when type = 'weather' and coalesce(days, tau) * 24 <= 48 then 'direct'
            when type in ('sports', 'weather', 'data_release') then 'high'
            when days is null and (tau is null or tau > 365) then 'none'
            else 'low' end as observability from cases`,
    input: ({ pick, nullable, integer, chance }) => ({
      type: pick(EVENT_TYPES),
      tau: nullable(integer(0, 800) / 2),
      days: nullable(integer(0, 20) / 4),
      inPlay: chance(0.3),
    }),
    first: ({ type, tau, days, inPlay }) => ({
      observability: observabilityOf(
        {
          title: 'X',
          eventTitle: null,
          seriesTitle: null,
          seriesId: null,
          category: 'other',
          tags: [],
        },
        type,
        { tau, daysToEvent: days, inPlay },
      ),
    }),
  }),
  computedTwice({
    name: 'adverse selection of prints: prior, alpha, score',
    sections: ['A11'],
    params: ['adverseSelection'],
    shape: {
      eventType: 'TEXT',
      observability: 'TEXT',
      quotes: [{ ts: 'BIGINT', bid: CENTS, ask: CENTS }],
      trades: [{ ts: 'BIGINT', price: CENTS, size: 'DOUBLE', taker: 'INT' }],
    },
    sql: `
      with ${PRIORS},
      quoted as (select id, unnest(quotes) as q from cases),
      traded as (select id, generate_subscripts(trades, 1) as i, unnest(trades) as p from cases),
      steps as (select *, sign(p.price - lag(p.price) over (partition by id order by i)) as step from traded),
      ticked as (
        select *, last_value(nullif(step, 0) ignore nulls) over (partition by id order by i) as tick from steps),
      inside as (select * from ticked where p.ts > -7 * 86400000 and p.ts <= -5 * 60000),
      newest as (select id, p.ts as ts, max(q.ts) as quoted_at
                   from (select distinct id, p from inside) as t join quoted using (id)
                  where q.ts < p.ts group by id, p.ts),
      before as (
        select distinct id, newest.ts, (q.bid + q.ask) / 2 as m
          from newest join quoted using (id)
         where q.ts = quoted_at and newest.ts - quoted_at <= 60000 and q.bid is not null and q.ask is not null),
      sided as (
        select inside.id, i, p, case p.taker when 1 then 1 when 2 then -1
                 else coalesce(nullif(sign(p.price - m), 0), tick) end as side
          from inside join before on before.id = inside.id and before.ts = p.ts),
      merged as (
        select id, side, min(p.ts) as ts, sum(p.price * p.size) / sum(p.size) as price
          from sided where side is not null group by id, side, floor(p.ts / 1000)),
      later as (
        select merged.id, side, ts, price, arg_min((q.bid + q.ask) / 2, q.ts) as after
          from merged join quoted on quoted.id = merged.id
         where q.ts >= ts + 5 * 60000 and q.ts <= 0 and q.bid is not null and q.ask is not null group by all),
      costs as (
        select id, side * (price - m) as es, greatest(-10, least(10, side * (after - m))) as pi
          from later join before using (id, ts)),
      sums as (select id, count(*) as n, sum(es) as es, sum(pi) as pi from costs group by id),
      shares as (
        select cases.id, coalesce(n, 0) as nTrades, round(greatest(.1, least(.9, base + adj)), 4) as prior,
               if(n >= 5 and es > 1e-9, greatest(0, least(1, pi / es)), null) as alpha
          from cases join types using (eventType) join watched using (observability) left join sums using (id))
      select id, nTrades, prior, alpha,
             if(alpha is null, prior, (nTrades * alpha + 50 * prior) / (nTrades + 50)) as score
        from shares`,
    decimals: { score: 3 },
    input: ({ pick, list, integer, chance }) => {
      const stamps = (count: number, from: number) =>
        list(count, count, () => integer(from, 10) * 6_000).sort((a, b) => a - b)
      const bids = integer(20, 60)
      return {
        eventType: pick(EVENT_TYPES),
        observability: pick(OBSERVABILITIES),
        quotes: stamps(40, -200)
          .filter((ts, i, all) => ts !== all[i - 1])
          .map((ts) => {
            const bid = bids + integer(0, 8) / 2
            return { ts, bid: chance(0.95) ? bid : null, ask: chance(0.95) ? bid + 2 : null }
          }),
        trades: list(0, 25, () => integer(-240, 10) * 6_000 + integer(0, 3) * 400)
          .sort((a, b) => a - b)
          .map((ts) => ({
            ts,
            price: bids + integer(-2, 12) / 2,
            size: integer(1, 50),
            taker: integer(0, 2),
          })),
      }
    },
    first: ({ eventType, observability, quotes, trades }) => {
      const columnOf = <R>(rows: readonly R[], of: (row: R) => number | null) =>
        Float64Array.from(rows, (row) => of(row) ?? NaN)
      const costs = printCosts(
        {
          ts: columnOf(trades, ({ ts }) => ts),
          price: columnOf(trades, ({ price }) => price),
          size: columnOf(trades, ({ size }) => size),
          taker: Uint8Array.from(trades, ({ taker }) => taker),
        },
        {
          ts: columnOf(quotes, ({ ts }) => ts),
          confirmedUntil: columnOf(quotes, ({ ts }) => ts),
          bid: columnOf(quotes, ({ bid }) => bid),
          ask: columnOf(quotes, ({ ask }) => ask),
          mark: columnOf(quotes, ({ bid, ask }) =>
            bid === null || ask === null ? null : (bid + ask) / 2,
          ),
        },
        0 as Millis,
      )
      const prior = adverseSelectionPrior(eventType, observability)
      const { score, nTrades, alpha } = adverseSelection(costs, prior)
      return { prior, score, nTrades, alpha }
    },
  }),
  computedTwice({
    name: 'regime label with hysteresis',
    sections: ['A11'],
    params: ['regime'],
    shape: { scores: ['DECIMAL(6,3)'] },
    sql: `
      with recursive labels as (
        select id, 1 as i, ${cut('scores[1]')} as label, [${cut('scores[1]')}] as given_labels from cases
        union all
        select id, i + 1, label_now, list_append(given_labels, label_now) from (
          select id, i, given_labels, case
                   when label = 'maker' then case when s < .37 then 'maker' when s >= .67 then 'taker' else 'neutral' end
                   when label = 'taker' then case when s > .63 then 'taker' when s <= .33 then 'maker' else 'neutral' end
                   when s <= .33 then 'maker' when s >= .67 then 'taker' else 'neutral' end as label_now
            from (select labels.*, scores[i + 1] as s, len(scores) as n from labels join cases using (id)) where i < n))
      select id, given_labels as labels from labels join cases using (id) where i = len(scores)`,
    input: ({ list, integer }) => ({ scores: list(8, 8, () => integer(300, 700) / 1_000) }),
    first: ({ scores }) => {
      const labels: string[] = []
      let label: (typeof REGIME_SIDES)[number] | null = null
      for (const score of scores) labels.push((label = regimeLabel(score, label)))
      return { labels }
    },
  }),
  computedTwice({
    name: 'whom the signals of a regime speak for',
    sections: ['A11'],
    params: ['regime'],
    shape: {
      spread: CENTS,
      bid: 'DOUBLE',
      ask: 'DOUBLE',
      edge: CENTS,
      prior: 'DECIMAL(6,3)',
      observability: 'TEXT',
      alpha: 'DECIMAL(6,3)',
    },
    sql: `
      with depths as (select *, if(bid is null or ask is null, null, least(bid, ask)) as d from cases)
      select id, [${cut('alpha')},
                  case when spread >= 4 then 'maker' when spread <= 1 then 'taker' else 'neutral' end,
                  case when bid <> d or d is null then 'neutral' when d < 200 then 'maker' when d >= 1000 then 'taker' else 'neutral' end,
                  case when ask <> d or d is null then 'neutral' when d < 200 then 'maker' when d >= 1000 then 'taker' else 'neutral' end,
                  if(observability in ('low', 'direct'), 'taker', 'neutral'),
                  ${cut('prior')},
                  case when abs(edge) >= 5 then 'taker' else 'neutral' end] as effects from depths`,
    input: ({ nullable, integer, pick }) => ({
      spread: nullable(integer(1, 16) / 2),
      bid: nullable(integer(1, 15) * 100),
      ask: nullable(integer(1, 15) * 100),
      edge: nullable(integer(-9, 9)),
      prior: integer(100, 900) / 1_000,
      observability: pick(OBSERVABILITIES),
      alpha: nullable(integer(0, 1_000) / 1_000),
    }),
    first: ({ spread, bid, ask, edge, prior, observability, alpha }) => {
      const signals = {
        spreadCents: spread as Cents | null,
        bidDepthUsd: bid,
        askDepthUsd: ask,
        volume24h: 1,
        observability,
        eventType: 'sports' as const,
        asPrior: prior,
        sfEdgeCents: edge,
        sfEdgeDirection: null,
      }
      const triggers = new Set([
        'alpha',
        'spreadCents',
        'bidDepthUsd',
        'askDepthUsd',
        'observability',
        'asPrior',
        'sfEdgeCents',
      ])
      const lines = regimeBreakdown({ signals, alpha, nTrades: 9 })
      return { effects: lines.flatMap(({ name, effect }) => (triggers.has(name) ? [effect] : [])) }
    },
  }),
  computedTwice({
    name: 'regime scan',
    sections: ['M'],
    params: ['regimeScan'],
    shape: {
      rows: [
        {
          ticker: 'TEXT',
          label: 'TEXT',
          score: 'DECIMAL(6,3)',
          edge: 'DOUBLE',
          volume24hUsd: 'DOUBLE',
          spread: 'DOUBLE',
          tau: 'DOUBLE',
        },
      ],
      min: 'DECIMAL(6,3)',
      max: 'DECIMAL(6,3)',
      hasEdge: 'BOOLEAN',
      label: 'TEXT',
      sort: 'TEXT',
    },
    sql: `
      with kept as (
        select * from (select id, "min", "max", hasEdge, label as asked, sort, unnest(rows) as r from cases)
         where r.score between "min" and "max"
           and (hasEdge is null or coalesce(abs(r.edge) >= 1, false) = hasEdge) and (asked is null or r.label = asked)),
      keyed as (select *, case sort when 'score' then r.score::double when 'volume24h' then r.volume24hUsd
                                    when 'spread' then r.spread when 'edge' then abs(r.edge) when 'tau' then r.tau end as k from kept)
      select cases.id, coalesce(tickers, []) as tickers from cases left join
             (select id, list(r.ticker order by k desc nulls last, r.ticker) as tickers from keyed group by id) using (id)`,
    input: ({ list, pick, integer, nullable, chance }) => ({
      rows: list(0, 9, (i) => ({
        ticker: `K${(i * 7) % 10}`,
        label: pick(REGIME_SIDES),
        score: integer(1, 20) / 20,
        edge: nullable(integer(-6, 6) / 2),
        volume24hUsd: nullable(integer(0, 4)),
        spread: nullable(integer(1, 3)),
        tau: nullable(integer(1, 9)),
      })),
      min: integer(0, 8) / 20,
      max: integer(12, 20) / 20,
      hasEdge: nullable(chance(0.5)),
      label: nullable(pick(REGIME_SIDES)),
      sort: pick(REGIME_SORTS.filter((sort) => sort !== 'depth')),
    }),
    first: ({ rows, min, max, hasEdge, label, sort }) => {
      const whole = rows.map((row) => ({
        ...row,
        venue: 'venue_a' as const,
        category: 'other',
        topics: [],
        eventType: 'sports' as const,
        observability: 'high' as const,
        bidDepthUsd: null,
        askDepthUsd: null,
      }))
      const filter = {
        minScore: min,
        maxScore: max,
        ...(hasEdge === null ? {} : { hasEdge }),
        ...(label === null ? {} : { label }),
      }
      return { tickers: scanRegimes(whole, filter, sort).rows.map(({ ticker }) => ticker) }
    },
  }),
  computedTwice({
    name: 'regime history: a row on change, one an hour',
    sections: ['M'],
    shape: { rows: [{ minute: 'INT', score: 'INT', spread: 'INT' }] },
    sql: `
      with recursive told as (
        select id, 1 as i, rows[1] as row, [rows[1].minute] as minutes from cases
        union all
        select id, i + 1, if(isNew, next, row), if(isNew, list_append(minutes, next.minute), minutes)
          from (select *, next.minute - row.minute >= 60
                          and (next.score <> row.score or next.spread is distinct from row.spread) as isNew
                  from (select told.*, rows[i + 1] as next, len(rows) as n from told join cases using (id)) where i < n))
      select id, minutes from told join cases using (id) where i = len(rows)`,
    input: ({ list, integer, nullable }) => ({
      rows: list(10, 10, (i) => ({ minute: i * 15, score: integer(1, 2), spread: nullable(1) })),
    }),
    first: ({ rows }) => {
      const history = regimeHistory(
        rows.map(({ minute, score, spread }) => ({
          at: (minute * MINUTES) as Millis,
          score: score / 10,
          label: 'neutral' as const,
          spreadCents: spread as Cents | null,
          bidDepthUsd: null,
          askDepthUsd: null,
          volume24h: null,
        })),
      )
      return { minutes: history.map(({ at }) => at / MINUTES) }
    },
  }),
]
