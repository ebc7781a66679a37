import { QUARTER_HOUR } from '../../domain/changes/change-rows.ts'
import type { RegimeSide } from '../../domain/regime/label.ts'
import { DAY, HOUR, MINUTE, type Cents, type Millis } from '../../domain/units.ts'
import type { ContextStore, HistoryColumns } from '../../history/context-store.ts'
import type { HistoryStore } from '../../history/history-store.ts'
import type { MarketId } from '../../history/market-key.ts'
import { eventOverround } from '../board/event-overround.ts'
import type { MarketView } from '../board/market-board.ts'
import type { PriceThen, ReferencePrices } from '../board/reference-prices.ts'
import { DAYS_BACK, HOURS_BACK, QUARTERS_BACK, type MarketSeries } from './market-quantities.ts'
import { PriceRings } from './price-rings.ts'
import { PrintLedger } from './print-ledger.ts'
import { slotPricesOf, type SlotPrices } from './slot-prices.ts'

/**
 * How much is read: everything that is served for a market, or only the inputs of gauges (without
 * hours, minutes, costs of prints, prices six hours ago and regimes, and days only of the markets
 * whose levels count).
 */
export type SeriesDepth = 'whole' | { readonly daysOf: readonly MarketId[] }

/** Series of the markets of one snapshot. */
export interface SnapshotSeries {
  seriesOf(view: MarketView): MarketSeries
  /** Marks at t − 24 h × `DAYS_BACK`, …, t. */
  dayMarksOf(market: MarketId): Float64Array | undefined
  /** Marks on whole hours, the newest at or before the instant. */
  hourMarksOf(market: MarketId): Float64Array | undefined
}

interface Deps {
  readonly history: HistoryStore & HistoryColumns & ContextStore
  readonly reference: ReferencePrices
}

/**
 * Reads the series that end at a snapshot instant from history as known then; advances with time.
 */
export class SeriesReader {
  readonly #deps: Deps
  readonly #hours: PriceRings<'marks'>
  readonly #quarters: PriceRings<'prices' | 'lasts'>
  readonly #prints: PrintLedger

  constructor(deps: Deps) {
    this.#deps = deps
    const { history } = deps
    this.#hours = new PriceRings(history, { step: HOUR, count: HOURS_BACK, columns: ['marks'] })
    this.#quarters = new PriceRings(history, {
      step: QUARTER_HOUR,
      count: QUARTERS_BACK,
      columns: ['prices', 'lasts'],
    })
    this.#prints = new PrintLedger(history)
  }

  /** Rows arrived late or were corrected: the next read starts over. */
  invalidate(): void {
    this.#hours.invalidate()
    this.#quarters.invalidate()
    this.#prints.invalidate()
  }

  async read(
    at: Millis,
    views: readonly MarketView[],
    depth: SeriesDepth,
  ): Promise<SnapshotSeries> {
    const { history } = this.#deps
    const markets = new Set(views.map(({ market }) => market))
    const isWhole = depth === 'whole'
    if (isWhole) await this.#hours.moveTo(at, markets)
    await this.#quarters.moveTo(at, markets)
    const pricesBefore = (span: Millis, step: Millis, marketIds: readonly MarketId[]) => {
      const slots = { from: (at - span) as Millis, step, count: span / step }
      return slotPricesOf(history, slots, at, marketIds)
    }
    const daysOf = isWhole ? [...markets] : depth.daysOf
    const days = await pricesBefore((DAYS_BACK * DAY) as Millis, DAY, daysOf)
    const minutes = isWhole
      ? await pricesBefore(HOUR, MINUTE, [...markets])
      : new Map<MarketId, SlotPrices>()
    const seriesOf = isWhole ? await this.#shownAt(at) : GAUGES_ALONE
    const overrounds = overroundsOf(views)
    const hourMarksOf = (market: MarketId) => (isWhole ? this.#hours.get(market)?.marks : undefined)
    return {
      seriesOf: (view) => {
        const { market } = view
        return {
          days: days.get(market),
          minutes: minutes.get(market),
          hourMarks: hourMarksOf(market),
          quarters: this.#quarters.get(market),
          overround: overrounds.get(eventKey(view)) ?? null,
          ...seriesOf(market),
        }
      },
      dayMarksOf: (market) => days.get(market)?.marks,
      hourMarksOf,
    }
  }

  /** Values that only answers about single markets show. */
  async #shownAt(at: Millis): Promise<(market: MarketId) => ShownAlone> {
    const { history, reference } = this.#deps
    await this.#prints.moveTo(at)
    const sixAgo: ReadonlyMap<MarketId, PriceThen> = await reference.pricesAt(
      (at - 6 * HOUR) as Millis,
    )
    // Excludes the row of this very instant, which may be stored already.
    const rows = await history.newestRegimes((at - 1) as Millis)
    const labels = new Map<MarketId, RegimeSide>(rows.map(({ market, label }) => [market, label]))
    return (market) => ({
      sixHoursAgo: sixAgo.get(market),
      costs: this.#prints.costsOf(market),
      label: labels.get(market) ?? null,
    })
  }
}

type ShownAlone = Pick<MarketSeries, 'sixHoursAgo' | 'costs' | 'label'>

const GAUGES_ALONE = (): ShownAlone => ({ sixHoursAgo: undefined, costs: [], label: null })

const eventKey = ({ facts }: MarketView): string => `${facts.venue}|${facts.eventId}`

/** Overround of each exclusive event (A7). */
function overroundsOf(views: readonly MarketView[]): Map<string, Cents | null> {
  const events = Map.groupBy(
    views.filter(({ facts }) => facts.exclusive),
    eventKey,
  )
  return new Map([...events].map(([event, outcomes]) => [event, eventOverround(outcomes)]))
}
