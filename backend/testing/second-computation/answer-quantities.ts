import { extractiveAnswer, keyFactorsOf } from '../../domain/answers/answer-text.ts'
import { computedTwice, type SecondComputation } from './computed-twice.ts'
import {
  daySql,
  drawnFacts,
  FACTS_SHAPE,
  moneySql,
  numberSql,
  presentSql,
  signedSql,
} from './drawn-answers.ts'

const wordsSql = (text: string): string => `coalesce(len(string_split(${text}, ' ')), 0)`

/** The leading market by a quantity: the largest, then by ticker. */
const leading = (name: string, quantity: string, min: string): string =>
  `${name} as (select * from m where ${quantity} >= ${min} qualify row_number() over (partition by id order by ${quantity} desc, m.ticker) = 1)`

/** Second computations of methodology I2: the selection, and the text. */
export const ANSWER_QUANTITIES: readonly SecondComputation[] = [
  computedTwice({
    name: 'extractive answer',
    sections: ['I2'],
    shape: FACTS_SHAPE,
    cases: 400,
    // Sentences in order, each while its words still fit; the caveat's words are reserved first.
    sql: `
      with o as (select id, unnest(outcomes) as o from cases),
      named as (
        select id, list(coalesce(o.outcome, o.title) || ' ' || ${numberSql('o.price')} || '%' order by o.price desc) as names from o where o.price is not null group by id),
      together as (
        select id, sum(c.price) as total, list(${numberSql('c.price')} || '% ' || coalesce(c.outcome, c.title) order by i) as parts
          from (select id, unnest(combined) as c, generate_subscripts(combined, 1) as i from cases) group by id),
      told as (
        select cases.id, tensions[1].text as edge, counterpart.price - headline.price as gap,
               coalesce(coalesce(eventTitle, headline.title) || ': ' || ${numberSql('total')} || '% = ' || array_to_string(parts, ' + ') || ' (' || if(headline.venue = 'venue_a', 'Kalshi', 'Polymarket') || ').',
               headline.title || if(headline.outcome is null or contains(headline.title, headline.outcome), '', ' ' || headline.outcome) || ': '
               || concat_ws(', ', coalesce(${numberSql('headline.price')} || '%', 'no price') || ' (' || if(headline.venue = 'venue_a', 'Kalshi', 'Polymarket') || ')',
                            ${signedSql('headline.change24h')} || '¢ in 24h', ${moneySql('headline.volume24hUsd')} || ' traded') || '.') as s1,
               if(counterpart is null or total is not null, null, if(counterpart.venue = 'venue_a', 'Kalshi', 'Polymarket')) || ' shows ' || ${numberSql('counterpart.price')} || coalesce(' (gap ' || ${numberSql('abs(counterpart.price - headline.price)')} || '¢)', '') || '.' as s2,
               if(len(names) >= 2 and total is null, 'Of ' || len(outcomes) || ' outcomes: ' || array_to_string(names[1:3], ', ') || '.', null) as s3,
               if(headline.closeTime > "at", 'Closes ', 'Closed ') || ${daySql('headline.closeTime')} || '.' as s4,
               tensions[1].text || '.' as s5,
               nullif(concat_ws(', ', if(headline.spread > 5, 'spread ' || ${numberSql('headline.spread')} || '¢', null),
                                if(headline.liquidity = 'low', 'low liquidity', null),
                                if("at" - headline.updatedAt > 15 * 60000, 'quote is ' || round(("at" - headline.updatedAt) / 60000)::bigint || ' minutes old', null)), '') as caveats
          from cases left join named using (id) left join together using (id)),
      ending as (select *, 'Caveat: ' || caveats || '.' as s6, 90 - ${wordsSql(`('Caveat: ' || caveats || '.')`)} as room from told),
      a as (select *, ${wordsSql('s1')} <= room as k1 from ending),
      b as (select * replace (room - if(k1, ${wordsSql('s1')}, 0) as room) from a),
      c as (select *, ${wordsSql('s2')} <= room as k2 from b),
      d as (select * replace (room - if(k2, ${wordsSql('s2')}, 0) as room) from c),
      e as (select *, ${wordsSql('s3')} <= room as k3 from d),
      f as (select * replace (room - if(k3, ${wordsSql('s3')}, 0) as room) from e),
      g as (select *, ${wordsSql('s4')} <= room as k4 from f),
      h as (select * replace (room - if(k4, ${wordsSql('s4')}, 0) as room) from g),
      i as (select *, ${wordsSql('s5')} <= room as k5 from h),
      answers as (
        select *, concat_ws(' ', if(k1, s1, null), if(k2, s2, null), if(k3, s3, null), if(k4, s4, null), if(k5, s5, null), s6) as answer from i)
      select id, answer, ${wordsSql('answer')}::int as words, edge is not null and not k5 as isEdgeLeftOut, caveats from answers`,
    input: drawnFacts,
    first: (facts) => {
      const answer = extractiveAnswer(facts)
      const edge = facts.tensions[0]?.text
      return {
        answer,
        words: answer.split(/\s+/).length,
        isEdgeLeftOut: edge !== undefined && !answer.includes(`. ${edge}.`),
        caveats: / Caveat: (.*)\.$/.exec(answer)?.[1] ?? null,
      }
    },
  }),
  computedTwice({
    name: 'key factors of an answer',
    sections: ['I2', '0.6'],
    params: ['answers'],
    shape: FACTS_SHAPE,
    sql: `
      with m as (
        select id, "at", m.ticker as ticker, coalesce(m.outcome, m.title) as name, m.change24h as change, abs(m.change24h) as move, m.vr as vr, m.closeTime as closing,
               if(m.closeTime > "at", "at" - m.closeTime, null) as nearness from (select id, "at", unnest(markets) as m from cases)),
      ${leading('movers', 'move', '5')},
      ${leading('busiest', 'vr', '2')},
      ${leading('nearest', 'nearness', '-30::bigint * 86400000')},
      factors as (
        select cases.id,
               movers.name || ' moved ' || ${signedSql('movers.change')} || '¢ in 24h (' || movers.ticker || ', change24h)' as mover,
               busiest.name || ': volume ' || ${numberSql('busiest.vr')} || 'σ above usual (' || busiest.ticker || ', vr)' as volume,
               nearest.name || ': closes ' || ${daySql('nearest.closing')} || ', in ' || ${numberSql('-nearest.nearness / 86400000')} || ' days (' || nearest.ticker || ', closeTime)' as catalyst,
               if(abs(counterpart.price - headline.price) >= 1, coalesce(headline.outcome, headline.title) || ': ' || ${signedSql('(counterpart.price - headline.price)')} || '¢ on ' || if(counterpart.venue = 'venue_a', 'Kalshi', 'Polymarket') || ' against ' || if(headline.venue = 'venue_a', 'Kalshi', 'Polymarket') || ' (crossVenue.gap)', null) as gap,
               list_transform(tensions[1:2], x -> x.text || ' (' || x.kind || ')') as edges
          from cases left join movers using (id) left join busiest using (id) left join nearest using (id))
      select id, mover, volume, catalyst, gap, edges, (list_concat(${presentSql('mover', 'volume', 'catalyst', 'gap')}, edges))[1:6] as factors from factors`,
    input: drawnFacts,
    first: (facts) => {
      const factors = keyFactorsOf(facts)
      const citing = (field: string) => factors.find((one) => one.endsWith(`${field})`)) ?? null
      return {
        mover: citing('change24h'),
        volume: citing('vr'),
        catalyst: citing('closeTime'),
        gap: citing('crossVenue.gap'),
        edges: factors.filter((one) => /\((?:\w+_edge|divergence)\)$/.test(one)),
        factors,
      }
    },
  }),
]
