import type { Grid, GridMarket } from '../../computed/grid/grid.ts'
import { marketEdges } from '../../computed/market-edges.ts'
import type { MarketView } from '../../computed/market-board.ts'
import { suggestionOf } from '../../domain/edges/suggestion.ts'
import type { Suggestion } from '../../domain/edges/suggestion.ts'
import { passesPreset } from '../../domain/pairing/pairs.ts'
import { settledPrice } from '../../domain/price.ts'
import { centsText } from '../../domain/world/text.ts'

/** How a market ended; null while it has not. */
function settlementOf({ facts, status }: MarketView): string | null {
  if (status !== 'settled') return null
  if (facts.result === 'void') return 'settled void: what it cost is returned'
  const pays = settledPrice(facts)
  const how = facts.result === null ? 'settled' : `settled ${facts.result}`
  return pays === null ? how : `${how}: YES pays ${centsText(pays)}`
}

/**
 * What to consider in a market (methodology E7), from its prices of now and what the grid knows: the
 * edge that leaves most after costs, noise, adverse selection. A settled market names its end first.
 */
export function suggestionFor(view: MarketView, grid: Grid | null): Suggestion {
  const { ticker } = view.facts
  const known: GridMarket | undefined = grid?.markets.get(ticker)
  const pair = grid?.pairOf.get(ticker)
  const isLive = view.status === 'active'
  const suggestion = suggestionOf({
    isLive,
    liquidity: view.liquidityScore,
    spread: view.hasOrderbook ? view.spread : null,
    tau: view.tau,
    // Neither venue says so of a market that still trades.
    disputed: false,
    pairConflict:
      isLive && pair !== undefined && passesPreset(pair, 'detail') && pair.qualifiers.length > 0,
    edge: (isLive && grid !== null ? marketEdges(grid).get(ticker)?.[0] : undefined) ?? null,
    asScore: known?.regime?.score ?? null,
    volatility: known?.volatility ?? null,
    isPanic: known?.trendLabel === 'panic',
    catalystHours: null,
  })
  const settlement = settlementOf(view)
  return settlement === null
    ? suggestion
    : { ...suggestion, warnings: [settlement, ...suggestion.warnings] }
}
