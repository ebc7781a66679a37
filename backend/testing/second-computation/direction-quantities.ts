import { findingsIn } from '../../domain/answers/findings.ts'
import { textDirection } from '../../domain/answers/direction-lexicon.ts'
import { computedTwice, type SecondComputation } from './computed-twice.ts'
import type { Draws } from './draws.ts'

const SUPPORTING =
  `confirm confirms confirmed confirming approve approves approved approving agree agrees agreed agreeing
  rise rises rising rose risen win wins winning won pass passes passed passing`.split(/\s+/)
const OPPOSING =
  `deny denies denied denying reject rejects rejected rejecting delay delays delayed delaying
  fall falls falling fell fallen fail fails failed failing`.split(/\s+/)
const NEGATING = `not no never without nor cannot didn't doesn't isn't wasn't won't hasn't`.split(
  ' ',
)
/** No stop words, so that each counts; some are prefixes of lexicon words. */
const NEUTRAL = 'rate port city bank north window winter passenger notes fallout oil tax'.split(' ')
const SHORT = ['oil', 'tax', 'gas', 'war']
const TOPICS = ['zinc', 'copper']

const rowsOf = (words: readonly string[], more: string): string =>
  words.map((word) => `('${word.replaceAll("'", "''")}'${more})`).join(', ')

/** Tables with the direction of each text of `texts(id, s, text)`: `spoken(id, s, direction)`. */
const SPOKEN = `
  lexicon(word, sign) as (values ${rowsOf(SUPPORTING, ', 1')}, ${rowsOf(OPPOSING, ', -1')}),
  negations(word) as (values ${rowsOf(NEGATING, '')}),
  split as (select id, s, regexp_extract_all(replace(lower(text), '’', ''''), '[a-z'']+') as words from texts),
  placed as (select id, s, generate_subscripts(words, 1) as i, unnest(words) as word from split),
  turning as (select id, s, i from placed join negations using (word)),
  read as (
    select p.id, p.s, sign * if(count(t.i) > 0, -1, 1) as x
      from placed as p join lexicon using (word)
      left join turning as t on t.id = p.id and t.s = p.s and t.i between p.i - 3 and p.i - 1
     group by p.id, p.s, p.i, sign),
  spoken as (select texts.id, texts.s, sign(coalesce(sum(x), 0))::int as direction from texts left join read using (id, s) group by all)`

/** A lexicon word or another one, in varying spellings. */
function drawnWord({ chance, pick }: Draws): string {
  const word = chance(0.3)
    ? pick(chance(0.5) ? SUPPORTING : OPPOSING)
    : pick(chance(0.35) ? NEGATING : NEUTRAL)
  if (chance(0.1)) return word.toUpperCase()
  return chance(0.2) ? word.replace("'", '’') : word
}

/** Second computations of the lexicon of methodology H3 and of its use in I4. */
export const DIRECTION_QUANTITIES: readonly SecondComputation[] = [
  computedTwice({
    name: 'direction of a text',
    sections: ['H3'],
    shape: { text: 'TEXT' },
    sql: `with texts as (select id, 1 as s, text from cases), ${SPOKEN} select id, direction from spoken`,
    input: (draws) => ({
      text: draws
        .list(1, 12, () => drawnWord(draws) + (draws.chance(0.1) ? ',' : ''))
        .join(' ')
        .concat('.'),
    }),
    first: ({ text }) => ({ direction: textDirection(text) }),
  }),
  computedTwice({
    name: 'findings of a text: relevance, topic, direction',
    sections: ['I4', 'H3', 'I1'],
    shape: { sentences: ['TEXT'], topics: ['TEXT'] },
    // Topics of one word, so that its rarity cancels out of the share of the best sentence.
    sql: `
      with texts as (select id, generate_subscripts(sentences, 1) as s, unnest(sentences) as text from cases), ${SPOKEN},
      asked as (select id, generate_subscripts(topics, 1) as k, unnest(topics) as topic from cases),
      lengths as (select id, s, count(*) as words, avg(count(*)) over (partition by id) as usual from placed group by id, s),
      counted as (select id, s, k, topic, count(*) as n from placed join asked using (id) where word = topic group by all),
      weighted as (select id, s, k, topic, 3 * n / (1 - .75 + .75 * words / usual) as f from counted join lengths using (id, s)),
      scored as (select *, round(f / (1.2 + f) / max(f / (1.2 + f)) over (partition by id, k), 12) as relevance from weighted),
      fitting as (select * from scored where relevance >= .3 qualify row_number() over (partition by id, s order by relevance desc, k) = 1),
      most as (select * from fitting qualify row_number() over (partition by id order by relevance desc, s) <= 10),
      found as (
        select id, list(text order by relevance desc, s) as claims, list(relevance order by relevance desc, s) as relevances,
               list(topic order by relevance desc, s) as topics,
               list(case direction when 1 then 'up' when -1 then 'down' else 'unclear' end order by relevance desc, s) as directions
          from most join texts using (id, s) join spoken using (id, s) group by id)
      select cases.id, coalesce(claims, []) as claims, coalesce(relevances, []) as relevances, coalesce(found.topics, []) as topics, coalesce(directions, []) as directions
        from cases left join found using (id)`,
    cases: 150,
    input: (draws) => {
      const { list, pick, chance } = draws
      // Long beside short ones, so that some overlap too little.
      const sentence = (): string => {
        const isLong = chance(0.08)
        const about = chance(isLong ? 0.2 : 0.5) ? [] : list(1, isLong ? 1 : 3, () => pick(TOPICS))
        const words = isLong
          ? list(75, 90, () => pick(SHORT))
          : list(3, 5, () => (chance(0.7) ? pick(NEUTRAL) : drawnWord(draws)))
        return `${[...about, ...words].join(' ')}.`
      }
      return { sentences: list(2, 28, sentence), topics: TOPICS }
    },
    first: ({ sentences, topics }) => {
      const found = findingsIn(sentences.join(' '), topics)
      return {
        claims: found.map(({ claim }) => claim),
        relevances: found.map(({ relevance }) => relevance),
        topics: found.map(({ topic }) => topic),
        directions: found.map(({ direction }) => direction),
      }
    },
  }),
]
