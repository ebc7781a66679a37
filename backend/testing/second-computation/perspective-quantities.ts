import { perspectivesOf, type PerspectiveRole } from '../../domain/answers/perspectives.ts'
import { computedTwice, type SecondComputation } from './computed-twice.ts'
import {
  daySql,
  daysSql,
  drawnFacts,
  FACTS_SHAPE,
  moneySql,
  numberSql,
  presentSql,
  signedSql,
} from './drawn-answers.ts'

/** Points for one side: `sign` is 1 for YES, -1 for NO. */
const pointsSql = (sign: 1 | -1): string =>
  presentSql(
    `if((price - 50) * ${sign} > 0, 'The market gives it ' || ${numberSql(sign > 0 ? 'price' : '100 - price')} || '% (price)', null)`,
    `if(change * ${sign} > 0, 'The price moved ' || ${signedSql('change')} || '¢ in 24h (change24h)', null)`,
    `if(count < 5 and gap * ${sign} > 0, if(counterpart.venue = 'venue_a', 'Kalshi', 'Polymarket') || ' prices ' || ${numberSql('abs(gap)')} || '¢ ${sign > 0 ? 'higher' : 'lower'} (crossVenue.gap)', null)`,
    `list_transform(list_filter(others, x -> x.change24h * ${sign} >= 3)[1:1], x -> '“' || coalesce(x.outcome, x.title) || '” moved ' || ${signedSql('x.change24h')} || '¢ (change24h)')[1]`,
  )

const missing = (value: string, text: string): string => `if(${value} is null, '${text}', null)`

const argued = (role: PerspectiveRole, points: string, none: string): string =>
  `if(len(${points}) = 0, '${none}', '${role}: ' || array_to_string(${points}, '; ') || '.')`

const NO_COUNTERPART = 'No confident counterpart on the other venue'

/** Second computation of methodology I4: sides, stances and their points. */
export const PERSPECTIVE_QUANTITIES: readonly SecondComputation[] = [
  computedTwice({
    name: 'perspectives of a discussion',
    sections: ['I4'],
    shape: { ...FACTS_SHAPE, count: 'INT' },
    sql: `
      with f as (
        select *, headline.price as price, headline.change24h as change, headline.spread as spread, headline.volume24hUsd as usd, headline.closeTime as closing,
               counterpart.price - headline.price as gap, list_filter(markets, x -> x.ticker <> headline.ticker) as others from cases),
      sides as (
        select id, count, gap, ${pointsSql(1)} as yes_, ${pointsSql(-1)} as no_,
               ${presentSql(
                 missing('price', 'No price is known (price)'),
                 missing('change', 'The change of the day is not known (change24h)'),
                 missing('usd', 'The volume of the day is not known (volume24hUsd)'),
                 missing('closing', 'No closing time is stated (closeTime)'),
                 missing('headline.vr', 'Usual volume is not known yet (vr)'),
                 `if(count < 5 and counterpart.ticker is null, '${NO_COUNTERPART} (crossVenue)', null)`,
                 `'Prices show what is traded, not why (price)'`,
               )} as unknown,
               ${presentSql(
                 `'Liquidity is ' || headline.liquidity || ' (liquidityScore)'`,
                 `'The spread is ' || ${numberSql('spread')} || '¢ (spread)'`,
                 `${moneySql('usd')} || ' traded in 24h (volume24h)'`,
                 `if(closing > "at", 'It closes ' || ${daySql('closing')} || ', in ' || ${daysSql('closing')} || ' days (closeTime)', null)`,
               )} as timing,
               ${presentSql(`if(counterpart.venue = 'venue_a', 'Kalshi', 'Polymarket') || ' shows ' || ${numberSql('counterpart.price')} || ' against ' || ${numberSql('price')} || ', gap ' || ${signedSql('gap')} || '¢ (crossVenue.gap)'`)} as other from f)
      select id, yes_ as forYes, no_ as forNo, if(count < 3, [], unknown) as unknowns, if(count < 4, [], timing) as timing, if(count < 5, [], other) as other,
             ['yes', 'no', 'uncertain', 'uncertain', case when gap > 0 then 'yes' when gap < 0 then 'no' else 'uncertain' end][1:count] as stances,
             [${argued('For YES', 'yes_', 'No available fact supports YES.')}, ${argued('For NO', 'no_', 'No available fact supports NO.')},
              ${argued('Unknowns', 'unknown', '')}, ${argued('Liquidity and timing', 'timing', '')}, ${argued('Other venue', 'other', `${NO_COUNTERPART}.`)}][1:count] as arguments from sides`,
    input: (draws) => ({ ...drawnFacts(draws), count: draws.pick([2, 3, 4, 5, 5, 5]) }),
    first: ({ count, ...facts }) => {
      const perspectives = perspectivesOf(facts, count)
      const evidenceOf = (role: PerspectiveRole) =>
        perspectives.find((one) => one.role === role)?.evidence ?? []
      return {
        forYes: evidenceOf('For YES'),
        forNo: evidenceOf('For NO'),
        unknowns: evidenceOf('Unknowns'),
        timing: evidenceOf('Liquidity and timing'),
        other: evidenceOf('Other venue'),
        stances: perspectives.map(({ stance }) => stance),
        arguments: perspectives.map(({ argument }) => argument),
      }
    },
  }),
]
