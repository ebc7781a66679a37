import type { Timeframe } from '../../../../backend/domain/prices/candle.ts'
import type { Live } from '../../../api/live.ts'
import { candlesPath } from '../../../api/series-queries.ts'
import type { Candle, CandlesAnswer } from '../../../../backend/contract/market-history.ts'
import type { Iso } from '../../../../backend/contract/schemas.ts'
import type { CandlesData } from '../../../../backend/contract/socket.ts'
import type { Source } from '../../../api/source.svelte.ts'
import { candlesOf } from '../../../api/socket/shapes.ts'
import type { Topic } from '../../../api/socket/topics.svelte.ts'
import type { PacedTopic } from '../../../charts/paced-topic.svelte.ts'
import { joinCandles } from '../../../charts/series.ts'

const MAX_CANDLES = 20_000

/** Source of the newest bars: the socket's topic while it is current, else polling. */
interface NewestInputs {
  readonly source: Source<CandlesAnswer>
  /** Null at a past instant. */
  readonly topic: Topic<CandlesData> | null
  /** The topic's bars at the rate at which a chart is drawn. */
  readonly pacedTopic: PacedTopic<CandlesData> | null
  readonly asOf: Iso | null
}

/** The candles of one market at one width: the newest ones live, older ones on demand. */
export class CandleRun {
  readonly #live: Live
  readonly ticker: string
  readonly timeframe: Timeframe
  readonly #newestInputs: NewestInputs
  #olderCandles = $state.raw<readonly Candle[]>([])
  /** End of the next older page; undefined until one was requested. */
  #nextPageEnd: Iso | null | undefined = undefined
  #isRequesting = false
  /** Why an older page failed to load; the next scroll retries. */
  problem = $state<string | null>(null)
  readonly #newest: readonly Candle[] = $derived.by(() => {
    const { source, topic, pacedTopic } = this.#newestInputs
    const polledCandles = source.body?.candles ?? []
    const update = topic?.live === true ? (pacedTopic?.dataOf(topic) ?? null) : null
    if (update === null) return polledCandles
    // Bars that an older page was joined to stay when the topic's window moves on.
    return joinCandles(polledCandles, candlesOf(update), MAX_CANDLES)
  })
  readonly all: readonly Candle[] = $derived.by(() =>
    joinCandles(this.#olderCandles, this.#newest, MAX_CANDLES),
  )

  constructor(live: Live, ticker: string, timeframe: Timeframe, newest: NewestInputs) {
    this.#live = live
    this.ticker = ticker
    this.timeframe = timeframe
    this.#newestInputs = newest
  }

  /** Requests the next older page, unless one is pending or none exists. */
  async loadOlder(): Promise<void> {
    const { body } = this.#newestInputs.source
    const before = this.#nextPageEnd === undefined ? (body?.nextBefore ?? null) : this.#nextPageEnd
    if (this.#isRequesting || before === null || this.all.length >= MAX_CANDLES) return
    this.#isRequesting = true
    const answer = await this.#live.read(
      candlesPath(this.ticker, this.timeframe, { before, asOf: this.#newestInputs.asOf }),
    )
    this.#isRequesting = false
    if (answer === null) return
    if (!answer.ok) {
      this.problem = answer.failure.message
      return
    }
    this.problem = null
    this.#olderCandles = joinCandles(answer.body.candles, this.#olderCandles, MAX_CANDLES)
    this.#nextPageEnd = answer.body.nextBefore
  }
}
