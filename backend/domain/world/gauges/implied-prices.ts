import { LIQUIDITY_WEIGHTS } from '../../liquidity/liquidity.ts'
import { pooledFalling } from '../../odds/ladder-distribution.ts'
import { sumOf } from '../../statistics/statistics.ts'
import { CONSENSUS_PARAMS, type PairedMarket } from '../salient/consensus.ts'
import { eventKey } from '../salient/market-candidates.ts'
import { byTicker, type WorldMarket } from '../world-market.ts'

/** A market with a known mark. */
type MarkedMarket = WorldMarket & { readonly mark: NonNullable<WorldMarket['mark']> }

const isMarked = (market: WorldMarket): market is MarkedMarket => market.mark !== null

/**
 * The price of each market that its event and its counterpart imply, cents, by ticker. Outcomes of
 * an exclusive event above 100 together are scaled down to 100; a ladder is made monotone by the
 * least change; a market with a counterpart on the other venue is expected between the two. Markets
 * that nothing can be compared with are left out. Methodology A17, part M.
 * @param pairs the best counterpart of each paired market
 */
export function impliedPrices(
  markets: readonly WorldMarket[],
  pairs: ReadonlyMap<string, PairedMarket>,
): Map<string, number> {
  const markedMarkets = markets.filter(isMarked)
  const consistent = new Map<string, number>()
  const exclusive = markedMarkets.filter((market) => market.exclusive)
  for (const outcomes of Map.groupBy(exclusive, eventKey).values()) {
    addOutcomePrices(outcomes, consistent)
  }
  const onLadders = markedMarkets.filter(({ rung }) => rung !== null)
  for (const ladder of Map.groupBy(onLadders, ladderKey).values())
    addLadderPrices(ladder, consistent)
  const byName = new Map(markedMarkets.map((market) => [market.ticker, market]))
  const impliedByTicker = new Map(consistent)
  for (const market of markedMarkets) {
    const pair = pairs.get(market.ticker)
    if (pair === undefined || pair.confidence < CONSENSUS_PARAMS.minPairConfidence) continue
    const other = byName.get(pair.ticker)
    if (other === undefined) continue
    const otherPrice = consistent.get(other.ticker) ?? other.mark
    const marketPrice = consistent.get(market.ticker) ?? market.mark
    impliedByTicker.set(
      market.ticker,
      (marketPrice + (pair.inverted ? 100 - otherPrice : otherPrice)) / 2,
    )
  }
  return impliedByTicker
}

const ladderKey = ({ venue, rung }: WorldMarket): string => `${venue}|${rung?.ladder ?? ''}`

/** No outcome needs to end YES, so a sum below 100 is consistent. */
function addOutcomePrices(outcomes: readonly MarkedMarket[], prices: Map<string, number>): void {
  if (outcomes.length < 2) return
  const sum = sumOf(outcomes.map(({ mark }) => mark))
  for (const { ticker, mark } of outcomes) prices.set(ticker, sum > 100 ? (mark * 100) / sum : mark)
}

/** Prices fall with the strike or rise with the date, whichever takes the smaller change. */
function addLadderPrices(ladder: readonly MarkedMarket[], prices: Map<string, number>): void {
  if (ladder.length < 2) return
  const rungs = ladder.toSorted((a, b) => (a.rung?.at ?? 0) - (b.rung?.at ?? 0) || byTicker(a, b))
  const marks = rungs.map(({ mark }): number => mark)
  const weights = rungs.map(({ liquidity }) => LIQUIDITY_WEIGHTS[liquidity])
  const falling = pooledFalling(marks, weights)
  const rising = pooledFalling(marks.toReversed(), weights.toReversed()).toReversed()
  const changeTo = (fittedPrices: readonly number[]): number =>
    sumOf(fittedPrices.map((price, i) => (price - (marks[i] ?? price)) ** 2))
  const fit = changeTo(falling) <= changeTo(rising) ? falling : rising
  for (const [i, { ticker, mark }] of rungs.entries()) prices.set(ticker, fit[i] ?? mark)
}
