import type { Market } from '../../../../backend/contract/market.ts'
import type { Iso } from '../../../../backend/contract/schemas.ts'
import type { Timeframe } from '../../../../backend/domain/prices/candle.ts'
import * as queries from '../../../api/queries.ts'
import * as series from '../../../api/series-queries.ts'
import type { Source } from '../../../api/source.svelte.ts'
import type { Terminal } from '../../../shell/terminal.svelte.ts'
import { ChartData } from '../chart/chart-data.svelte.ts'

const MINUTE = 60_000

interface Inputs {
  readonly terminal: Terminal
  readonly ticker: string
  readonly timeframe: Timeframe
  readonly asOf: Iso | null
  /** The market asks the opposite of the chart's. */
  readonly isInverted: boolean
}

/** A market whose price is drawn over another's. */
export class ComparedMarket {
  readonly ticker: string
  readonly isInverted: boolean
  readonly data: ChartData
  readonly market: Source<Market>
  readonly sources: readonly Source[]

  constructor({ terminal, ticker, timeframe, asOf, isInverted }: Inputs) {
    const { live } = terminal
    this.ticker = ticker
    this.isInverted = isInverted
    const candles = live.source({
      ...series.candles(ticker, timeframe, asOf),
      interval: MINUTE,
      streamedInterval: MINUTE,
    })
    this.market = live.source(queries.market(ticker, asOf))
    this.data = new ChartData({
      terminal,
      ticker,
      timeframe,
      asOf,
      candles: { source: candles, topic: null, pacedTopic: null },
      market: () => this.market.body,
      settledAt: () => null,
    })
    this.sources = [candles, this.market, this.data.quotes]
  }
}
