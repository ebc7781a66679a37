import type { Timeframe } from '../../../backend/domain/candle.ts'
import type { Live } from '../../api/live.ts'
import { candlesPath } from '../../api/questions.ts'
import type { Candle, CandlePage, Iso } from '../../api/types.ts'
import type { CandlesData } from '../../../backend/features/data-service/socket/protocol.ts'
import type { Source } from '../../api/source.svelte.ts'
import { candlesOf } from '../../api/socket/shapes.ts'
import type { Topic } from '../../api/socket/topics.svelte.ts'
import type { PacedTopic } from '../../charts/paced-topic.svelte.ts'
import { joinCandles } from '../../charts/series.ts'

const MOST_HELD = 20_000

/** Where the newest bars come from: the socket's topic while it is current, else what was asked. */
interface Newest {
  readonly source: Source<CandlePage>
  readonly topic: Topic<CandlesData>
  /** What the topic tells, as often as a chart is drawn. */
  readonly paced: PacedTopic<CandlesData>
}

/** The candles of one market at one width: the newest ones as they move, and older ones on demand. */
export class CandleRun {
  readonly #live: Live
  readonly ticker: string
  readonly timeframe: Timeframe
  readonly #from: Newest
  #older = $state.raw<readonly Candle[]>([])
  /** Where the next older page ends; undefined until one was asked. */
  #before: Iso | null | undefined = undefined
  #asking = false
  /** Why an older page did not come; the next scroll asks again. */
  problem = $state<string | null>(null)
  readonly #newest: readonly Candle[] = $derived.by(() => {
    const { source, topic, paced } = this.#from
    const asked = source.body?.candles ?? []
    const told = topic.live ? paced.dataOf(topic) : null
    if (told === null) return asked
    // Bars that an older page was joined to stay when the topic's own window moves on.
    return joinCandles(asked, candlesOf(told), MOST_HELD)
  })
  readonly all: readonly Candle[] = $derived.by(() =>
    joinCandles(this.#older, this.#newest, MOST_HELD),
  )

  constructor(live: Live, ticker: string, timeframe: Timeframe, from: Newest) {
    this.#live = live
    this.ticker = ticker
    this.timeframe = timeframe
    this.#from = from
  }

  /** Asks one page further into the past, unless one is on its way or there is none. */
  async loadOlder(): Promise<void> {
    const { body } = this.#from.source
    const before = this.#before === undefined ? (body?.nextBefore ?? null) : this.#before
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
