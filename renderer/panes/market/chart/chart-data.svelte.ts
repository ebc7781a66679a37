import type { Timeframe } from '../../../../backend/domain/prices/candle.ts'
import type { Market } from '../../../../backend/contract/market.ts'
import type { QuoteBar, TapeTrade } from '../../../../backend/contract/market-tape.ts'
import * as series from '../../../api/series-queries.ts'
import { chartBars, withCurrent, type ChartBar } from '../../../charts/chart-bars.ts'
import type { PacedTopic } from '../../../charts/paced-topic.svelte.ts'
import type { Print } from '../../../charts/print-dots.ts'
import { BAR_SECONDS } from '../../../charts/series.ts'
import type { CandlesData } from '../../../../backend/contract/socket.ts'
import type { CandlesAnswer } from '../../../../backend/contract/market-history.ts'
import type { Source } from '../../../api/source.svelte.ts'
import type { Topic } from '../../../api/socket/topics.svelte.ts'
import { currentPrice } from '../../../lib/market-price.ts'
import type { Terminal } from '../../../shell/terminal.svelte.ts'
import { CandleRun } from './candle-run.svelte.ts'
import { OlderPages } from './older-pages.svelte.ts'

const MAX_BARS = 20_000
/** Pages of quotes and of trades: as far back as the candles go, and at most 10,000 trades. */
const MAX_QUOTE_PAGES = 10
const MAX_TAPE_PAGES = 20
/** Ranges with more trades than this, before the oldest loaded one, load none. */
const MAX_TRADES_AHEAD = 3_000
/** Ranges without a bar are skipped in steps of a page when the user jumps to a date. */
const MAX_STEPS = 12

interface Inputs {
  readonly terminal: Terminal
  readonly ticker: string
  readonly timeframe: Timeframe
  /** The instant that is shown; null for now. */
  readonly asOf: string | null
  readonly candles: {
    readonly source: Source<CandlesAnswer>
    readonly topic: Topic<CandlesData> | null
    readonly pacedTopic: PacedTopic<CandlesData> | null
  }
  readonly market: () => Market | null
  /** When the market settled, Unix seconds. */
  readonly settledAt: () => number | null
}

const printOf = ({ id, at, price, size, side }: TapeTrade): Print => ({
  id,
  time: Date.parse(at) / 1000,
  price,
  size,
  side,
})

/** Bars and trades of one market at one width: the newest live, older ones on demand. */
export class ChartData {
  readonly #inputs: Inputs
  readonly run: CandleRun
  readonly quotes
  readonly tape
  readonly #olderQuotes: OlderPages<QuoteBar>
  readonly #olderTrades: OlderPages<TapeTrade>

  readonly prints: readonly Print[] = $derived.by(() => {
    const newest = this.tape.body?.trades ?? []
    const oldest = newest.at(-1)?.at ?? ''
    const older = this.#olderTrades.pages.flat().filter(({ at }) => at < oldest)
    return [...newest, ...older].map(printOf)
  })

  /** Start of the bar that holds the present, or the end of the market. */
  readonly #end: number | null = $derived.by(() => {
    const { terminal, timeframe, asOf, market, settledAt } = this.#inputs
    const detail = market()
    if (detail === null) return null
    const seconds = BAR_SECONDS[timeframe]
    const now = asOf === null ? terminal.live.clock.now / 1000 : Date.parse(asOf) / 1000
    const closedAt = detail.closeTime === null ? now : Date.parse(detail.closeTime) / 1000
    const isOver = detail.status === 'settled' || detail.status === 'closed'
    const end = isOver ? Math.min(now, settledAt() ?? closedAt) : now
    return Math.floor(end / seconds) * seconds
  })

  readonly #recordedBars: readonly ChartBar[] = $derived.by(() => {
    const { body } = this.quotes
    const older = this.#olderQuotes.pages.toReversed().flat()
    return chartBars({
      candles: this.run.all,
      quotes: body === null ? null : { bars: [...older, ...body.bars], gaps: body.gaps },
      seconds: BAR_SECONDS[this.#inputs.timeframe],
      end: this.#end,
      max: MAX_BARS,
    })
  })

  readonly bars: readonly ChartBar[] = $derived.by(() => {
    const detail = this.#inputs.market()
    if (detail === null) return this.#recordedBars
    const { bestBid: bid, bestAsk: ask } = detail
    return withCurrent(this.#recordedBars, { ...currentPrice(detail), bid, ask })
  })

  constructor(inputs: Inputs) {
    this.#inputs = inputs
    const { terminal, ticker, timeframe, asOf, candles } = inputs
    const { live } = terminal
    this.run = new CandleRun(live, ticker, timeframe, { ...candles, asOf })
    this.quotes = live.source(series.quoteBars(ticker, timeframe, asOf))
    this.tape = live.source(series.tape(ticker, asOf))
    this.#olderQuotes = new OlderPages(async (before) => {
      const answer = await live.read(series.quoteBarsPath(ticker, timeframe, { before, asOf }))
      if (answer?.ok !== true) return answer
      return { ok: true, body: { rows: answer.body.bars, nextBefore: answer.body.nextBefore } }
    }, MAX_QUOTE_PAGES)
    this.#olderTrades = new OlderPages(async (before) => {
      const answer = await live.read(series.tapePath(ticker, { before, asOf }))
      if (answer?.ok !== true) return answer
      return { ok: true, body: { rows: answer.body.trades, nextBefore: answer.body.nextBefore } }
    }, MAX_TAPE_PAGES)
  }

  /** Loads the page before the oldest bars. */
  async loadOlder(): Promise<void> {
    await Promise.all([
      this.run.loadOlder(),
      this.#olderQuotes.loadNext(this.quotes.body?.nextBefore ?? null),
    ])
  }

  /**
   * Loads the trades of a range of time in Unix seconds, unless it holds more than are drawn: then
   * only the newest ones are.
   */
  async loadTrades(from: number, to: number): Promise<void> {
    const [newest, oldest] = [this.prints[0]?.time, this.prints.at(-1)?.time]
    if (newest === undefined || oldest === undefined || oldest <= from || oldest > to) return
    const perSecond = this.prints.length / Math.max(1, newest - oldest)
    if ((oldest - from) * perSecond > MAX_TRADES_AHEAD) return
    const pages = this.#olderTrades.pages.length
    await this.#olderTrades.loadNext(this.tape.body?.nextBefore ?? null)
    if (this.#olderTrades.pages.length > pages) await this.loadTrades(from, to)
  }

  /** Loads pages until the bars reach back to a time in Unix seconds, or no older ones exist. */
  async loadUntil(time: number): Promise<void> {
    for (let step = 0; step < MAX_STEPS; step += 1) {
      const before = this.bars.length
      if ((this.bars[0]?.time ?? 0) <= time) return
      await this.loadOlder()
      if (this.bars.length === before) return
    }
  }
}
