import { answerSnapshot } from '../../computed/answers/answer-facts.ts'
import type { ContextSnapshot } from '../../computed/snapshot/context-snapshot.ts'
import { slotPricesOf } from '../../computed/snapshot/slot-prices.ts'
import type { SlotPrices } from '../../computed/snapshot/slot-prices.ts'
import type { MarketView } from '../../computed/board/market-board.ts'
import { passes } from '../../computed/board/market-filter.ts'
import { memoizeByKey } from '../../computed/memoized-by-key.ts'
import { contextSnapshotAsOf } from '../../computed/snapshot/historical-snapshot.ts'
import { indicatorsIn } from '../../computed/served-indicators.ts'
import { priceLevels } from '../../domain/prices/price-levels.ts'
import { tickerInSlug } from '../../domain/topics/topics.ts'
import { technicalRow } from '../../domain/trend/technical-row.ts'
import { filledForward } from '../../domain/trend/technicals.ts'
import { DAY, HOUR, roundTo } from '../../domain/units.ts'
import type { Cents, Millis } from '../../domain/units.ts'
import { largest } from '../../domain/world/top-rows.ts'
import { instantOf } from '../../http/request/as-of.ts'
import { roundOrNull } from '../../http/presenters/market-ref.ts'
import { isoOf } from '../../lib/clock.ts'
import { NotFound } from '../../lib/errors.ts'
import { contentUrl } from './content-items.ts'
import type { EditorialDeps } from './editorial.deps.ts'
import { pageOfList, slugIn } from './editorial.params.ts'
import type { PageQuery } from '../../contract/reference.ts'
import { scopeOf } from './topic-scope.ts'
import type { TechPage, TechRow, Technicals, TechnicalsQuery } from '../../contract/editorial.ts'

const DAYS = 30
const HOURS = DAYS * 24
/** Number of listed markets, the most traded ones: a month of hourly data is read for each. */
const MAX_LISTED = 300

/** A market with the data of its technicals. */
interface ChartedMarket {
  readonly view: MarketView
  readonly row: TechRow
}

const centsOrNull = (mark: number | undefined): Cents | null =>
  mark === undefined || Number.isNaN(mark) ? null : (mark as Cents)

/** Marks at t − 24 h × k, oldest first, the last at t. */
const dailyCloses = (marks: Float64Array): (Cents | null)[] =>
  Array.from({ length: DAYS + 1 }, (_, day) => centsOrNull(marks[day * 24]))

const hourlyCloses = (marks: Float64Array): number[] =>
  filledForward(Array.from(marks, (mark) => (Number.isNaN(mark) ? null : mark)))

