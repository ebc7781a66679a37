import type { Cents, Millis } from '../../domain/units.ts'
import { chooseBasket, riskContract, THEATRES } from '../../domain/world/gauges/geo-basket.ts'
import { activeTheatres, geoRiskOf } from '../../domain/world/gauges/geo-risk.ts'
import {
  disagreementOf,
  tradedMoves,
  measureActivity,
  measureBreadth,
  measureDisagreement,
} from '../../domain/world/gauges/gauges.ts'
import { indexValue, readIndex, servedIndex } from '../../domain/world/gauges/index-reading.ts'
import { regimeSentence, regimeSummary } from '../../domain/world/salient/regime-sentence.ts'
import { regimeShift } from '../../domain/world/salient/regime-shift.ts'
import { universeOf } from '../../domain/world/universe.ts'
import { worldMarket } from '../world-markets.ts'
import { computedTwice, type SecondComputation } from './computed-twice.ts'
import type { Draws } from './draws.ts'
import { CENTS, LIQUIDITIES } from './shapes.ts'

const HOURS = 3_600_000

const gauges = ({ nullable, integer }: Draws) => ({
  disagreement: nullable(integer(0, 100)),
  geoRisk: nullable(integer(0, 80)),
  breadth: nullable(integer(-50, 50) / 100),
  activity: nullable(integer(0, 100)),
})
const GAUGES = { disagreement: 'INT', geoRisk: 'INT', breadth: 'DECIMAL(5,2)', activity: 'INT' }

/** Fields of gauges with moves undone; `@` in the condition is the gauge. */
const undone = (condition: string): string =>
  Object.keys(GAUGES)
    .map(
      (gauge) =>
        `${gauge}: if(${condition.replace('@', gauge)}before.${gauge} is not null and after.${gauge} is not null, before.${gauge}, after.${gauge})`,
    )
    .join(', ')

/** The gauges' sentence in the fields of a record. */
const sentence = (of: string): string => `case
  when ${of}.geoRisk >= 60 then 'Geopolitical stress — risk contracts repricing toward worse outcomes'
  when ${of}.disagreement >= 70 and ${of}.activity >= 80 then 'Turbulent — prices and flow both far above normal'
  when ${of}.breadth >= 0.30 then 'Broad up-skew — markets resolving toward higher probability'
  when ${of}.breadth <= -0.30 then 'Broad down-skew — markets resolving toward lower probability'
  when ${of}.disagreement >= 70 then 'High disagreement — prices moving without a common direction'
  when ${of}.activity >= 80 then 'Busy — unusually many repricings'
  when ${of}.activity <= 10 and ${of}.disagreement <= 20 then 'Quiet — little repricing'
  else 'Steady — no dominant macro signal' end`

