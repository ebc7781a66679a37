import type { Market } from '../../../../backend/contract/market.ts'
import type { Iso } from '../../../../backend/contract/schemas.ts'
import type { Timeframe } from '../../../../backend/domain/prices/candle.ts'
import { matchedMarket } from '../../../api/context-queries.ts'
import type { Source } from '../../../api/source.svelte.ts'
import { indexHistory } from '../../../api/world-queries.ts'
import type { ChartBar } from '../../../charts/chart-bars.ts'
import type { OverlayLayers, OverlayPlan } from '../../../charts/layers/overlay-layers.ts'
import { DASHES, type OverlayLine } from '../../../charts/layers/overlay-lines.ts'
import type { DrawnChart } from '../../../charts/price-chart.ts'
import { BAR_SECONDS } from '../../../charts/series.ts'
import {
  GAUGE_OVERLAYS,
  overlaysOf,
  studiesOf,
  type GaugeOverlay,
  type Overlay,
} from '../../../charts/study-types.ts'
import { shortTicker } from '../../../lib/format.ts'
import { venueName } from '../../../../backend/domain/venue.ts'
import type { Pane } from '../../../shell/dock/pane.svelte.ts'
import type { Terminal } from '../../../shell/terminal.svelte.ts'
import { alignedGauge, alignedPrices, differences } from './align.ts'
import { ComparedMarket } from './compared-market.ts'
import { spreadLines, studyLines, type DrawnStudy } from './study-lines.ts'

/** Read one by one, so that new bars do not build what depends on the others. */
interface Inputs {
  readonly terminal: () => Terminal
  readonly pane: () => Pane
  readonly ticker: () => string | null
  readonly timeframe: () => Timeframe
  readonly asOf: () => Iso | null
  readonly bars: () => readonly ChartBar[]
  readonly chart: () => DrawnChart | null
}

/** One row of the legend. */
export interface OverlayEntry {
  /** The word that removes it. */
  readonly word: string
  readonly label: string
  readonly title: string
  readonly line: OverlayLine | null
  readonly unit: string
  /** Why it has no line. */
  readonly problem: string | null
}

const GAUGE_FIELDS = {
  index: 'value',
  disagreement: 'disagreement',
  georisk: 'geoRisk',
  activity: 'activity',
  breadth: 'breadth',
} as const satisfies Readonly<Record<GaugeOverlay, string>>

/** Shown until the first values: no wider than a value, so that nothing moves when they arrive. */
const LOADING = '…'

/** Why an answer is missing; `text` once it has arrived. */
const pendingText = (source: Source | null, text: string): string =>
  source?.body === null ? (source.failure?.message ?? LOADING) : text

const LONG_DAYS = 90
const SHORT_DAYS = 7
const DAY_SECONDS = 86_400

const wordOf = (overlay: Overlay): string =>
  overlay.kind === 'pair'
    ? '+pair'
    : `+${overlay.kind === 'market' ? overlay.ticker : overlay.gauge}`

/** The outcome and event of a market, as a legend shows it. */
const nameOf = (market: Market | null, ticker: string): string =>
  market === null ? shortTicker(ticker) : `${market.title} · ${venueName(market.venue)}`

