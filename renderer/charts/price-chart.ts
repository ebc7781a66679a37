import {
  CandlestickSeries,
  ColorType,
  createChart,
  CrosshairMode,
  HistogramSeries,
  TickMarkType,
  type Time,
} from 'lightweight-charts'
import type { Candle } from '../../backend/contract/market-history.ts'
import type { ChartColours } from './colours.ts'
import { EventLines, type Instant } from './event-lines.ts'
import { GapBands } from './gap-bands.ts'
import { placeAt, placeOnAxis, tailToUpdate, type Band, type Slot } from './series.ts'

export interface PriceChartEvents {
  /** The bar and the feed gap under the crosshair; null when there is none or it left. */
  readonly onhover: (candle: Candle | null, gap: Band | null) => void
  /** The user moved the crosshair in this chart to this time in Unix seconds, or removed it. */
  readonly onpoint: (time: number | null) => void
  /** The user scrolled near the oldest bar. */
  readonly onoldest: () => void
  /** The user moved the view. */
  readonly onrange: (view: Band) => void
}

export interface DrawnChart {
  /** Draws slots; updates only the tail when the rest is unchanged. */
  draw(slots: readonly Slot[]): void
  markGaps(gaps: readonly Band[]): void
  markEvents(events: readonly Instant[]): void
  /** Shows a range of time, in Unix seconds. */
  showRange(view: Band): void
  colour(colours: ChartColours): void
  /** True: 0 to 100¢ whatever the prices; false: as high as the bars in view. */
  fixAxis(fixed: boolean): void
  /** Shows the newest `bars` bars. */
  showLast(bars: number): void
  zoom(factor: number): void
  /** Pans by a share of the width; negative moves into the past. */
  pan(share: number): void
  reset(): void
  /** Puts the crosshair on the bar at or before a time in Unix seconds, or removes it. */
  pointAt(time: number | null): void
  /** The time of the bar `places` away from the bar at a time; the newest bar without a time. */
  timeBeside(time: number | null, by: number): number | null
  remove(): void
}

const locale = (time: Time, options: Intl.DateTimeFormatOptions): string =>
  new Intl.DateTimeFormat('en-GB', { hourCycle: 'h23', ...options }).format(Number(time) * 1000)

const clock: Intl.DateTimeFormatOptions = { hour: '2-digit', minute: '2-digit' }
const day: Intl.DateTimeFormatOptions = { day: 'numeric', month: 'short' }

/** Axis marks in the user's time zone. */
const tickMark = (time: Time, kind: TickMarkType): string => {
  if (kind === TickMarkType.Year) return locale(time, { year: 'numeric' })
  if (kind === TickMarkType.Month) return locale(time, { month: 'short' })
  return locale(time, kind === TickMarkType.DayOfMonth ? day : clock)
}