/** Second computations of methodology part B. */
export const GAUGE_QUANTITIES: readonly SecondComputation[] = [
  computedTwice({
    name: 'universe: no parlays, no short horizons, a pair once',
    sections: ['B'],
    params: ['universe'],
    shape: {
      markets: [
        { ticker: 'TEXT', hours: 'INT', legs: 'BOOLEAN', liquidity: 'TEXT', usd: 'DOUBLE' },
      ],
      pairs: [{ a: 'TEXT', b: 'TEXT', confidence: 'DECIMAL(4,2)' }],
    },
    sql: `
      with counted as (
        select id, m, case m.liquidity when 'high' then 1 when 'medium' then .7 else .4 end as w
          from (select id, unnest(markets) as m from cases) where not m.legs and (m.hours is null or m.hours >= 24)),
      paired as (select id, unnest(pairs) as p from cases),
      dropped as (
        select paired.id, if(a.w <> b.w, if(a.w < b.w, a.m.ticker, b.m.ticker),
                 if(coalesce(a.m.usd, 0) <> coalesce(b.m.usd, 0),
                    if(coalesce(a.m.usd, 0) < coalesce(b.m.usd, 0), a.m.ticker, b.m.ticker),
                    greatest(a.m.ticker, b.m.ticker))) as ticker
          from paired join counted as a on a.id = paired.id and a.m.ticker = p.a
                      join counted as b on b.id = paired.id and b.m.ticker = p.b where p.confidence >= .8)
      select cases.id, coalesce(tickers, []) as tickers from cases left join (
        select id, list(m.ticker order by m.ticker) as tickers from counted
         where (id, m.ticker) not in (select id, ticker from dropped) group by id) using (id)`,
    input: ({ list, integer, nullable, chance, pick }) => ({
      markets: list(2, 8, (i) => ({
        ticker: `K${i}`,
        hours: nullable(integer(0, 60)),
        legs: chance(0.15),
        liquidity: pick(LIQUIDITIES),
        usd: nullable(integer(0, 3)),
      })),
      pairs: list(0, 3, () => ({
        a: `K${integer(0, 3)}`,
        b: `K${integer(4, 7)}`,
        confidence: integer(70, 90) / 100,
      })),
    }),
    first: ({ markets, pairs }) => {
      const listed = markets.map(({ ticker, hours, legs, liquidity, usd }) =>
        worldMarket({
          ticker,
          multiLeg: legs,
          liquidity,
          volume24hUsd: usd,
          listedAt: 0,
          closeTime: hours === null ? null : hours * HOURS,
        }),
      )
      return { tickers: universeOf(listed, pairs).map(({ ticker }) => ticker) }
    },
  }),
  computedTwice({
    name: 'movement of a market',
    sections: ['B1'],
    shape: { marks: [CENTS], hours: 'INT' },
    sql: `
      with known as (
        select id, m - lag(m) over (partition by id order by i) as d
          from (select id, generate_subscripts(marks, 1) as i, unnest(marks) as m from cases) where m is not null),
      sums as (select id, sqrt(coalesce(sum(d * d), 0)) as sigma, count(*) filter (where d <> 0) as changes from known group by id having count(*) >= 2)
      select cases.id, sigma / sqrt(hours) as sigma, changes from cases left join sums using (id)`,
    input: ({ list, integer, nullable }) => ({
      marks: list(0, 12, () => nullable(integer(80, 90) / 2)),
      hours: integer(1, 24),
    }),
    first: ({ marks, hours }) => {
      const moves = tradedMoves(
        marks.map((mark) => mark ?? NaN),
        hours,
      )
      return { sigma: moves?.sigma ?? null, changes: moves?.changes ?? null }
    },
  }),
  computedTwice({
    name: 'disagreement',
    sections: ['B1', 'B8'],
    params: ['gauges'],
    shape: {
      markets: [{ sigma: 'DOUBLE', changes: 'INT' }],
      last: { value: 'INT', hours: 'DECIMAL(5,2)' },
    },
    sql: `
      with counted as (
        select id, median(m.sigma) as med, count(*) as n from (select id, unnest(markets) as m from cases)
         where m.sigma is not null and m.changes >= 2 group by id),
      read as (select cases.id, last, med, coalesce(n, 0) as n from cases left join counted using (id))
      select id, n as qualifying, if(n >= 10, med, null) as sigma,
             if(n >= 10, least(100, 25 * med), if(last.hours <= 6, last.value, null)) as world,
             if(n >= 5, least(100, 25 * med), null) as theme from read`,
    decimals: { sigma: 1, world: 0, theme: 0 },
    input: ({ list, integer, nullable, any }) => ({
      markets: list(0, 24, () => ({
        sigma: nullable(any() * 5),
        changes: integer(1, 9),
      })),
      last: nullable({ value: integer(0, 100), hours: integer(0, 32) / 4 }),
    }),
    first: ({ markets, last }) => {
      const at = (100 * HOURS) as Millis
      const listed = markets.map(({ sigma, changes }) =>
        worldMarket({ tradedMoves: sigma === null ? null : { sigma, changes } }),
      )
      const before =
        last === null ? null : { value: last.value, at: (at - last.hours * HOURS) as Millis }
      const { value, sigma, qualifying } = measureDisagreement(listed, at, 10, before)
      const theme = measureDisagreement(listed, at, 5, null).value
      return { qualifying, sigma, world: value, theme }
    },
  }),
  computedTwice({
    name: 'disagreement of a sigma',
    sections: ['B1'],
    shape: { sigma: 'DOUBLE' },
    sql: 'select id, least(100, 25 * sigma) as value from cases',
    decimals: { value: 0 },
    input: ({ any }) => ({ sigma: 6 * any() }),
    first: ({ sigma }) => ({ value: disagreementOf(sigma) }),
  }),
  computedTwice({
    name: 'geopolitical basket',
    sections: ['B2'],
    params: ['geoBasket'],
    shape: {
      markets: [{ ticker: 'TEXT', place: 'TEXT', event: 'TEXT', tau: 'DOUBLE', usd: 'DOUBLE' }],
    },
    sql: `
      with places(place, theatre, n) as (values ('Iran', 'iran_gulf', 1), ('Israel', 'israel_levant', 2),
             ('Ukraine', 'ukraine_russia', 3), ('Taiwan', 'china_taiwan', 4), ('North Korea', 'korea', 5)),
      events(event, sign) as (values ('strike', 1), ('invasion', 1), ('war', 1), ('attack', 1), ('ceasefire', -1), ('treaty', -1), ('withdrawal', -1)),
      ranked as (
        select id, m.ticker, theatre, sign, n, row_number() over (partition by id, theatre order by coalesce(m.usd, 0) desc, m.ticker) as place_
          from (select id, unnest(markets) as m from cases) join places on m.place = places.place join events on m.event = events.event
         where m.tau >= 1)
      select cases.id, coalesce(members, []) as members from cases left join (
        select id, list(ticker || ' ' || theatre || ' ' || sign order by n, place_) as members
          from ranked where place_ <= 8 group by id) using (id)`,
    input: ({ list, pick, integer, nullable }) => ({
      markets: list(0, 30, (i) => ({
        ticker: `K${String((i * 17) % 31).padStart(2, '0')}`,
        place: pick(['Iran', 'Iran', 'Israel', 'Ukraine', 'Taiwan', 'North Korea', 'Peru']),
        event: pick([
          'strike',
          'invasion',
          'war',
          'attack',
          'ceasefire',
          'treaty',
          'withdrawal',
          'visit',
        ]),
        tau: nullable(integer(0, 40) / 4),
        usd: nullable(integer(0, 6)),
      })),
    }),
    first: ({ markets }) => {
      const listed = markets.map(({ ticker, place, event, tau, usd }) =>
        worldMarket({
          ticker,
          tau,
          volume24hUsd: usd,
          category: 'world',
          eventTitle: null,
          title: `Will ${place} see a ${event}?`,
        }),
      )
      const members = chooseBasket(listed)
      return { members: members.map(({ ticker, theatre, sign }) => `${ticker} ${theatre} ${sign}`) }
    },
  }),
  computedTwice({
    name: 'geopolitical risk',
    sections: ['B2'],
    params: ['geoRisk'],
    shape: {
      members: [{ theatre: 'TEXT', sign: 'INT', mark: CENTS, dayAgo: CENTS, squares: 'DOUBLE' }],
      levels: [{ theatre: 'TEXT', days: ['DOUBLE'] }],
    },
    sql: `
      with read as (
        select id, m.theatre as theatre, m.sign * (m.mark - m.dayAgo) as d, sqrt(m.squares / 24) as vol,
               if(m.sign = 1, m.mark, 100 - m.mark) as risk
          from (select id, unnest(members) as m from cases) where m.mark is not null),
      active as (
        select id, theatre, coalesce(avg(d), 0) as d, coalesce(avg(vol), 0) as vol, avg(risk) as level
          from read group by id, theatre having count(*) >= 2 and max(abs(d)) >= 1),
      days as (select id, l.theatre as theatre, l.days as days from (select id, unnest(levels) as l from cases)),
      based as (
        select active.*, if(len(days) >= 7, list_median(days), level) as base from active left join days using (id, theatre)),
      parts as (
        select id, count(*) as n, 100 * avg(greatest(0, least(1, d / 10))) as delta, 100 * avg(greatest(0, least(1, vol / 4))) as vol,
               100 * avg(greatest(0, least(1, (level - base) / 20))) as level from based group by id)
      select cases.id, coalesce(n, 0) as active, coalesce(delta, 0) as delta, coalesce(vol, 0) as vol, coalesce(level, 0) as level,
             coalesce(.5 * delta + .3 * vol + .2 * level, 0) as value
        from cases left join parts using (id)`,
    decimals: { delta: 1, vol: 1, level: 1, value: 0 },
    input: ({ list, integer, nullable, pick, any }) => ({
      members: list(0, 12, () => ({
        theatre: pick(THEATRES.slice(0, 4)),
        sign: pick([1, -1] as const),
        mark: nullable(integer(10, 60)),
        dayAgo: nullable(integer(15, 60)),
        squares: nullable(any() * 400),
      })),
      levels: THEATRES.slice(0, 3).map((theatre) => ({
        theatre,
        days: list(3, 12, () => integer(5, 60)),
      })),
    }),
    first: ({ members, levels }) => {
      const read = members.map(({ theatre, sign, mark, dayAgo, squares }) => ({
        theatre,
        sign,
        squaredMoves24h: squares,
        mark: mark as Cents | null,
        markDayAgo: dayAgo as Cents | null,
      }))
      const risk = geoRiskOf(
        activeTheatres(read, new Map(levels.map(({ theatre, days }) => [theatre, days]))),
      )
      return { ...risk }
    },
  }),
  computedTwice({
    name: 'sign of a risk contract',
    sections: ['B2'],
    shape: { word: 'TEXT' },
    sql: `select id, case when word in ('strike', 'invasion', 'war', 'closure', 'attack', 'nuclear') then 1
                          when word in ('ceasefire', 'deal', 'treaty', 'withdrawal', 'reopen') then -1 end as sign from cases`,
    input: ({ pick }) => ({
      word: pick([
        'strike',
        'invasion',
        'war',
        'closure',
        'attack',
        'nuclear',
        'ceasefire',
        'deal',
        'treaty',
        'withdrawal',
        'reopen',
        'visit',
        'film',
      ]),
    }),
    first: ({ word }) => ({
      sign: riskContract(worldMarket({ title: `Iran ${word}?`, category: 'world' }))?.sign ?? null,
    }),
  }),
  computedTwice({
    name: 'breadth',
    sections: ['B3'],
    params: ['gauges'],
    shape: { markets: [{ mark: CENTS, dayAgo: CENTS }] },
    sql: `
      with moves as (select id, m.mark - m.dayAgo as d from (select id, unnest(markets) as m from cases)),
      counts as (select id, count(*) filter (where d >= 10) as up, count(*) filter (where d <= -10) as down from moves group by id)
      select cases.id, coalesce(up, 0) as up, coalesce(down, 0) as down,
             coalesce(if(up + down = 0, 0, (up - down) / (up + down)), 0) as value from cases left join counts using (id)`,
    decimals: { value: 2 },
    input: ({ list, nullable, integer }) => ({
      markets: list(0, 15, () => ({
        mark: nullable(integer(60, 120) / 2),
        dayAgo: nullable(integer(60, 120) / 2),
      })),
    }),
    first: ({ markets }) => {
      const rows = markets.map(({ mark, dayAgo }) => worldMarket({ mark, markDayAgo: dayAgo }))
      const { up, down, value } = measureBreadth(rows)
      return { up, down, value }
    },
  }),
  computedTwice({
    name: 'activity',
    sections: ['B4'],
    params: ['gauges'],
    shape: { now: 'INT', baseline: ['INT'] },
    sql: `
      with counts as (select *, len(list_filter(baseline, x -> x < now)) as below, len(list_filter(baseline, x -> x is not null)) as days from cases)
      select id, below, days, if(days < 3 or now is null, null, 100 * below / days) as value from counts`,
    decimals: { value: 0 },
    input: ({ list, nullable, integer }) => ({
      now: nullable(integer(0, 30)),
      baseline: list(0, 30, () => nullable(integer(0, 30))),
    }),
    first: ({ now, baseline }) => {
      const { below, days, value } = measureActivity(now, baseline)
      return { below, days, value }
    },
  }),
  computedTwice({
    name: 'index value, its change, the sentence',
    sections: ['B5', 'B6'],
    params: ['index', 'regimeSentence'],
    shape: { ...GAUGES, dayAgo: 'INT' },
    sql: `
      with weighed as (
        select *, coalesce(.35 * disagreement, 0) + coalesce(.25 * geoRisk, 0) + coalesce(.15 * 100 * abs(breadth), 0) + coalesce(.25 * activity, 0) as s,
               if(disagreement is null, 0, .35) + if(geoRisk is null, 0, .25) + if(breadth is null, 0, .15) + if(activity is null, 0, .25) as w,
               (disagreement is not null)::int + (geoRisk is not null)::int + (breadth is not null)::int + (activity is not null)::int as n from cases)
      select id, if(n < 2, null, (s / w)::double) as value, if(n < 2, null, round(round(s / w, 9))) - dayAgo as delta24h, ${sentence('weighed')} as label
        from weighed`,
    decimals: { value: 0 },
    input: (draws) => ({ ...gauges(draws), dayAgo: draws.nullable(draws.integer(0, 60)) }),
    first: ({ dayAgo, ...read }) => {
      const value = indexValue(read)
      const input = {
        at: 0 as Millis,
        markets: [],
        theatres: [],
        basketSize: 0,
        changes24h: 0,
        activityBaseline: [],
        lastDisagreement: null,
        scope: 'theme' as const,
      }
      const { delta24h } = servedIndex({ ...readIndex(input), ...read, value }, dayAgo)
      return { value, delta24h, label: regimeSentence(read) }
    },
  }),
  computedTwice({
    name: 'what a theme without data leaves unknown',
    sections: ['B8'],
    shape: { basket: 'INT', moves: [CENTS], theme: 'BOOLEAN' },
    sql: `
      select id, if(theme and basket = 0, null, 0) as geoRisk,
             case when len(list_filter(moves, x -> abs(x) >= 10)) > 0 then
               (len(list_filter(moves, x -> x >= 10)) - len(list_filter(moves, x -> x <= -10))) / len(list_filter(moves, x -> abs(x) >= 10))
             when theme then null else 0 end as breadth from cases`,
    decimals: { breadth: 2 },
    input: ({ integer, list, chance }) => ({
      basket: integer(0, 1),
      moves: list(0, 4, () => integer(-15, 15)),
      theme: chance(0.7),
    }),
    first: ({ basket, moves, theme }) => {
      const { geoRisk, breadth } = readIndex({
        at: 0 as Millis,
        theatres: [],
        basketSize: basket,
        changes24h: 0,
        markets: moves.map((move) => worldMarket({ mark: 50 + move, markDayAgo: 50 })),
        activityBaseline: [],
        lastDisagreement: null,
        scope: theme ? 'theme' : 'world',
      })
      return { geoRisk, breadth }
    },
  }),
  computedTwice({
    name: 'regime summary',
    sections: ['B7'],
    params: ['regimeSummary'],
    shape: { markets: [{ d: CENTS, vr: 'DOUBLE', residual: 'DOUBLE', label: 'TEXT' }] },
    sql: `
      with states as (
        select id, case when abs(m.d) >= 10 or m.residual >= 3 or m.label = 'panic' then 'stressed'
                        when abs(m.d) >= 3 or m.vr >= 1.5 then 'active' else 'calm' end as s
          from (select id, unnest(markets) as m from cases))
      select cases.id, count(*) filter (where s = 'calm') as calm, count(*) filter (where s = 'active') as active,
             count(*) filter (where s = 'stressed') as stressed from cases left join states using (id) group by cases.id`,
    input: ({ list, integer, nullable, pick }) => ({
      markets: list(1, 10, () => ({
        d: nullable(integer(-24, 24) / 2),
        vr: nullable(integer(0, 8) / 2),
        residual: nullable(integer(0, 8) / 2),
        label: pick(['panic', 'range', 'bull', 'range', null]),
      })),
    }),
    first: ({ markets }) => {
      const rows = markets.map(({ d, vr, residual, label }) =>
        worldMarket({
          mark: d === null ? null : 50 + d,
          markDayAgo: 50,
          vr,
          residualVr: residual,
          trendLabel: label,
        }),
      )
      return { ...regimeSummary(rows) }
    },
  }),
  computedTwice({
    name: 'regime shift: gauge and magnitude',
    sections: ['C1'],
    params: ['regimeShift'],
    shape: { before: GAUGES, after: GAUGES },
    sql: `
      with labelled as (
        select cases.id, before, after, ${sentence('before')} as l0,
               ${sentence('after')} as l1 from cases),
      sizes as (
        select id, before, after, l0, l1, unnest([{g: 'disagreement', n: 1, x: abs(after.disagreement - before.disagreement) / 15},
                           {g: 'geoRisk', n: 2, x: abs(after.geoRisk - before.geoRisk) / 15},
                           {g: 'breadth', n: 3, x: abs(after.breadth - before.breadth) / .25},
                           {g: 'activity', n: 4, x: abs(after.activity - before.activity) / 25}]) as s from labelled),
      -- The gauges after, with the move of one undone, and with every move undone.
      undone as (
        select *, {${undone("s.g = '@' and ")}} as one, {${undone('')}} as every from sizes where s.x is not null),
      ranked as (
        select *, s.x >= 1 as isLarge, ${sentence('one')} <> l1 as isDecisive, ${sentence('every')} <> l1 and l0 <> l1 as isCaused from undone),
      most as (
        select id, s from ranked where isLarge or isCaused
        qualify row_number() over (partition by id order by isLarge desc, not isLarge and isDecisive desc, round(s.x, 9) desc, s.n) = 1)
      select cases.id, s.g as gauge, if(s.x is null, null, greatest(s.x, 1)) as x from cases left join most using (id)`,
    input: (draws) => ({ before: gauges(draws), after: gauges(draws) }),
    first: ({ before, after }) => {
      const shift = regimeShift({
        from: before,
        to: after,
        since: 0 as Millis,
        path: [],
        markets: [],
      })
      const gauge = shift?.type === 'regime_shift' ? shift.body.gauge : null
      return { gauge, x: shift?.x ?? null }
    },
  }),
]
