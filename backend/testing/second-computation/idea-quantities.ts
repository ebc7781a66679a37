import { convictionOf, selectIdeas, timeHorizon } from '../../domain/edges/ideas.ts'
import { suggestionOf } from '../../domain/edges/suggestion.ts'
import type { Millis } from '../../domain/units.ts'
import { computedTwice, type SecondComputation } from './computed-twice.ts'
import { LIQUIDITIES } from './shapes.ts'

const CONVICTIONS = `case when confidence >= .6 and edge >= 6 then 'high' when edge >= 3 then 'medium' else 'low' end`

/** Second computations of methodology E7 and E8. */
export const IDEA_QUANTITIES: readonly SecondComputation[] = [
  computedTwice({
    name: 'suggestion, its confidence, the size hint',
    sections: ['E7'],
    params: ['edges'],
    shape: {
      live: 'BOOLEAN',
      liquidity: 'TEXT',
      spread: 'DOUBLE',
      tau: 'DOUBLE',
      disputed: 'BOOLEAN',
      edge: 'DOUBLE',
      executable: 'DOUBLE',
      fair: 'DOUBLE',
      cost: 'DOUBLE',
      sure: 'DECIMAL(4,2)',
      score: 'DECIMAL(6,3)',
      vol: 'DOUBLE',
      panic: 'BOOLEAN',
      catalyst: 'DOUBLE',
    },
    sql: `
      with w(l, w) as (values ('high', 1.0), ('medium', .7), ('low', .4)),
      ruled as (
        select *, (not live)::int + (liquidity = 'low' and coalesce(executable < 5, true))::int + coalesce(spread > 15, false)::int
                  + coalesce(tau < 1 / 24, false)::int + disputed::int as avoid,
               coalesce(executable >= 3 and sure >= .3 and (coalesce(score < .65, false) or executable >= 6) and vol * sqrt(24) < 2 * abs(edge), false) as consider,
               (abs(edge) >= 3 and coalesce(executable < 3, true)) or panic or coalesce(catalyst between 0 and 24, false) as wait
          from cases join w on l = liquidity),
      kelly as (select *, greatest(0, .25 * (fair - cost) / (100 - cost)) as f from ruled)
      select id, case when avoid > 0 then 'avoid' when consider then if(edge > 0, 'consider_long', 'consider_short') when wait then 'wait' else 'monitor' end as action,
             (case when avoid > 0 then least(.9, .5 + .1 * avoid)
                   when consider then greatest(0, least(.95, (executable / 5) / (1 + executable / 5) * sure * w * (1 - .5 * greatest(0, coalesce(score, 1) - .5) / .5)))
                   when wait then .4 else .3 end)::double as confidence,
             case when avoid > 0 or not consider or liquidity = 'low' or cost is null or f < .02 then 'small'
                  when f < .05 or coalesce(score >= .65, true) then 'medium' else 'large' end as size from kelly`,
    decimals: { confidence: 4 },
    input: ({ chance, pick, nullable, integer, any }) => {
      const edge = integer(-12, 12) || 5
      return {
        live: chance(0.95),
        liquidity: pick(LIQUIDITIES),
        spread: nullable(integer(1, 16)),
        tau: nullable(pick([0.02, 5, 40])),
        disputed: chance(0.05),
        edge,
        executable: nullable(integer(-4, 40) / 4),
        fair: integer(30, 60),
        cost: nullable(integer(20, 40)),
        sure: integer(20, 80) / 100,
        score: nullable(integer(300, 800) / 1_000),
        vol: nullable(any() * 3),
        panic: chance(0.1),
        catalyst: nullable(integer(-5, 200)),
      }
    },
    first: (row) => {
      const suggestion = suggestionOf({
        isLive: row.live,
        liquidity: row.liquidity,
        spread: row.spread,
        tau: row.tau,
        disputed: row.disputed,
        pairConflict: false,
        asScore: row.score,
        volatility: row.vol,
        isPanic: row.panic,
        catalystHours: row.catalyst,
        edge: {
          kind: null,
          edge: row.edge,
          direction: row.edge > 0 ? 'yes' : 'no',
          executable: row.executable,
          fair: row.fair,
          cost: row.cost,
          confidence: row.sure,
        },
      })
      return {
        action: suggestion.action,
        confidence: suggestion.confidence,
        size: suggestion.sizeHint,
      }
    },
  }),
  computedTwice({
    name: 'ideas: choice, conviction, horizon',
    sections: ['E8'],
    params: ['edges'],
    shape: {
      candidates: [
        { ticker: 'TEXT', theme: 'TEXT', edge: 'DOUBLE', confidence: 'DOUBLE', strength: 'DOUBLE' },
      ],
      days: 'DOUBLE',
    },
    sql: `
      with c as (select id, c.ticker as k, c.theme as t, c.edge as edge, c.confidence as confidence, c.strength as s from (select id, unnest(candidates) as c from cases) where c.edge > 0),
      bythemes as (select * from c qualify row_number() over (partition by id, t order by s desc, k) <= 2),
      chosen as (select * from bythemes qualify row_number() over (partition by id order by s desc, k) <= 10),
      described as (select *, ${CONVICTIONS} as conviction, case ${CONVICTIONS} when 'high' then 1 when 'medium' then 2 else 3 end as o from chosen)
      select cases.id, coalesce(ideas, []) as ideas, case when days < 7 then 'days' when days < 60 then 'weeks' else 'months' end as horizon
        from cases left join (select id, list(k || ' ' || conviction order by o, round(edge, 2) desc, k) as ideas from described group by id) using (id)`,
    input: ({ list, integer, pick, any, nullable }) => ({
      candidates: list(0, 16, (i) => ({
        ticker: `K${String((i * 7) % 17).padStart(2, '0')}`,
        theme: pick(['a', 'b', 'c', 'd', 'e', 'f']),
        edge: integer(-4, 32) / 4,
        confidence: integer(3, 9) / 10,
        strength: any(),
      })),
      days: nullable(integer(0, 100)),
    }),
    first: ({ candidates, days }) => {
      const ideas = selectIdeas(
        candidates.map(({ ticker, theme, edge, confidence, strength }) => ({
          basis: 'yield' as const,
          ticker,
          theme,
          title: ticker,
          direction: 'buy_yes' as const,
          executableEdge: edge,
          confidence,
          strength,
          pitch: '',
          catalyst: null,
          closeTime: null,
          warning: null,
          asScore: null,
          cost: null,
          hedges: [],
        })),
        0 as Millis,
      )
      const described = ideas.map(
        (idea) => `${idea.ticker} ${convictionOf(idea.confidence, idea.executableEdge)}`,
      )
      return { ideas: described, horizon: timeHorizon(days) }
    },
  }),
]
