import { answerSnapshot, surpriseIn, tensionsOf } from '../../computed/answers/answer-facts.ts'
import { rephrase } from '../../computed/answers/rephrase.ts'
import type { ContextSnapshot } from '../../computed/snapshot/context-snapshot.ts'
import type { BoardView, MarketView } from '../../computed/board/market-board.ts'
import { moveSince, topMoves } from '../../computed/board/price-moves.ts'
import type { PriceMove } from '../../computed/board/price-moves.ts'
import { upcomingOf } from '../../computed/calendar.ts'
import {
  BRIEFING_ROWS,
  BRIEFING_SECTIONS,
  briefingMarkdown,
  surpriseOf,
} from '../../domain/answers/briefing.ts'
import type { BriefingSection } from '../../domain/answers/briefing.ts'
import { GAP_WINDOWS } from '../../domain/links/gaps.ts'
import type { GapWindow } from '../../domain/links/gaps.ts'
import { DAY, HOUR } from '../../domain/units.ts'
import type { Millis } from '../../domain/units.ts'
import { worldUrl } from '../../domain/world/links.ts'
import { passesPreset } from '../../domain/pairing/pairs.ts'
import { gapSentence } from '../../domain/links/gap-sentence.ts'
import { marketTag } from '../../domain/market-tag.ts'
import { gaugesLine } from '../../domain/world/markdown/snapshot-markdown.ts'
import { regimeSentence } from '../../domain/world/salient/regime-sentence.ts'
import { centsText, cutText, cutTitle, minuteOf } from '../../domain/world/markdown/text.ts'
import { createAnswerCache } from '../../http/cache/answer-cache.ts'
import { instantOf } from '../../http/request/as-of.ts'
import type { Requester } from '../../http/auth/requester.ts'
import { entryCatalyst } from '../../http/presenters/catalyst.ts'
import { refOf } from '../../http/presenters/market-ref.ts'
import type { MarketRef } from '../../contract/market.ts'
import { servedMover } from '../../http/presenters/mover.ts'
import { isoOf } from '../../lib/clock.ts'
import { ModelFailed } from '../../lib/errors.ts'
import type { EditorialDeps } from './editorial.deps.ts'
import { gaugesOf, marketsOf, scopeOf } from './topic-scope.ts'
import type { TopicScope } from './topic-scope.ts'
import { BRIEFING_WINDOWS } from '../../contract/editorial.ts'
import type { Briefing, BriefingQuery } from '../../contract/editorial.ts'

const RETENTION = 300_000
/** States what a summary without a language model is not. */
const RULE_WRITTEN = 'Written by rules from stored prices; it states no causes and is not advice.'
const COMPACT_ROWS = 3
/** Most settlements read per window. */
const MAX_RESULTS = 300

interface Line {
  readonly text: string
  readonly market: MarketRef | null
  /** Where the fact is read again; null for that of its market. */
  readonly url?: string
}

/** The widest contagion window within the window of a briefing. */
const gapWindowOf = (window: number): GapWindow =>
  (Object.keys(GAP_WINDOWS) as GapWindow[]).findLast(
    (name) => GAP_WINDOWS[name] * HOUR <= window,
  ) ?? '1h'

const moveLine = ({ from, view }: PriceMove): string =>
  `${centsText(from)} → ${centsText(view.price)} ${cutText(view.facts.title)} (${marketTag(view.facts)})`

/** Leaves out items on a market whose counterpart on the other venue has an earlier item. */
const oncePerQuestion =
  (snapshot: ContextSnapshot | null) =>
  <Item>(items: readonly Item[], viewOf: (item: Item) => MarketView): Item[] => {
    const seenTickers = new Set<string>()
    return items.filter((item) => {
      const { ticker } = viewOf(item).facts
      const pair = snapshot?.pairOf.get(ticker)
      const question = pair !== undefined && passesPreset(pair, 'world') ? pair.id : ticker
      return !seenTickers.has(question) && seenTickers.add(question)
    })
  }

