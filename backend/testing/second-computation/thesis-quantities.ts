import { thesisPriceOf } from '../../domain/theses/formation.ts'
import { judgementIn } from '../../domain/theses/model/judgement.ts'
import { evaluateByRules } from '../../domain/theses/rules-evaluation.ts'
import { sharesOf, confidenceOf } from '../../domain/theses/tree.ts'
import { whatIf } from '../../domain/theses/what-if.ts'
import type { Millis } from '../../domain/units.ts'
import { treeNode } from '../tree-node.ts'
import { computedTwice, type SecondComputation } from './computed-twice.ts'
import type { Draws } from './draws.ts'

/** Any instant: no judgement depends on it. */
const NOON = Date.UTC(2026, 10, 20, 12) as Millis

const chance = (draws: Draws): number => draws.integer(0, 100) / 100

/** Second computations of theses: methodology H1, H2, H4 and the prices of H5. */
export const THESIS_QUANTITIES: readonly SecondComputation[] = [
  computedTwice({
    name: 'confidence of a thesis',
    sections: ['H1'],
    shape: { nodes: [{ id: 'TEXT', p: 'DOUBLE', w: 'DOUBLE' }] },
    sql: `
      with top as (
        select cases.id, node.p, node.w
          from cases, unnest(nodes) as nodes(node) where not contains(node.id, '.')),
      means as (select id, sum(p * w) / nullif(sum(w), 0) as confidence from top group by id)
      select cases.id, confidence from cases left join means using (id)`,
    decimals: { confidence: 4 },
    input: (draws) => ({
      nodes: draws.list(0, 5, () => ({
        id: draws.chance(0.3) ? 'n1.2' : 'n1',
        p: chance(draws),
        w: draws.chance(0.2) ? 0 : chance(draws),
      })),
    }),
    first: ({ nodes }) => ({
      confidence: confidenceOf(
        nodes.map(({ id, p, w }) => treeNode(id, { probability: p, importance: w })),
      ),
    }),
  }),
  computedTwice({
    name: 'an edge under another probability',
    sections: ['H2'],
    shape: {
      market: 'DOUBLE',
      thesis: 'DOUBLE',
      oldChance: 'DOUBLE',
      newChance: 'DOUBLE',
      relation: 'TEXT',
    },
    sql: `
      with factors as (
        select *, case relation when 'other' then 1
                  else if(oldChance = 0, 1, least(2, greatest(0, newChance / oldChance))) end as factor
          from cases),
      priced as (
        select *, least(100, greatest(0, market + (thesis - market) * factor)) - market as after,
               thesis - market as before
          from factors)
      select id, market + after as price, after as edge,
             case when abs(after - before) < 1 then 'unchanged'
                  when sign(after) * sign(before) = -1 then 'reversed'
                  when abs(after) < 2 then 'gone'
                  when abs(after) < abs(before) then 'reduced' else 'unchanged' end as signal
        from priced`,
    decimals: { price: 2, edge: 2 },
    input: (draws) => ({
      market: draws.integer(1, 99),
      thesis: draws.integer(0, 100),
      oldChance: chance(draws),
      newChance: chance(draws),
      relation: draws.pick(['own', 'child', 'whole', 'other']),
    }),
    first({ market, thesis, oldChance, newChance, relation }) {
      const related = { own: 'n1', child: 'n1.1', other: 'n2' }[relation] ?? null
      const nodes = [
        treeNode('n1', { probability: oldChance, importance: 1 }),
        treeNode('n2', { importance: 0 }),
      ]
      const edge = { marketPrice: market, thesisPrice: thesis, relatedNodeId: related }
      const [found] = whatIf(nodes, new Map([['n1', newChance]]), [edge]).edges
      const { newThesisPrice = 0, newEdge = 0, signal = '' } = found?.projected ?? {}
      return { price: newThesisPrice, edge: newEdge, signal }
    },
  }),
  computedTwice({
    name: 'a condition whose signals a model judged',
    sections: ['H4'],
    shape: {
      p: 'DOUBLE',
      judgements: [{ nodeId: 'TEXT', signalId: 'TEXT', class: 'TEXT' }],
    },
    sql: `
      with judged as (
        select id, signalId, i,
               case class when 'strong_for' then 0.8 when 'for' then 0.4 when 'neutral' then 0
                          when 'against' then -0.4 when 'strong_against' then -0.8 end as shift
          from (select id, unnest(judgements, recursive := true), generate_subscripts(judgements, 1) as i
                  from cases)
         where nodeId = 'n1' and signalId in ('s1', 's2', 's3')),
      firsts as (
        select * from judged where shift is not null
        qualify row_number() over (partition by id, signalId order by i) = 1),
      sums as (select id, sum(shift) as total from firsts group by id)
      select cases.id,
             1 / (1 + exp(-(ln(p / (1 - p)) + least(1, greatest(-1, coalesce(total, 0)))))) as probability
        from cases left join sums using (id)`,
    decimals: { probability: 4 },
    input: (draws) => ({
      p: draws.integer(1, 99) / 100,
      judgements: draws.list(0, 6, () => ({
        nodeId: draws.pick(['n1', 'n1', 'n1', 'n9']),
        signalId: draws.pick(['s1', 's2', 's3', 's9']),
        class: draws.pick(['strong_for', 'for', 'neutral', 'against', 'strong_against', 'maybe']),
      })),
    }),
    first({ p, judgements }) {
      const nodes = [treeNode('n1', { probability: p, importance: 1 })]
      const signals = new Set(['s1', 's2', 's3'])
      const read = judgementIn(JSON.stringify({ judgements }), new Set(['n1']), signals)
      const { nodes: after } = evaluateByRules(nodes, [], [], NOON, read?.shifts ?? [])
      return { probability: after[0]?.probability ?? null }
    },
  }),
  computedTwice({
    name: 'price of a thesis for a market, and the weights of its conditions',
    sections: ['H5'],
    shape: {
      price: 'DOUBLE',
      confidence: 'DOUBLE',
      match: 'DOUBLE',
      side: 'INTEGER',
      parts: 'INTEGER',
    },
    sql: `
      with weights as (
        select id, list(1.0 / k / (select sum(1.0 / j) from unnest(range(1, parts + 1)) as all_of(j)) order by k) as weights
          from cases, unnest(range(1, parts + 1)) as ordered(k) group by id, parts)
      select cases.id, least(99, greatest(1, price + 20 * (confidence - 0.5) * match * side)) as thesis,
             weights[1] as first
        from cases join weights using (id)`,
    decimals: { thesis: 4, first: 4 },
    input: (draws) => ({
      price: draws.integer(1, 99),
      confidence: chance(draws),
      match: chance(draws),
      side: draws.pick([-1, 1]),
      parts: draws.integer(2, 5),
    }),
    first: ({ price, confidence, match, side, parts }) => ({
      thesis: thesisPriceOf(price, confidence, { match, orientation: side === 1 ? 1 : -1 }),
      first: sharesOf(Array.from({ length: parts }, (_, index) => 1 / (index + 1)))[0] ?? 0,
    }),
  }),
]
