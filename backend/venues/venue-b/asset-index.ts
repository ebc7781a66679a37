import type { MarketFacts, Ticker } from '../../domain/market.ts'

/** The markets seen so far: their facts, and the market and outcome of each asset. */
export class AssetIndex {
  readonly #facts = new Map<Ticker, MarketFacts>()
  readonly #byAsset = new Map<string, { readonly ticker: Ticker; readonly outcome: 0 | 1 }>()

  add(facts: MarketFacts): void {
    this.#facts.set(facts.ticker, facts)
    facts.assetIds.forEach((asset, index) => {
      if (index === 0 || index === 1)
        this.#byAsset.set(asset, { ticker: facts.ticker, outcome: index })
    })
  }

  facts(ticker: Ticker): MarketFacts | null {
    return this.#facts.get(ticker) ?? null
  }

  /** The asset whose book is the YES book. */
  yesAsset(ticker: Ticker): string | null {
    return this.#facts.get(ticker)?.assetIds[0] ?? null
  }

  /** The outcome of the market that the asset represents; null when unknown. */
  readonly outcomeOf = (ticker: Ticker, asset: string): 0 | 1 | null => {
    const existing = this.#byAsset.get(asset)
    return existing?.ticker === ticker ? existing.outcome : null
  }

  /** The outcome that an asset represents, whatever its market. */
  indexOf(asset: string): 0 | 1 | null {
    return this.#byAsset.get(asset)?.outcome ?? null
  }
}