/** Compared markets, gauges and studies of a chart. Create it during a component's initialisation. */
export class ChartOverlays {
  readonly #inputs: Inputs
  readonly #live = $derived.by(() => this.#inputs.terminal().live)
  readonly #overlayText = $derived.by(() => this.#inputs.pane().command.args['overlays'])
  readonly #studyText = $derived.by(() => this.#inputs.pane().command.args['studies'])
  readonly overlays = $derived.by(() => overlaysOf(this.#overlayText))
  readonly studies = $derived.by(() => studiesOf(this.#studyText))
  readonly isComparing = $derived.by(() => this.overlays.length > 0)

  /** The market itself with its match on the other venue, while that is compared. */
  readonly #marketWithMatch: Source<Market> | null = $derived.by(() => {
    const ticker = this.#inputs.ticker()
    const isRequested = this.overlays.some(({ kind }) => kind === 'pair')
    return ticker === null || !isRequested
      ? null
      : this.#live.source(matchedMarket(ticker, this.#asOf))
  })
  readonly #pair = $derived.by(() => this.#marketWithMatch?.body?.crossVenue ?? null)
  readonly #pairTicker = $derived.by(() => this.#pair?.ticker ?? null)
  readonly #isInverted = $derived.by(() => this.#pair?.inverted === true)

  /** Tickers of the compared markets, joined so that equal lists are one value. */
  readonly #tickers = $derived.by(() =>
    this.overlays
      .flatMap((overlay) => {
        if (overlay.kind === 'market') return [overlay.ticker]
        return overlay.kind === 'pair' && this.#pairTicker !== null ? [this.#pairTicker] : []
      })
      .filter((ticker) => ticker !== this.#inputs.ticker())
      .join(' '),
  )
  readonly #timeframe = $derived.by(() => this.#inputs.timeframe())
  readonly #asOf = $derived.by(() => this.#inputs.asOf())
  readonly markets: readonly ComparedMarket[] = $derived.by(() => {
    const terminal = this.#inputs.terminal()
    const [timeframe, asOf] = [this.#timeframe, this.#asOf]
    return this.#tickers
      .split(' ')
      .filter((ticker) => ticker !== '')
      .map((ticker) => {
        const isInverted = ticker === this.#pairTicker && this.#isInverted
        return new ComparedMarket({ terminal, ticker, timeframe, asOf, isInverted })
      })
  })

  readonly #isLong = $derived.by(() => {
    const bars = this.#inputs.bars()
    return (bars.at(-1)?.time ?? 0) - (bars[0]?.time ?? 0) > SHORT_DAYS * DAY_SECONDS
  })
  readonly #gauges = $derived.by(() => {
    if (!this.overlays.some(({ kind }) => kind === 'gauge')) return null
    const days = this.#isLong ? LONG_DAYS : SHORT_DAYS
    return this.#live.source(indexHistory(days, null, this.#asOf))
  })

  /** Everything that is read besides the chart's own market. */
  readonly sources: readonly Source[] = $derived.by(() => [
    ...(this.#marketWithMatch === null ? [] : [this.#marketWithMatch]),
    ...(this.#gauges === null ? [] : [this.#gauges]),
    ...this.markets.flatMap(({ sources }) => sources),
  ])

  readonly comparedEntries: readonly OverlayEntry[] = $derived.by(() =>
    this.overlays.map((overlay, index) =>
      overlay.kind === 'gauge'
        ? this.#gaugeEntry(overlay.gauge, index)
        : this.#entry(overlay, index),
    ),
  )

  readonly drawnStudies: readonly DrawnStudy[] = $derived.by(() => {
    const bars = this.#inputs.bars()
    const seconds = BAR_SECONDS[this.#timeframe]
    const first = this.overlays.length
    return this.studies.flatMap((study, index) => {
      if (study.name !== 'spread') return studyLines(study, bars, seconds, first + index) ?? []
      const other = this.comparedEntries.find(({ line }) => line !== null)
      if (other === undefined || other.line === null) return []
      const prices = bars.map(({ price }) => price)
      return spreadLines(study, differences(prices, other.line.values), other.label, first + index)
    })
  })

  readonly #plan: OverlayPlan = $derived.by(() => ({
    priceLines: [
      ...this.comparedEntries.flatMap(({ line }) => (line === null ? [] : [line])),
      ...this.drawnStudies.filter(({ pane }) => pane === null).flatMap(({ lines }) => lines),
    ],
    panes: this.drawnStudies.flatMap(({ pane, lines }) => (pane === null ? [] : [{ pane, lines }])),
    hasProfile: this.studies.some(({ name }) => name === 'profile'),
  }))

  /** Whether anything was drawn, so that the code of overlays is needed. */
  readonly #isUsed = $derived.by(() => this.overlays.length + this.studies.length > 0)
  #layers: OverlayLayers | null = $state.raw(null)

  constructor(inputs: Inputs) {
    this.#inputs = inputs
    $effect(() => {
      const chart = inputs.chart()
      if (chart === null || !this.#isUsed) return
      let layers: OverlayLayers | null = null
      let isDisposed = false
      void import('../../../charts/layers/overlay-layers.ts').then(({ OverlayLayers }) => {
        if (isDisposed) return
        layers = new OverlayLayers(chart)
        this.#layers = layers
      })
      return () => {
        isDisposed = true
        layers?.remove()
        this.#layers = null
      }
    })
    $effect(() => this.#layers?.show(this.#plan))
  }

  /** Loads older bars of the compared markets. */
  loadOlder(): void {
    for (const { data } of this.markets) void data.loadOlder()
  }

  #entry(overlay: Overlay, index: number): OverlayEntry {
    const bars = this.#inputs.bars()
    const word = wordOf(overlay)
    const ticker = overlay.kind === 'market' ? overlay.ticker : this.#pairTicker
    const market = this.markets.find((candidate) => candidate.ticker === ticker)
    if (ticker === null || market === undefined) {
      const isChartMarket = ticker !== null && ticker === this.#inputs.ticker()
      const problem = isChartMarket
        ? 'this chart'
        : pendingText(this.#marketWithMatch, 'no such question on the other venue')
      const label = ticker === null ? 'Other venue' : shortTicker(ticker)
      return { word, label, title: label, line: null, unit: '%', problem }
    }
    const values = alignedPrices(bars, market.data.bars, market.isInverted)
    const { body } = market.market
    const label = `${market.isInverted ? '100 − ' : ''}${nameOf(body, ticker)}`
    const title = market.isInverted ? `${label} (asks the opposite, so it is inverted)` : label
    const isKnown = values.some((value) => value !== null)
    const line: OverlayLine = {
      id: word,
      label,
      colour: index,
      dash: DASHES[index % DASHES.length] ?? [],
      isStepped: true,
      values,
      isLabelled: true,
    }
    const problem = isKnown ? null : pendingText(market.market, 'no price in these bars')
    return { word, label, title, line, unit: '%', problem }
  }

  #gaugeEntry(gauge: GaugeOverlay, index: number): OverlayEntry {
    const bars = this.#inputs.bars()
    const history = this.#gauges?.body ?? null
    const label = GAUGE_OVERLAYS[gauge]
    const title =
      gauge === 'breadth' ? 'Breadth, −1 to 1 drawn as 0 to 100' : `${label} of the world, 0 to 100`
    const word = `+${gauge}`
    if (history === null) {
      const problem = pendingText(this.#gauges, LOADING)
      return { word, label, title, line: null, unit: '', problem }
    }
    const seconds = BAR_SECONDS[this.#timeframe]
    const values = alignedGauge(bars, seconds, history, GAUGE_FIELDS[gauge])
    const line: OverlayLine = {
      id: word,
      label,
      colour: index,
      dash: DASHES[index % DASHES.length] ?? [],
      isStepped: false,
      values,
      isLabelled: true,
    }
    const isKnown = values.some((value) => value !== null)
    return { word, label, title, line, unit: '', problem: isKnown ? null : 'no history yet' }
  }
}
