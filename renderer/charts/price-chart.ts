import {
  CandlestickSeries,
  ColorType,
  createChartEx,
  CrosshairMode,
  HistogramSeries,
  LineSeries,
  LineStyle,
  type IChartApi,
  type IPriceLine,
  type TickMarkType,
  type Time,
} from 'lightweight-charts'
import { tradedCandle, type ChartBar } from './chart-bars.ts'
import type { ChartLayer } from './layers/chart-layer.ts'
import type { ChartColours } from './layers/chart-colours.ts'
import type { DrawnPoint } from './layers/drawing.ts'
import { EventLines, type Instant } from './event-lines.ts'
import { GapBands } from './gap-bands.ts'
import type { ChartType, Scale } from './chart-types.ts'
import type { PlacedMark } from './mark-kinds.ts'
import { PriceLine } from './price-line.ts'
import { axisRange, axisText, fromScale, topMargin, toScale } from './price-scale.ts'
import { PrintDots, type Print } from './print-dots.ts'
import { fitsAxis, tickMark, TimeAxis, timeLabel } from './time-axis.ts'
import { indexAt, positionOnAxis, tailToUpdate, type Band } from './series.ts'

export interface PriceChartEvents {
  /** The bar and the feed gap under the crosshair; null when there is none or it left. */
  readonly onhover: (bar: ChartBar | null, gap: Band | null) => void
  /** The user moved the crosshair in this chart to this time in Unix seconds, or removed it. */
  readonly onpoint: (time: number | null) => void
  /** The user scrolled near the oldest bar. */
  readonly onoldest: () => void
  /** The user moved the view. */
  readonly onrange: (view: Band) => void
  /** Where the marked instants in view are, whenever that changes. */
  readonly onplaced: (marks: readonly PlacedMark[]) => void
}

/** A horizontal line at a price. */
export interface Level {
  readonly id: string
  /** Cents. */
  readonly price: number
  readonly label: string
  readonly kind: 'level' | 'alert'
}

export interface ChartStyle {
  readonly type: ChartType
  readonly scale: Scale
  /** Draws the price as one line among others, on an axis in percent. */
  readonly isComparing: boolean
}

/** A point of the chart: cents between 0 and 100, and Unix seconds. */
export type ChartPoint = DrawnPoint

export interface DrawnChart {
  /** Draws bars; updates only the tail when the rest is unchanged. */
  draw(bars: readonly ChartBar[]): void
  style(style: ChartStyle): void
  /** Keeps prices below a list of lines of this height in px. */
  reserveTop(height: number): void
  markPrints(prints: readonly Print[]): void
  markLevels(levels: readonly Level[]): void
  /** The horizontal line at a distance in px from the top; null when none is near. */
  levelAt(y: number): Level | null
  /** The price and time at a position in px from the top left corner. */
  pointOf(x: number, y: number): ChartPoint | null
  /** Position of the bar at or before a time, in px; the newest in view without one. */
  positionAt(time: number | null): { readonly x: number; readonly y: number } | null
  markGaps(gaps: readonly Band[]): void
  markEvents(events: readonly Instant[]): void
  /** Shows a range of time, in Unix seconds. */
  showRange(view: Band): void
  colour(colours: ChartColours): void
  /** Shows the newest `bars` bars. */
  showLast(bars: number): void
  zoom(factor: number): void
  /** Pans by a share of the width; negative moves into the past. */
  pan(share: number): void
  reset(): void
  /** Puts the crosshair on the bar at or before a time in Unix seconds, or removes it. */
  pointAt(time: number | null): void
  /** The time of the bar `by` bars away from the bar at a time; the newest bar without a time. */
  timeBeside(time: number | null, by: number): number | null
  /** Adds a layer. @returns removes it */
  addLayer(layer: ChartLayer): () => void
  remove(): void
}

/** Trades of a market that is thin enough to show each beside its candle. */
const MAX_DOTS_ON_CANDLES = 150
/** Distance in px at which the pointer is on a line. */
const GRIP_PX = 5

