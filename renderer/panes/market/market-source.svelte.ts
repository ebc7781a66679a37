import { untrack } from 'svelte'
import * as queries from '../../api/queries.ts'
import type { Source } from '../../api/source.svelte.ts'
import { quoteOfTicker, withTicker } from '../../api/socket/shapes.ts'
import type { Market } from '../../../backend/contract/market.ts'
import type { Pane } from '../../shell/dock/pane.svelte.ts'
import type { Terminal } from '../../shell/terminal.svelte.ts'
import { withQuote } from '../lists/market-rows.ts'

interface PaneHost {
  readonly terminal: Terminal
  readonly pane: Pane
}

/** The market of a pane with its newest known price, shared by panes of the same market. */
export class PaneMarket {
  readonly #host: () => PaneHost
  readonly #isPresent: boolean
  readonly ticker: string | null = $derived.by(() => {
    const { terminal, pane } = this.#host()
    return terminal.tickerOf(pane)
  })
  /** The past instant that is shown; null for now. */
  readonly asOf: string | null = $derived.by(() => {
    const { terminal, pane } = this.#host()
    return this.#isPresent ? null : terminal.instants[pane.link]
  })
  readonly source: Source<Market> | null = $derived.by(() =>
    this.ticker === null
      ? null
      : this.#host().terminal.live.source(queries.market(this.ticker, this.asOf)),
  )
  readonly topic = $derived.by(() =>
    this.ticker === null || this.asOf !== null
      ? null
      : this.#host().terminal.live.topics.ticker(this.ticker),
  )
  readonly detail: Market | null = $derived.by(() => {
    const body = this.source?.body ?? null
    if (body === null) return null
    if (this.asOf !== null) return body
    const { health } = this.#host().terminal
    const quotedMarket = { ...body, ...withQuote(body, health.newestQuote(body)) }
    const update = this.topic?.data ?? null
    return update === null ? quotedMarket : withTicker(quotedMarket, quoteOfTicker(update))
  })
  readonly freshness = $derived.by(() =>
    this.detail === null || this.source === null || this.asOf !== null
      ? 'fresh'
      : this.#host().terminal.health.freshnessOfPrice(this.detail.venue, [this.source]),
  )

  /** The time at which the market is shown, in milliseconds; ages are counted to it. */
  readonly shownAt: number = $derived.by(() =>
    this.asOf === null ? this.#host().terminal.live.clock.now : Date.parse(this.asOf),
  )

  /**
   * Call it during the initialisation of a component.
   * @param isPresent whether the market is shown as it is now while its group shows a past instant
   */
  constructor(host: () => PaneHost, isPresent = false) {
    this.#host = host
    this.#isPresent = isPresent
    $effect(() => {
      const body = this.source?.body ?? null
      if (body === null || this.asOf !== null) return
      untrack(() => this.#host().terminal.health.record(body))
    })
  }
}

/** Empty state of a market pane before a market is chosen. */
export const noMarket = (terminal: Terminal) => ({
  text: 'No market selected.',
  action: { label: 'Choose a market', run: () => terminal.prefill('') },
})
