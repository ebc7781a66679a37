import type { RunResult, TradedMarket } from './run-result.ts'

/** Contribution of one market, theme or tag; dollars. */
export interface Attribution {
  readonly key: string
  readonly title: string | null
  /** Realised profit after fees plus unrealised profit of open positions, entry fees deducted. */
  readonly profit: number
  readonly fees: number
  readonly trades: number
  readonly contracts: number
}

interface Tally {
  key: string
  title: string | null
  profit: number
  fees: number
  trades: number
  contracts: number
}

/** Profit of a run by market, theme and tag. Each list adds up to the total. */
export function attributionOf(result: RunResult): {
  readonly byMarket: readonly Attribution[]
  readonly byTheme: readonly Attribution[]
  readonly byTag: readonly Attribution[]
} {
  const markets = new Map(result.traded.map((market) => [market.market, market]))
  return {
    byMarket: groupResults(result, (market) => nameOf(markets.get(market))),
    byTheme: groupResults(result, (market) => themeOf(markets.get(market))),
    byTag: groupResults(result, (_market, tag) => ({ key: result.tags[tag] ?? '', title: null })),
  }
}

const nameOf = (market: TradedMarket | undefined) => ({
  key: market?.ticker ?? 'unknown',
  title: market?.title ?? null,
})
const themeOf = (market: TradedMarket | undefined) => ({
  key: market === undefined ? 'unknown' : market.theme,
  title: null,
})

function groupResults(
  { fills, lots, open }: RunResult,
  groupOf: (market: number, tag: number) => { readonly key: string; readonly title: string | null },
): Attribution[] {
  const groups = new Map<string, Tally>()
  const tallyFor = (market: number, tag: number): Tally => {
    const { key, title } = groupOf(market, tag)
    let tally = groups.get(key)
    if (tally === undefined) {
      tally = { key, title, profit: 0, fees: 0, trades: 0, contracts: 0 }
      groups.set(key, tally)
    }
    return tally
  }
  for (const [i, market] of fills.market.entries()) {
    const tally = tallyFor(market, fills.tag[i] as number)
    tally.trades++
    tally.contracts += (fills.size[i] as number) / 1e6
    tally.fees += (fills.fee[i] as number) / 1e6
  }
  for (const [i, market] of lots.market.entries()) {
    tallyFor(market, lots.tag[i] as number).profit += (lots.realised[i] as number) / 1e6
  }
  for (const position of open) {
    tallyFor(position.market, position.tag).profit +=
      (position.value - position.cost - position.fees) / 1e6
  }
  return [...groups.values()].sort(
    (a, b) => Math.abs(b.profit) - Math.abs(a.profit) || (a.key < b.key ? -1 : 1),
  )
}
