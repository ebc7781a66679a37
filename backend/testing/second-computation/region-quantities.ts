import { categoryOf, themeOf, topicsOf } from '../../domain/topics/topics.ts'
import { moversOf, opportunitiesOf, stableAnchors } from '../../domain/world/world-lists.ts'
import { worldMarket } from '../world-markets.ts'
import { computedTwice, type SecondComputation } from './computed-twice.ts'
import { CENTS, LIQUIDITIES } from './shapes.ts'

const ADDRESSES = { baseUrl: 'http://here', appUrl: 'http://here' } as Parameters<
  typeof moversOf
>[1]

const TOPIC_WORDS = [
  'Iran',
  'Hormuz',
  'crude',
  'OPEC',
  'olive oil',
  'Fed',
  'fed up',
  'FedEx',
  'rate cut',
  'Powell',
  'GDP',
  'inflation',
  'midterms',
  'governor',
  'primary',
  '2026',
  'bitcoin',
  'ETH',
  'Kyiv',
  'Putin',
  'Taiwan',
  'Xi Jinping',
  'Trump',
  'White House',
  'AI',
  'Nvidia',
  'apples',
  'film',
  'Iranian',
  'pineapple',
]
const WORDS_OF = {
  iran: 'iran|tehran|hormuz|irgc|khamenei',
  oil: 'oil|wti|brent|opec|gasoline|natural gas|crude',
  'fed-rate': 'fed|fomc|federal reserve|rate cut|rate hike|fed funds|dot plot|powell|basis points',
  recession: 'recession|gdp|unemployment|payroll|cpi|pce|inflation|jobless',
  'election-2026': '2026 election|midterm|house race|senate race|governor',
  bitcoin: 'bitcoin|btc|ethereum|eth|solana|crypto|xrp',
  ukraine: 'ukraine|russia|putin|zelensky|kyiv|donbas|crimea',
  china: 'china|taiwan|xi jinping|beijing|pla',
  trump: 'trump|white house|executive order',
  'ai-tech': 'ai|openai|anthropic|gpt|nvidia|gemini|agi|semiconductor|tesla|apple',
}
const STOPS: Readonly<Record<string, string>> = { oil: 'olive oil', 'fed-rate': 'fed up|fedex' }
const inTopic = (topic: keyof typeof WORDS_OF): string => {
  const stop = STOPS[topic]
  const primary =
    topic === 'election-2026'
      ? ` or (regexp_matches(t, '\\bprimary\\b') and regexp_matches(t, '\\b2026\\b'))`
      : ''
  const stopped = stop === undefined ? '' : ` and not regexp_matches(t, '\\b(${stop})s?\\b')`
  return `if((regexp_matches(t, '\\b(${WORDS_OF[topic]})s?\\b')${primary})${stopped}, '${topic}', null)`
}

