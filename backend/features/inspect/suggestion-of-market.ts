import { isMeasured } from '../../domain/regime/adverse-selection.ts'
import type { ContextSnapshot, MarketQuantities } from '../../computed/snapshot/context-snapshot.ts'
import { marketEdges } from '../../computed/market-edges.ts'
import type { MarketView } from '../../computed/board/market-board.ts'
import { suggestionOf } from '../../domain/edges/suggestion.ts'
import type { Suggestion } from '../../domain/edges/suggestion.ts'
import { passesPreset } from '../../domain/pairing/pairs.ts'
import { settledPrice } from '../../domain/prices/price.ts'
import { centsText } from '../../domain/world/markdown/text.ts'

/** How a market settled; null before. */
function settlementOf({ facts, status }: MarketView): string | null {
  if (status !== 'settled') return null
  if (facts.result === 'void') return 'settled void: the cost is returned'
  const pays = settledPrice(facts)
  const settledText = facts.result === null ? 'settled' : `settled ${facts.result}`
  return pays === null ? settledText : `${settledText}: YES pays ${centsText(pays)}`
}

/**
 * The suggestion for a market (methodology E7), from its current prices and the snapshot: the edge
 * with the largest remainder after costs, noise and adverse selection. A settled market reports
 * its settlement first.
 */
export function suggestionFor(view: MarketView, snapshot: ContextSnapshot | null): Suggestion {
  const { ticker } = view.facts
  const quantities: MarketQuantities | undefined = snapshot?.markets.get(ticker)
  const pair = snapshot?.pairOf.get(ticker)
  const isLive = view.status === 'active'
  const suggestion = suggestionOf({
    isLive,
    liquidity: view.liquidityScore,
    spread: view.hasOrderbook ? view.spread : null,
    tau: view.tau,
    // Neither venue reports a dispute while a market still trades.
    disputed: false,
    pairConflict:
      isLive && pair !== undefined && passesPreset(pair, 'detail') && pair.qualifiers.length > 0,
    edge:
      (isLive && snapshot !== null ? marketEdges(snapshot).get(ticker)?.[0] : undefined) ?? null,
    asScore: quantities?.regime?.score ?? null,
    asIsPrior: !isMeasured(quantities?.regime?.nTrades ?? 0),
    volatility: quantities?.volatility ?? null,
    isPanic: quantities?.trendLabel === 'panic',
    catalystHours: null,
  })
  const settlement = settlementOf(view)
  return settlement === null
    ? suggestion
    : { ...suggestion, warnings: [settlement, ...suggestion.warnings] }
}