/** Briefings: past events and upcoming dates of a topic. Methodology I3. */
export function createBriefingService(deps: EditorialDeps) {
  const { board, clock, history, model, reference, urls } = deps
  const cache = createAnswerCache<Briefing>(clock, RETENTION)

  /**
   * Markets of the scope settled in (from, at]: how many, and one line for each event, newest first.
   * The line of an event is that of the outcome that came true, else of the largest surprise.
   */
  const resolvedIn = async (
    scope: TopicScope,
    from: Millis,
    at: Millis,
    asOf: Millis | null,
  ): Promise<{ readonly count: number; readonly lines: Line[] }> => {
    const settledView = await board.at(asOf, { statuses: ['settled'] })
    const views = new Map(
      settledView
        .list(null)
        .filter(scope.contains)
        .map((view) => [view.market, view]),
    )
    const rows = await history.changes({
      since: from,
      asOf: at,
      types: ['resolved'],
      markets: scope.path.length === 0 ? null : [...views.keys()],
      after: null,
      limit: MAX_RESULTS,
    })
    const resolvedRows = rows.flatMap((row) => {
      const view = views.get(row.market)
      return view === undefined ? [] : [{ view, at: row.at }]
    })
    const events = Map.groupBy(
      resolvedRows,
      ({ view: { facts } }) => `${facts.venue} ${facts.eventId}`,
    )
    const lines: Line[] = []
    for (const outcomes of [...events.values()].slice(0, BRIEFING_ROWS.resolved)) {
      const surprises: { view: MarketView; surprise: number | null; weight: number }[] = []
      // The outcomes of an event mostly settle together: one read for all of them.
      for (const [settledAt, settledRows] of Map.groupBy(outcomes, ({ at }) => at)) {
        const prices = await reference.dayBeforeOfThese(
          settledRows.map(({ view }) => view.market),
          settledAt,
        )
        for (const { view } of settledRows) {
          const surprise = surpriseOf(view.facts.result, prices.get(view.market) ?? null)
          const weight = (view.facts.result === 'yes' ? 100 : 0) + (surprise ?? 0)
          surprises.push({ view, surprise, weight })
        }
      }
      const [first] = surprises.sort((a, b) => b.weight - a.weight)
      if (first === undefined) continue
      const { facts } = first.view
      const tail = first.surprise === null ? '' : `, surprise ${Math.round(first.surprise)}¢`
      const text = `${cutText(facts.title)} resolved ${facts.result ?? '–'}${tail} (${marketTag(facts)})`
      lines.push({ text, market: refOf(first.view, urls) })
    }
    return { count: resolvedRows.length, lines }
  }

  const contagionLines = (
    markets: readonly MarketView[],
    boardView: BoardView,
    snapshot: ContextSnapshot | null,
    window: number,
  ): Line[] => {
    const scopeTickers = new Set(markets.map(({ facts }) => facts.ticker))
    return (snapshot?.distinctGaps(gapWindowOf(window)) ?? [])
      .filter(({ trigger, lagging }) => scopeTickers.has(trigger) || scopeTickers.has(lagging))
      .slice(0, BRIEFING_ROWS.contagion)
      .map(({ trigger, lagging, gap, expected }) => {
        const [first, laggingView] = [boardView.get(trigger), boardView.get(lagging)]
        const name = (view: MarketView | null, ticker: string) =>
          cutTitle(view?.facts.title ?? ticker)
        return {
          text: `${name(laggingView, lagging)} ${gapSentence({ laggingMove: expected - gap, gap })} (after ${name(first, trigger)})`,
          market: laggingView === null ? null : refOf(laggingView, urls),
        }
      })
  }

  const make = async (query: BriefingQuery, requester: Requester): Promise<Briefing> => {
    const { asOf, at } = instantOf(query.asOf, clock.now(), board.ready)
    const scope = scopeOf(query.topic)
    const window = BRIEFING_WINDOWS.get(query.window) ?? DAY
    const from = (at - window) as Millis
    const boardView = await board.at(asOf)
    const snapshot = await answerSnapshot(deps.context, asOf)
    const markets = marketsOf(scope, boardView)
    // The day-before prices of `from` + 1 day are the prices at `from`.
    const then = await reference.dayBefore((from + DAY) as Millis)
    const takeOncePerQuestion = oncePerQuestion(snapshot)
    const movers = topMoves(
      markets,
      (view) => moveSince(view, then.get(view.market) ?? null),
      2 * BRIEFING_ROWS.movers,
      0,
    )
    const moves = takeOncePerQuestion(movers, ({ view }) => view).slice(0, BRIEFING_ROWS.movers)
    const upcomingRows = upcomingOf(markets, at, 2 * BRIEFING_ROWS.upcoming, snapshot?.pairs)
    const upcomingEvents = takeOncePerQuestion(upcomingRows, ({ contested }) => contested).slice(
      0,
      BRIEFING_ROWS.upcoming,
    )
    const gauges = gaugesOf(scope, snapshot)
    const sentence = regimeSentence(gauges)
    const hasGauges = Object.values(gauges).some((value) => value !== null)
    const resolvedMarkets = await resolvedIn(scope, from, at, asOf)
    const linesBySection: Partial<Record<BriefingSection, readonly Line[]>> = {
      gauges: hasGauges
        ? [
            {
              text: `${sentence}: ${gaugesLine(gauges)}`,
              market: null,
              url: worldUrl(urls, scope.path),
            },
          ]
        : [],
      movers: moves.map((move) => ({ text: moveLine(move), market: refOf(move.view, urls) })),
      resolved: resolvedMarkets.lines,
      upcoming: upcomingEvents.map((entry) => ({
        text: `${minuteOf(entry.at)} ${entry.title}`,
        market: refOf(entry.contested, urls),
      })),
      contagion: contagionLines(markets, boardView, snapshot, window),
      edges: tensionsOf(markets, boardView, snapshot, 50)
        .filter(({ kind }) => kind !== 'divergence')
        .slice(0, BRIEFING_ROWS.edges)
        .map(({ text, ticker }) => {
          const view = ticker === null ? null : boardView.get(ticker)
          return { text, market: view === null ? null : refOf(view, urls) }
        }),
    }
    const sections = (Object.keys(BRIEFING_SECTIONS) as BriefingSection[]).flatMap((key) => {
      const lines = (linesBySection[key] ?? []).slice(0, query.compact ? COMPACT_ROWS : undefined)
      if (lines.length === 0) return []
      return [
        {
          key,
          title: BRIEFING_SECTIONS[key],
          lines: lines.map(({ text }) => text),
          links: lines.map(({ market, url }) => url ?? market?.url ?? worldUrl(urls, scope.path)),
          items: lines.flatMap(({ market }) => market ?? []),
        },
      ]
    })
    const servedSections = sections.map(({ links: _links, ...section }) => section)
    const [largest] = moves
    const headline =
      largest === undefined
        ? `${scope.label}: no price moved`
        : `${cutText(largest.view.facts.title)} ${centsText(largest.from)} → ${centsText(largest.view.price)}`
    const settledCount =
      resolvedMarkets.count >= MAX_RESULTS
        ? `${resolvedMarkets.count} or more`
        : `${resolvedMarkets.count}`
    const template = `${markets.length} active markets, ${settledCount} settled. ${RULE_WRITTEN}`
    const summary = await summaryOf(template, servedSections, scope, markets, requester)
    return {
      topic: query.topic === null ? null : scope.path.join('/'),
      window: query.window,
      from: isoOf(from),
      to: isoOf(at),
      headline,
      summary: summary.text,
      sections: servedSections,
      movers: moves.map((move) => servedMover(move, surpriseIn(snapshot, move), urls)),
      upcoming: upcomingEvents.map((entry) => entryCatalyst(entry, urls)),
      markdown: briefingMarkdown({
        label: scope.label,
        window: query.window,
        to: at,
        summary: summary.text,
        sections,
      }),
      generatedBy: summary.synthesis,
      generatedAt: isoOf(at),
    }
  }

  /** The summary by a language model if one answers; a briefing is served without it too. */
  const summaryOf = async (
    template: string,
    sections: Briefing['sections'],
    scope: TopicScope,
    markets: readonly MarketView[],
    { onSpent }: Requester,
  ) => {
    const facts = [template, ...sections.flatMap(({ lines }) => lines)]
    const tickers = new Set(markets.map(({ facts: { ticker } }) => ticker))
    try {
      return await rephrase(model(), 'cheap', {
        task: 'Summarise these facts of prediction markets in at most two sentences.',
        question: `Briefing on ${scope.label}`,
        facts,
        tickers,
        template,
        onSpent,
      })
    } catch (error) {
      if (error instanceof ModelFailed) return { text: template, synthesis: 'template' as const }
      throw error
    }
  }

  return {
    /** @throws InvalidInput for a path that is too long or deep */
    briefing(query: BriefingQuery, requester: Requester): Promise<Briefing> {
      const { topic, window, compact, asOf } = query
      const key = JSON.stringify([topic?.toLowerCase() ?? null, window, compact, asOf])
      return cache.once(key, () => make(query, requester))
    },
    invalidate: () => cache.clear(),
  }
}
export type BriefingService = ReturnType<typeof createBriefingService>
