/** The views that a statement may read, by their names in the service. */
export const VIEWS = [
  'markets',
  'market_versions',
  'trades',
  'quotes',
  'books',
  'venue_candles',
  'activity_marks',
  'coverage_statements',
  'changes',
  'index_readings',
  'regime_labels',
] as const

interface Example {
  readonly label: string
  readonly sql: string
}

/** Example statements. */
export const EXAMPLES: readonly Example[] = [
  {
    label: 'Most traded markets of the last day',
    sql: `select ticker, count(*) as prints, round(sum(size * price) / 100, 2) as usd
from trades
where ts > (select max(ts) from trades) - interval 1 day
group by ticker
order by usd desc
limit 50`,
  },
  {
    label: 'Median spread by hour',
    sql: `select date_trunc('hour', ts) as hour, count(*) as quotes,
  median(ask - bid) as spread_cents
from quotes
where bid is not null and ask is not null
group by hour
order by hour desc`,
  },
  {
    label: 'Settled markets and their payouts',
    sql: `select ticker, title, result, settlement_cents, close_time
from markets
where result is not null
order by close_time desc
limit 100`,
  },
]