/** Second computations of methodology C6. */
export const REGION_QUANTITIES: readonly SecondComputation[] = [
  computedTwice({
    name: 'topics of a title',
    sections: ['C6'],
    shape: { title: 'TEXT' },
    sql: `with low as (select id, lower(title) as t from cases)
          select id, list_filter([${(Object.keys(WORDS_OF) as (keyof typeof WORDS_OF)[]).map(inTopic).join(', ')}], x -> x is not null) as topics from low`,
    input: ({ list, pick }) => ({
      title: `Will ${list(1, 4, () => pick(TOPIC_WORDS)).join(' and ')} win?`,
    }),
    first: ({ title }) => ({
      topics: topicsOf({ title, eventTitle: null, seriesTitle: null, tags: [] }),
    }),
  }),
  computedTwice({
    name: 'theme of a title, category',
    sections: ['C6'],
    shape: { iran: 'INT', oil: 'INT', fed: 'INT', title: 'TEXT', category: 'TEXT' },
    sql: `
      with slugs as (select *, regexp_replace(regexp_replace(lower(category), '[^a-z0-9]+', '-', 'g'), '^-|-$', '', 'g') as c from cases),
      named as (select *, case when c in ('elections', 'us-politics') then 'politics' when c in ('climate', 'climate-and-weather') then 'weather'
                               when c = 'financials' then 'finance' when c in ('science-and-technology', 'tech') then 'technology'
                               when c in ('entertainment', 'pop-culture') then 'culture' when c = 'economy' then 'economics' when c = 'geopolitics' then 'world'
                               when c in ('companies', 'earnings') then 'business' when c is null or c = '' then 'other' else c end as category_ from slugs)
      select id, category_ as category, case when iran + oil + fed = 0 then category_ when iran >= oil and iran >= fed then 'iran'
                  when fed >= oil then 'fed-rate' else 'oil' end as theme from named`,
    input: ({ integer, pick }) => {
      const [iran, oil, fed] = [integer(0, 3), integer(0, 3), integer(0, 3)]
      const words = [
        ...['Tehran', 'Hormuz', 'IRGC'].slice(0, iran),
        ...['WTI', 'Brent', 'OPEC'].slice(0, oil),
        ...['Powell', 'FOMC', 'dot plot'].slice(0, fed),
      ]
      const category = pick([
        'Climate and Weather',
        'US Politics',
        'Financials',
        'Pop-Culture',
        'World',
        '',
        null,
        'Tech',
        'Elections!',
      ])
      return { iran, oil, fed, title: `Now ${words.join(', ')}?`, category }
    },
    first: ({ title, category: word }) => {
      const category = categoryOf(word)
      const texts = { title, eventTitle: null, seriesTitle: null, tags: [], category }
      return { category, theme: themeOf(texts) }
    },
  }),
  computedTwice({
    name: 'movers, stable anchors, opportunities',
    sections: ['C6'],
    params: ['worldLists', 'moverFloor'],
    shape: {
      markets: [
        {
          ticker: 'TEXT',
          price: CENTS,
          dayAgo: CENTS,
          mark: CENTS,
          sd: 'DOUBLE',
          usd: 'DOUBLE',
          liquidity: 'TEXT',
          adjIy: 'DOUBLE',
          las: 'DECIMAL(6,4)',
          tau: 'DOUBLE',
          residual: 'DOUBLE',
          thesis: 'DOUBLE',
          net: 'DOUBLE',
        },
      ],
    },
    sql: `
      with m as (select id, unnest(markets, recursive := false) as m from cases),
      decile as (select id, quantile_cont(m.usd, .9) as least_ from m group by id),
      movers as (select id, m.ticker as k from m where abs(m.price - m.dayAgo) >= 5 and m.liquidity <> 'low' and m.usd >= 100 and m.price between 3 and 97
                 qualify row_number() over (partition by id order by abs(m.price - m.dayAgo) desc, m.ticker) <= 10),
      moverlists as (select id, list(k order by d desc, k) as movers from (
                 select movers.id, k, abs(m.price - m.dayAgo) as d from movers join m on m.id = movers.id and m.ticker = k) group by id),
      anchorlists as (
        select id, list(m.ticker order by m.usd desc, m.ticker)[1:5] as anchors from m join decile using (id)
         where m.sd <= 1 and m.usd >= least_ and m.mark between 10 and 90 group by id),
      chances as (
        select id, m.ticker as k, 1 as n, 'high_yield' as kind, m.adjIy / 1000 as y from m where m.adjIy >= 100 and m.las <= .15 and m.tau >= 7 and m.usd >= 1000 and m.price between 3 and 97 and m.liquidity <> 'low'
        union all select id, m.ticker, 2, 'unexplained_activity', m.residual / 2 from m where m.residual >= 2 and m.usd >= 100
        union all select id, m.ticker, 3, 'thesis_edge', m.thesis / 5 from m where m.thesis >= 3
        union all select id, m.ticker, 4, 'cross_venue_gap', m.net / 5 from m where m.net >= 1),
      best as (
        select *, y / (1 + y) as s from chances qualify row_number() over (partition by id, k order by y / (1 + y) desc, n) = 1),
      kinds as (select * from best qualify row_number() over (partition by id, kind order by round(s, 4) desc, k) <= 4),
      firsts as (select * from kinds qualify row_number() over (partition by id order by round(s, 4) desc, k) <= 10),
      chancelists as (select id, list(k || ' ' || kind order by round(s, 4) desc, k) as opportunities, list(s order by round(s, 4) desc, k) as scores from firsts group by id)
      select cases.id, coalesce(movers, []) as movers, coalesce(anchors, []) as anchors, coalesce(opportunities, []) as opportunities, coalesce(scores, []) as scores
        from cases left join moverlists using (id) left join anchorlists using (id) left join chancelists using (id)`,
    decimals: { scores: 4 },
    input: ({ list, integer, nullable, pick }) => ({
      markets: list(0, 14, (i) => ({
        ticker: `K${String((i * 7) % 15).padStart(2, '0')}`,
        price: nullable(pick([1, 2, 3, 97, 98, integer(30, 60)])),
        dayAgo: nullable(integer(30, 60)),
        mark: nullable(integer(1, 99)),
        sd: nullable(integer(0, 3) / 2),
        usd: nullable(pick([integer(0, 30), 99, 100, 999, 1_000, 5_000])),
        liquidity: pick(LIQUIDITIES),
        adjIy: nullable(integer(50, 4_000)),
        las: nullable(integer(0, 30) / 100),
        tau: nullable(integer(5, 9)),
        residual: nullable(integer(0, 9) / 2),
        thesis: nullable(integer(0, 20) / 2),
        net: nullable(integer(-2, 12) / 2),
      })),
    }),
    first: ({ markets }) => {
      const rows = markets.map((row) =>
        worldMarket({
          ticker: row.ticker,
          price: row.price,
          priceDayAgo: row.dayAgo,
          mark: row.mark,
          markSd7d: row.sd,
          volume24hUsd: row.usd,
          liquidity: row.liquidity,
          adjIy: row.adjIy,
          las: row.las,
          tau: row.tau,
          residualVr: row.residual,
        }),
      )
      const edges = {
        theses: new Map(
          markets.flatMap(({ ticker, thesis }) => (thesis === null ? [] : [[ticker, thesis]])),
        ),
        crossVenue: new Map(
          markets.flatMap(({ ticker, net }) =>
            net === null ? [] : [[ticker, { net, yieldPct: null, pair: ticker }]],
          ),
        ),
      }
      const opportunities = opportunitiesOf(rows, edges, ADDRESSES)
      return {
        movers: moversOf(rows, ADDRESSES).map(({ ticker }) => ticker),
        anchors: stableAnchors(rows, ADDRESSES).map(({ ticker }) => ticker),
        opportunities: opportunities.map(({ ticker, kind }) => `${ticker} ${kind}`),
        scores: opportunities.map(({ score }) => score),
      }
    },
  }),
]