/** A candle chart with volume below, in cents. */
export function drawPriceChart(host: HTMLElement, events: PriceChartEvents): DrawnChart {
  const chart = createChart(host, {
    autoSize: true,
    // The help pane shows the library's attribution, because its logo would need an inline style.
    layout: { attributionLogo: false, fontSize: 11 },
    localization: {
      // The margins beyond the scale have no prices.
      priceFormatter: (price: number) =>
        price < -0.01 || price > 100.01 ? '' : `${price.toFixed(1)}¢`,
      timeFormatter: (time: Time) => locale(time, { ...day, ...clock }),
    },
    timeScale: {
      timeVisible: true,
      secondsVisible: false,
      rightOffset: 4,
      minBarSpacing: 0.5,
      tickMarkFormatter: tickMark,
      enableConflation: true,
    },
    crosshair: { mode: CrosshairMode.Normal },
  })
  const candles = chart.addSeries(CandlestickSeries, {
    priceLineVisible: true,
    lastValueVisible: true,
    priceFormat: { type: 'price', precision: 1, minMove: 0.1 },
  })
  const volume = chart.addSeries(HistogramSeries, {
    priceScaleId: 'volume',
    priceFormat: { type: 'volume' },
    lastValueVisible: false,
    priceLineVisible: false,
  })
  chart.priceScale('volume').applyOptions({ scaleMargins: { top: 0.86, bottom: 0 } })
  candles.priceScale().applyOptions({ scaleMargins: { top: 0.06, bottom: 0.16 } })

  const bands = new GapBands()
  candles.attachPrimitive(bands)
  const lines = new EventLines()
  candles.attachPrimitive(lines)

  let drawn: readonly Slot[] = []
  let colours: ChartColours | null = null
  const barOf = ({ time, candle }: Slot) =>
    candle === null
      ? { time: time as Time & number }
      : {
          time: time as Time & number,
          open: candle.o,
          high: candle.h,
          low: candle.l,
          close: candle.c,
        }
  const volumeOf = ({ time, candle }: Slot) =>
    (candle?.v ?? null) === null || candle === null
      ? { time: time as Time & number }
      : {
          time: time as Time & number,
          value: candle.v,
          color: (candle.c >= candle.o ? colours?.upSoft : colours?.downSoft) ?? '',
        }
  const setAll = () => {
    candles.setData(drawn.map(barOf))
    volume.setData(drawn.map(volumeOf))
  }

  const report = (slot: Slot | undefined) =>
    events.onhover(slot?.candle ?? null, slot === undefined ? null : bands.at(slot.time))
  chart.subscribeCrosshairMove(({ logical, sourceEvent }) => {
    // A crosshair set by `pointAt` must not be reported back.
    if (sourceEvent === undefined && logical !== undefined) return
    const slot = logical === undefined ? undefined : drawn[Math.round(logical)]
    report(slot)
    if (sourceEvent !== undefined || logical === undefined) events.onpoint(slot?.time ?? null)
  })
  const scale = chart.timeScale()
  const axis = () => {
    const [first, second] = drawn
    if (first === undefined || second === undefined) return null
    return { start: first.time, seconds: second.time - first.time }
  }
  /** When the view last followed another chart's, to ignore the resulting event. */
  let followed: Band | null = null
  scale.subscribeVisibleLogicalRangeChange((range) => {
    if (range === null || drawn.length === 0) return
    if (range.from < 20) events.onoldest()
    const even = axis()
    if (even === null) return
    const view = {
      from: Math.round(even.start + range.from * even.seconds),
      to: Math.round(even.start + range.to * even.seconds),
    }
    const near = even.seconds
    const isEcho =
      followed !== null &&
      Math.abs(view.from - followed.from) <= near &&
      Math.abs(view.to - followed.to) <= near
    if (!isEcho) events.onrange(view)
  })

  return {
    draw(slots) {
      const tail = tailToUpdate(drawn, slots)
      const before = drawn
      drawn = slots
      lines.measure(axis())
      if (tail !== null) {
        for (const slot of tail) {
          candles.update(barOf(slot))
          volume.update(volumeOf(slot))
        }
        return
      }
      const range = scale.getVisibleLogicalRange()
      const anchor = before[0]?.time
      const moved = anchor === undefined ? -1 : slots.findIndex(({ time }) => time === anchor)
      setAll()
      // Bars prepended shift the view by their number; restore the user's position.
      if (moved > 0 && range !== null) {
        scale.setVisibleLogicalRange({ from: range.from + moved, to: range.to + moved })
      }
    },
    markGaps: (gaps) => bands.mark(gaps),
    markEvents: (instants) => lines.mark(instants),
    showRange(view) {
      const even = axis()
      if (even === null) return
      followed = view
      scale.setVisibleLogicalRange({
        from: placeOnAxis(even, view.from),
        to: placeOnAxis(even, view.to),
      })
    },
    colour(next) {
      colours = next
      bands.colour(next.gap)
      lines.colour(next.event, next.words)
      chart.applyOptions({
        layout: {
          background: { type: ColorType.Solid, color: next.background },
          textColor: next.text,
          fontFamily: next.words,
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
        priceLineColor: next.edge,
      })
      setAll()
    },
    fixAxis(fixed) {
      const whole = () => ({ priceRange: { minValue: 0, maxValue: 100 } })
      candles.applyOptions({
        autoscaleInfoProvider: fixed ? whole : (original: () => unknown) => original() as null,
      })
      candles.priceScale().applyOptions({ autoScale: true })
    },
    showLast(bars) {
      scale.setVisibleLogicalRange({ from: drawn.length - bars, to: drawn.length + 3 })
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
      candles.priceScale().applyOptions({ autoScale: true })
    },
    pointAt(time) {
      const slot = time === null ? undefined : drawn[placeAt(drawn, time)]
      if (slot === undefined) {
        chart.clearCrosshairPosition()
        report(undefined)
        return
      }
      const price = slot.candle?.c ?? drawn.at(-1)?.candle?.c ?? 50
      chart.setCrosshairPosition(price, slot.time as Time & number, candles)
      report(slot)
    },
    timeBeside(time, by) {
      const place = time === null ? drawn.length - 1 : placeAt(drawn, time) + by
      return drawn[Math.max(0, Math.min(drawn.length - 1, place))]?.time ?? null
    },
    remove: () => chart.remove(),
  }
}