/** A chart of one market's price with volume below, in cents. */
export function drawPriceChart(host: HTMLElement, events: PriceChartEvents): DrawnChart {
  let style: ChartStyle = { type: 'step', scale: 'auto', isComparing: false }
  const chart = createChartEx<Time, TimeAxis>(host, new TimeAxis(), {
    autoSize: true,
    // The help pane shows the library's attribution, because its logo would need an inline style.
    layout: { attributionLogo: false, fontSize: 11 },
    localization: {
      timeFormatter: timeLabel,
    },
    timeScale: {
      timeVisible: true,
      secondsVisible: false,
      rightOffset: 4,
      minBarSpacing: 0.5,
      enableConflation: true,
    },
    crosshair: { mode: CrosshairMode.Normal },
  }) as IChartApi
  const markAt = (time: Time, kind: TickMarkType): string => {
    const axis = chart.timeScale()
    const label = tickMark(time, kind)
    const x = axis.timeToCoordinate(time)
    return x === null || fitsAxis(label, x, axis.width()) ? label : ''
  }
  chart.applyOptions({ timeScale: { tickMarkFormatter: markAt } })
  const formatter = (value: number) => axisText(style.scale, value, style.isComparing)
  const priceFormat = { type: 'custom', minMove: 0.01, formatter } as const
  const candles = chart.addSeries(CandlestickSeries, {
    priceLineVisible: false,
    lastValueVisible: false,
    priceFormat,
    autoscaleInfoProvider: () => null,
  })
  // Holds the price for the axis, its label and the crosshair; `PriceLine` draws it, because a line
  // of the library has no gaps.
  const base = chart.addSeries(LineSeries, {
    lineVisible: false,
    priceLineVisible: false,
    lastValueVisible: false,
    priceFormat,
    autoscaleInfoProvider: () => {
      const range = scale.getVisibleLogicalRange()
      const from = Math.max(0, Math.floor(range?.from ?? 0))
      const to = Math.ceil(range?.to ?? drawnBars.length)
      const inView = drawnBars.slice(from, to + 1)
      const spans = [...layers].flatMap((layer) => layer.spanOf?.(from, to) ?? [])
      const priceRange = axisRange(style, inView, spans)
      return priceRange === null ? null : { priceRange }
    },
  })
  const yOf = (cents: number): number | null => base.priceToCoordinate(toScale(style.scale, cents))
  const volume = chart.addSeries(HistogramSeries, {
    priceScaleId: 'volume',
    priceFormat: { type: 'volume' },
    lastValueVisible: false,
    priceLineVisible: false,
  })
  chart.priceScale('volume').applyOptions({ scaleMargins: { top: 0.86, bottom: 0 } })
  base.priceScale().applyOptions({
    scaleMargins: { top: 0.12, bottom: 0.16 },
    // A price that the edge would cut is left out.
    entireTextOnly: true,
  })

  const bands = new GapBands()
  base.attachPrimitive(bands)
  const lines = new EventLines((marks) => events.onplaced(marks))
  base.attachPrimitive(lines)
  const priceLine = new PriceLine(yOf)
  base.attachPrimitive(priceLine)
  const dots = new PrintDots(yOf)
  base.attachPrimitive(dots)

  const layers = new Set<ChartLayer>()
  let drawnBars: readonly ChartBar[] = []
  let isRemoved = false
  let colours: ChartColours | null = null
  let levelLines: IPriceLine[] = []
  let currentLine: IPriceLine | null = null
  let markedLevels: readonly Level[] = []
  let printCount = 0
  /** Many dots hide the candles, which contain the trades; few of them are easier to see. */
  const hideDots = () => {
    const isCandles = style.type === 'candles' || style.type === 'mid-candles'
    dots.hide(style.isComparing || (isCandles && printCount > MAX_DOTS_ON_CANDLES))
  }
  const pointAtTime = (time: number) => ({ time: time as Time & number })
  const valueOf = (cents: number) => toScale(style.scale, cents)
  const candleOf = ({ time, candle, mid }: ChartBar) => {
    const bar =
      style.type === 'mid-candles' ? mid : style.type === 'candles' ? tradedCandle(candle) : null
    if (bar === null) return pointAtTime(time)
    return {
      ...pointAtTime(time),
      open: valueOf(bar.o),
      high: valueOf(bar.h),
      low: valueOf(bar.l),
      close: valueOf(bar.c),
    }
  }
  const priceOf = ({ time, price }: ChartBar) =>
    price === null ? pointAtTime(time) : { ...pointAtTime(time), value: valueOf(price) }
  const volumeOf = ({ time, candle }: ChartBar) =>
    (candle?.v ?? null) === null || candle === null
      ? { time: time as Time & number }
      : {
          time: time as Time & number,
          value: candle.v,
          color: (candle.c >= candle.o ? colours?.upSoft : colours?.downSoft) ?? '',
        }
  const setAll = () => {
    base.setData(drawnBars.map(priceOf))
    candles.setData(drawnBars.map(candleOf))
    volume.setData(drawnBars.map(volumeOf))
  }

  /**
   * Marks the newest price on the axis. The library's own label has the last price in view, which
   * differs from the heading and the ladder once the chart is scrolled back.
   */
  const markCurrent = () => {
    const cents = drawnBars.findLast(({ price }) => price !== null)?.price ?? null
    if (cents === null || colours === null) {
      if (currentLine !== null) base.removePriceLine(currentLine)
      currentLine = null
      return
    }
    const options = { price: valueOf(cents), color: colours.edge }
    if (currentLine === null) {
      currentLine = base.createPriceLine({ ...options, lineStyle: LineStyle.Dashed, lineWidth: 1 })
    } else currentLine.applyOptions(options)
  }

  const report = (slot: ChartBar | undefined) =>
    events.onhover(slot ?? null, slot === undefined ? null : bands.at(slot.time))
  chart.subscribeCrosshairMove(({ logical, sourceEvent }) => {
    const slot = logical === undefined ? undefined : drawnBars[Math.round(logical)]
    report(slot)
    // A crosshair set by `pointAt`, or moved by arriving bars, is not the user's.
    if (sourceEvent !== undefined || logical === undefined) events.onpoint(slot?.time ?? null)
  })
  const scale = chart.timeScale()
  const axis = () => {
    const [first, second] = drawnBars
    if (first === undefined || second === undefined) return null
    return { start: first.time, seconds: second.time - first.time }
  }
  /** When the view last followed another chart's, to ignore the resulting event. */
  let followedView: Band | null = null
  scale.subscribeVisibleLogicalRangeChange((range) => {
    if (range === null || drawnBars.length === 0) return
    if (range.from < 20) events.onoldest()
    const axisScale = axis()
    if (axisScale === null) return
    const view = {
      from: Math.round(axisScale.start + range.from * axisScale.seconds),
      to: Math.round(axisScale.start + range.to * axisScale.seconds),
    }
    const tolerance = axisScale.seconds
    const isEcho =
      followedView !== null &&
      Math.abs(view.from - followedView.from) <= tolerance &&
      Math.abs(view.to - followedView.to) <= tolerance
    if (!isEcho) events.onrange(view)
  })

  return {
    draw(slots) {
      const tail = tailToUpdate(drawnBars, slots)
      const previous = drawnBars
      drawnBars = slots
      lines.measure(axis())
      dots.measure(axis())
      priceLine.show(slots, style)
      markCurrent()
      if (tail !== null) {
        for (const slot of tail) {
          base.update(priceOf(slot))
          candles.update(candleOf(slot))
          volume.update(volumeOf(slot))
        }
        for (const layer of layers) layer.draw(slots)
        return
      }
      const range = scale.getVisibleLogicalRange()
      const anchor = previous[0]?.time
      const prependedCount =
        anchor === undefined ? -1 : slots.findIndex(({ time }) => time === anchor)
      setAll()
      for (const layer of layers) layer.draw(slots)
      // Bars prepended shift the view by their number; restore the user's position.
      if (prependedCount > 0 && range !== null) {
        scale.setVisibleLogicalRange({
          from: range.from + prependedCount,
          to: range.to + prependedCount,
        })
      }
    },
    markGaps: (gaps) => bands.setGaps(gaps),
    markEvents: (instants) => lines.setInstants(instants),
    markPrints(prints) {
      printCount = prints.length
      dots.show(prints)
      hideDots()
    },
    markLevels(levels) {
      for (const line of levelLines) base.removePriceLine(line)
      levelLines = levels.map(({ price, label, kind }) =>
        base.createPriceLine({
          price: valueOf(price),
          title: label,
          color: (kind === 'alert' ? colours?.event : colours?.edge) ?? '',
          lineStyle: kind === 'alert' ? LineStyle.Dashed : LineStyle.Solid,
          lineWidth: 1,
        }),
      )
      markedLevels = levels
    },
    levelAt(y) {
      const distances = markedLevels.map((level) => ({
        level,
        distance: Math.abs((yOf(level.price) ?? Infinity) - y),
      }))
      const [nearest] = distances.toSorted((first, second) => first.distance - second.distance)
      return nearest !== undefined && nearest.distance <= GRIP_PX ? nearest.level : null
    },
    style(next) {
      style = next
      priceLine.show(drawnBars, next)
      hideDots()
      setAll()
      markCurrent()
      this.markLevels(markedLevels)
      base.priceScale().applyOptions({ autoScale: true })
    },
    pointOf(x, y) {
      const value = base.coordinateToPrice(y)
      const logical = scale.coordinateToLogical(x)
      const axisScale = axis()
      if (value === null || logical === null || axisScale === null) return null
      const cents = Math.round(fromScale(style.scale, value) * 10) / 10
      return {
        price: Math.max(0, Math.min(100, cents)),
        time: Math.round(axisScale.start + (logical + 0.5) * axisScale.seconds),
      }
    },
    showRange(view) {
      const axisScale = axis()
      if (axisScale === null) return
      followedView = view
      scale.setVisibleLogicalRange({
        from: positionOnAxis(axisScale, view.from),
        to: positionOnAxis(axisScale, view.to),
      })
    },
    colour(next) {
      colours = next
      bands.colour(next.gap)
      lines.colour({ line: next.event, font: next.fontFamily })
      priceLine.colour({
        line: next.price,
        old: next.faint,
        fill: next.priceSoft,
        band: next.priceSoft,
      })
      dots.colour({ yes: next.up, no: next.down, unknown: next.edge })
      chart.applyOptions({
        layout: {
          background: { type: ColorType.Solid, color: next.background },
          textColor: next.text,
          fontFamily: next.fontFamily,
          panes: { separatorColor: next.line },
        },
        grid: { vertLines: { color: next.line }, horzLines: { color: next.line } },
        rightPriceScale: { borderColor: next.line },
        timeScale: { borderColor: next.line },
        crosshair: {
          vertLine: { color: next.edge, labelBackgroundColor: next.edge },
          horzLine: { color: next.edge, labelBackgroundColor: next.edge },
        },
      })
      // Rising bars are hollow and falling ones filled, because colour must not be the only sign.
      candles.applyOptions({
        upColor: next.background,
        borderUpColor: next.up,
        wickUpColor: next.up,
        downColor: next.down,
        borderDownColor: next.down,
        wickDownColor: next.down,
      })
      base.applyOptions({ color: next.price })
      setAll()
      markCurrent()
      this.markLevels(markedLevels)
      for (const layer of layers) layer.colour(next)
    },
    reserveTop(legendHeight) {
      const top = topMargin(legendHeight, chart.panes()[0]?.getHeight() ?? host.clientHeight)
      base.priceScale().applyOptions({ scaleMargins: { top, bottom: 0.16 } })
    },
    positionAt(time) {
      const last = Math.floor(scale.getVisibleLogicalRange()?.to ?? drawnBars.length - 1)
      const index = Math.min(drawnBars.length - 1, time === null ? last : indexAt(drawnBars, time))
      const bar = drawnBars[index]
      const x = bar === undefined ? null : scale.timeToCoordinate(bar.time as Time & number)
      const price = bar?.price ?? null
      const y = price === null ? null : yOf(price)
      return x === null || y === null ? null : { x, y }
    },
    showLast(bars) {
      scale.setVisibleLogicalRange({ from: drawnBars.length - bars, to: drawnBars.length + 3 })
    },
    zoom(factor) {
      const range = scale.getVisibleLogicalRange()
      if (range === null) return
      const span = Math.max(8, (range.to - range.from) / factor)
      scale.setVisibleLogicalRange({ from: range.to - span, to: range.to })
    },
    pan(share) {
      const range = scale.getVisibleLogicalRange()
      if (range === null) return
      const by = (range.to - range.from) * share
      scale.setVisibleLogicalRange({ from: range.from + by, to: range.to + by })
    },
    reset() {
      scale.resetTimeScale()
      base.priceScale().applyOptions({ autoScale: true })
    },
    pointAt(time) {
      const slot = time === null ? undefined : drawnBars[indexAt(drawnBars, time)]
      if (slot === undefined) {
        chart.clearCrosshairPosition()
        report(undefined)
        return
      }
      const price = slot.price ?? drawnBars.at(-1)?.price ?? 50
      chart.setCrosshairPosition(valueOf(price), slot.time as Time & number, base)
      report(slot)
    },
    timeBeside(time, by) {
      const index = time === null ? drawnBars.length - 1 : indexAt(drawnBars, time) + by
      return drawnBars[Math.max(0, Math.min(drawnBars.length - 1, index))]?.time ?? null
    },
    addLayer(layer) {
      layers.add(layer)
      layer.attach({ chart, price: base, yOf })
      if (colours !== null) layer.colour(colours)
      layer.draw(drawnBars)
      return () => {
        if (!layers.delete(layer) || isRemoved) return
        layer.detach()
      }
    },
    remove() {
      isRemoved = true
      chart.remove()
    },
  }
}
