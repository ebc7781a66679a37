import { attributeMarket } from '../../domain/portfolio/attribution.ts'
import type { LedgerEntry } from '../../domain/portfolio/ledger.ts'
import { foldPosition, type FoldedEntry } from '../../domain/portfolio/position-fold.ts'
import type { Millis, MoneyE6, PriceE4, SizeE6 } from '../../domain/units.ts'
import { computedTwice, type SecondComputation } from './computed-twice.ts'

interface Fill {
  readonly side: 'yes' | 'no'
  readonly sells: boolean
  readonly contracts: number
  readonly cents: number
  readonly feeCents: number
}

const entryOf = (fill: Fill, index: number): FoldedEntry => ({
  eventType: 'fill',
  action: fill.sells ? 'sell' : 'buy',
  direction: fill.side,
  result: null,
  occurredAt: index as Millis,
  size: (fill.contracts * 1e6) as SizeE6,
  price: (fill.cents * 100) as PriceE4,
  fee: (fill.feeCents * 1e4) as MoneyE6,
})

const settledAt = (cents: number, index: number): FoldedEntry => ({
  eventType: 'settlement',
  action: null,
  direction: null,
  size: null,
  result: null,
  occurredAt: index as Millis,
  price: (cents * 100) as PriceE4,
  fee: 0 as MoneyE6,
})

const THESES = ['th-1', 'th-2', 'th-3'] as const

/** An entry of a thesis, with the fields that attribution reads. */
const attributed = (fill: Fill & { readonly thesis: number }, index: number): LedgerEntry =>
  ({
    ...entryOf(fill, index),
    thesisId: THESES[fill.thesis],
    source: 'intent',
    venue: 'venue_a',
    ticker: 'KX',
    confidence: 'exact',
    cashDelta: 0,
    slippage: null,
    marketTitle: null,
    payload: {},
  }) as unknown as LedgerEntry

/**
 * Second computation of methodology J1, contract by contract: closing contracts match the oldest of
 * the other side, so the n-th of one side always matches the n-th of the other.
 */
export const LEDGER_QUANTITIES: readonly SecondComputation[] = [
  computedTwice({
    name: 'position and what it realised',
    sections: ['J1'],
    shape: {
      fills: [
        { side: 'VARCHAR', sells: 'BOOLEAN', contracts: 'INT', cents: 'INT', feeCents: 'INT' },
      ],
      settled: 'INT',
    },
    sql: `
      with rows as (select id, settled, unnest(range(len(fills))) as n, unnest(fills) as f from cases),
      single as (
        select id, settled, n, unnest(range(f.contracts)) as u, f.feeCents / f.contracts as fee,
               (f.side = 'yes') <> f.sells as isYes, if(f.sells, 100 - f.cents, f.cents) as paid from rows),
      numbered as (select *, row_number() over (partition by id, isYes order by n, u) as k from single),
      met as (
        select y.id, y.k, 100 - y.paid - o.paid - y.fee - o.fee as gain
        from numbered y join numbered o on y.id = o.id and y.k = o.k and y.isYes and not o.isYes),
      held as (select * from numbered a where not exists (select 1 from met where met.id = a.id and met.k = a.k)),
      gains as (select id, sum(gain) as gain from met group by id),
      rest as (
        select id, count(*) as size, sum(paid) as cost, any_value(isYes) as isYes, sum(settled - paid - fee) as ending
        from held group by id)
      select cases.id, coalesce(gain, 0) + if(settled is null, 0, coalesce(ending, 0)) as realised,
             if(settled is null, coalesce(size, 0), 0) as size, if(settled is null, coalesce(cost, 0), 0) as cost,
             if(settled is null, case when isYes then 'yes' when not isYes then 'no' end, null) as side
      from cases left join gains on gains.id = cases.id left join rest on rest.id = cases.id`,
    input: (draws) => ({
      fills: draws.list(1, 7, (): Fill => ({
        side: draws.pick(['yes', 'no']),
        sells: draws.pick([true, false]),
        // Fees divide evenly.
        contracts: draws.pick([1, 2, 4, 5, 8, 10]),
        cents: draws.integer(1, 99),
        feeCents: draws.integer(0, 9),
      })),
      settled: draws.pick([null, null, 0, 100, 37]),
    }),
    first: ({ fills, settled }) => {
      const entries = fills.map(entryOf)
      if (settled !== null) entries.push(settledAt(settled, fills.length))
      const position = foldPosition(entries)
      const size = position?.size ?? 0
      return {
        realised: (position?.realized ?? 0) / 1e4,
        size: size / 1e6,
        cost: (position?.cost ?? 0) / 1e4,
        side: size > 0 ? (position?.direction ?? null) : null,
      }
    },
  }),
  computedTwice({
    name: 'profit by the thesis of the lot that was closed',
    sections: ['J4'],
    shape: {
      fills: [
        {
          side: 'VARCHAR',
          sells: 'BOOLEAN',
          contracts: 'INT',
          cents: 'INT',
          feeCents: 'INT',
          thesis: 'INT',
        },
      ],
    },
    sql: `
      with rows as (select id, unnest(range(len(fills))) as n, unnest(fills) as f from cases),
      single as (
        select id, n, unnest(range(f.contracts)) as u, f.feeCents / f.contracts as fee, f.thesis,
               (f.side = 'yes') <> f.sells as isYes, if(f.sells, 100 - f.cents, f.cents) as paid from rows),
      numbered as (select *, row_number() over (partition by id, isYes order by n, u) as k from single),
      met as (
        select y.id, if((y.n, y.u) < (o.n, o.u), y.thesis, o.thesis) as thesis,
               100 - y.paid - o.paid - y.fee - o.fee as gain
        from numbered y join numbered o on y.id = o.id and y.k = o.k and y.isYes and not o.isYes),
      gains as (select id, thesis, sum(gain) as gain from met group by id, thesis)
      select cases.id,
             coalesce((select gain from gains where gains.id = cases.id and thesis = 0), 0) as first,
             coalesce((select gain from gains where gains.id = cases.id and thesis = 1), 0) as second,
             coalesce((select gain from gains where gains.id = cases.id and thesis = 2), 0) as third
      from cases`,
    input: (draws) => ({
      fills: draws.list(1, 7, () => ({
        side: draws.pick(['yes', 'no'] as const),
        sells: draws.pick([true, false]),
        // Fees divide evenly.
        contracts: draws.pick([1, 2, 4, 5, 8, 10]),
        cents: draws.integer(1, 99),
        feeCents: draws.integer(0, 9),
        thesis: draws.integer(0, 2),
      })),
    }),
    first: ({ fills }) => {
      const { parts } = attributeMarket(fills.map(attributed), [])
      const of = (thesis: string): number =>
        parts
          .filter(({ to }) => to.thesis === thesis)
          .reduce((sum, { realized }) => sum + realized, 0) / 1e4
      return { first: of('th-1'), second: of('th-2'), third: of('th-3') }
    },
  }),
]
