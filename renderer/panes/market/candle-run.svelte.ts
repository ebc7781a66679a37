import type { Live } from '../../api/live.ts'
import { candlesPath } from '../../api/questions.ts'
import type { Candle, CandlePage, Iso, Timeframe } from '../../api/types.ts'
import { joinCandles } from '../../charts/series.ts'

const MOST_HELD = 20_000

/** The candles of one market at one width: the newest page as it is asked, and older ones on demand. */
export class CandleRun {
  readonly #live: Live
  readonly ticker: string
  readonly timeframe: Timeframe
  readonly #newest: () => CandlePage | null
  #older = $state.raw<readonly Candle[]>([])
  /** Where the next older page ends; undefined until one was asked. */
  #before: Iso | null | undefined = undefined
  #asking = false
  /** Why an older page did not come; the next scroll asks again. */
  problem = $state<string | null>(null)
  readonly all: readonly Candle[] = $derived.by(() =>
    joinCandles(this.#older, this.#newest()?.candles ?? [], MOST_HELD),
  )

  constructor(live: Live, ticker: string, timeframe: Timeframe, newest: () => CandlePage | null) {
    this.#live = live
    this.ticker = ticker
    this.timeframe = timeframe
    this.#newest = newest
  }

  /** Asks one page further into the past, unless one is on its way or there is none. */
  async loadOlder(): Promise<void> {
    const before = this.#before === undefined ? (this.#newest()?.nextBefore ?? null) : this.#before
    if (this.#asking || before === null || this.all.length >= MOST_HELD) return
    this.#asking = true
    const answer = await this.#live.read<CandlePage>(
      candlesPath(this.ticker, this.timeframe, before),
    )
    this.#asking = false
    if (answer === null) return
    if (!answer.ok) {
      this.problem = answer.failure.message
      return
    }
    this.problem = null
    this.#older = joinCandles(answer.body.candles, this.#older, MOST_HELD)
    this.#before = answer.body.nextBefore
  }
}