/** Technical indicators from prices of the last month. Methodology A13. */
export function createTechnicalService(deps: EditorialDeps) {
  const { board, clock, context, history, urls } = deps

  const seriesOf = (markets: readonly MarketView[], at: Millis) =>
    slotPricesOf(
      history,
      { from: (at - HOURS * HOUR) as Millis, step: HOUR, count: HOURS },
      at,
      markets.map(({ market }) => market),
    )

  const rowOf = (
    view: MarketView,
    prices: SlotPrices | undefined,
    snapshot: ContextSnapshot | null,
    at: Millis,
  ): TechRow => {
    const existing = snapshot?.markets.get(view.facts.ticker)
    const vr = existing?.surprise.vr ?? null
    const marks = prices?.marks ?? new Float64Array(HOURS + 1).fill(NaN)
    const { trend, momentum, breakout, strength, summary } = technicalRow({
      price: view.price,
      dailyCloses: dailyCloses(marks),
      hourlyCloses: hourlyCloses(marks),
      vr,
    })
    return {
      slug: view.slug,
      ticker: view.facts.ticker,
      venue: view.facts.venue,
      title: view.facts.title,
      price: roundOrNull(view.price),
      trend,
      momentum,
      rv: existing?.rates.rv ?? null,
      volumeZ: roundOrNull(vr, 3),
      breakout,
      strength,
      summary,
      url: contentUrl(urls, 'technical', view.slug),
      asOf: isoOf(at),
    }
  }

  /** Rows of the most traded markets of a snapshot, strongest first; computed once per snapshot. */
  const chartedOf = memoizeByKey(
    async (snapshot: ContextSnapshot): Promise<readonly ChartedMarket[]> => {
      const views = largest(
        [...snapshot.markets.values()]
          .map(({ view }) => view)
          .filter(({ status, price }) => status === 'active' && price !== null),
        MAX_LISTED,
        ({ volume24hUsd }) => volume24hUsd,
        ({ facts }) => facts.ticker,
      )
      const series = await seriesOf(views, snapshot.at)
      return views
        .map((view) => ({ view, row: rowOf(view, series.get(view.market), snapshot, snapshot.at) }))
        .sort((a, b) => b.row.strength - a.row.strength || (a.row.ticker < b.row.ticker ? -1 : 1))
    },
  )

  return {
    /** Technicals of the most traded markets at the newest snapshot instant. */
    async technicals(query: TechnicalsQuery): Promise<Technicals> {
      const { asOf } = instantOf(query.asOf, clock.now(), board.ready)
      const snapshot = context === null ? null : await contextSnapshotAsOf(context, asOf)
      const scope = scopeOf(query.topic)
      const keep = passes({
        words: query.q,
        topic: null,
        category: query.category,
        venue: query.venue,
      })
      const charts = snapshot === null ? [] : await chartedOf(snapshot)
      const matchingCharts = charts.filter(({ view }) => keep(view) && scope.contains(view))
      const { rows, ...page } = pageOfList(matchingCharts, query)
      return { technicals: rows.map(({ row }) => row), ...page }
    },

    /** Rows of a snapshot for the text index. */
    strongest: async (
      snapshot: ContextSnapshot,
      count: number,
    ): Promise<readonly ChartedMarket[]> => (await chartedOf(snapshot)).slice(0, count),

    /** @throws NotFound */
    async technical(technicalName: string, query: PageQuery): Promise<TechPage> {
      const { asOf, at } = instantOf(query.asOf, clock.now(), board.ready)
      const ticker = tickerInSlug(slugIn(technicalName))
      const view = ticker === null ? null : await board.market(ticker, asOf)
      if (view === null) throw new NotFound('Technical signals not found')
      const snapshot = await answerSnapshot(context, asOf)
      const boardView = await board.at(asOf)
      const prices = (await seriesOf([view], at)).get(view.market)
      const marks = prices?.marks ?? new Float64Array(0)
      const days = dailyCloses(marks).slice(1)
      const dollarsOf = (day: number): number | null =>
        prices === undefined
          ? null
          : roundTo(
              prices.usd.subarray(day * 24, day * 24 + 24).reduce((sum, usd) => sum + usd, 0),
              2,
            )
      const present = days.filter((close) => close !== null).length
      return {
        ...rowOf(view, prices, snapshot, at),
        levels: priceLevels(hourlyCloses(marks), view.price),
        series: days.flatMap((close, day) =>
          close === null
            ? []
            : [
                {
                  date: isoOf((at - (DAYS - 1 - day) * DAY) as Millis).slice(0, 10),
                  price: roundTo(close, 2),
                  volume: dollarsOf(day),
                },
              ],
        ),
        indicators: indicatorsIn(boardView, snapshot)(view),
        note: `Marks at this time of day, ${present} of ${DAYS} days known; volume in dollars.`,
      }
    },
  }
}
export type TechnicalService = ReturnType<typeof createTechnicalService>

/** Renders the technicals of a market as markdown. */
export const technicalMarkdown = (page: TechPage): string =>
  [
    `# ${page.title}`,
    `${page.price ?? '–'}¢ · ${page.trend} · momentum ${page.momentum ?? '–'} · strength ${page.strength}`,
    page.summary,
    ...(page.levels.length === 0 ? [] : ['', '## Levels']),
    ...page.levels.map(({ price, kind, touches }) => `- ${price}¢ ${kind}, ${touches} touches`),
    ...(page.series.length === 0 ? [] : ['', '## Days']),
    ...page.series.map(({ date, price }) => `- ${date} ${price ?? '–'}¢`),
    '',
    page.note,
    '',
  ].join('\n')
