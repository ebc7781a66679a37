import { gridIfAny, surpriseIn, tensionsOf } from '../../computed/answers/answer-facts.ts'
import { rephrase } from '../../computed/answers/rephrase.ts'
import type { Grid } from '../../computed/grid/grid.ts'
import type { BoardSnapshot, MarketView } from '../../computed/market-board.ts'
import { moveSince, topMoves } from '../../computed/price-moves.ts'
import type { PriceMove } from '../../computed/price-moves.ts'
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
import { gaugesLine } from '../../domain/world/snapshot-markdown.ts'
import { regimeSentence } from '../../domain/world/regime-sentence.ts'
import { centsText, cutText, minuteOf } from '../../domain/world/text.ts'
import { createAnswerMemory } from '../../http/answer-memory.ts'
import { instantOf } from '../../http/as-of.ts'
import type { Asker } from '../../http/asker.ts'
import { entryCatalyst } from '../../http/catalyst.ts'
import { refOf } from '../../http/market-ref.ts'
import type { MarketRef } from '../../http/market-ref.ts'
import { servedMover } from '../../http/movers.ts'
import { isoOf } from '../../lib/clock.ts'
import { ModelFailed } from '../../lib/errors.ts'
import type { EditorialDeps } from './editorial.deps.ts'
import { gaugesOf, marketsOf, scopeOf } from './topic-scope.ts'
import type { TopicScope } from './topic-scope.ts'
import { BRIEFING_WINDOWS } from './topic.schema.ts'
import type { Briefing, BriefingQuery } from './topic.schema.ts'

const KEPT_FOR = 300_000
const COMPACT_ROWS = 3
/** Settlements looked at in one window. */
const MOST_RESULTS = 300

interface Line {
  readonly text: string
  readonly market: MarketRef | null
}

/** The widest window of contagion that fits into a briefing's. */
const gapWindowOf = (window: number): GapWindow =>
  (Object.keys(GAP_WINDOWS) as GapWindow[]).findLast(
    (name) => GAP_WINDOWS[name] * HOUR <= window,
  ) ?? '1h'

const moveLine = ({ from, view }: PriceMove): string =>
  `${centsText(from)} → ${centsText(view.price)} ${cutText(view.facts.title)} (${view.facts.ticker})`

/** What happened in a topic and what lies ahead. Methodology I3. */
export function createBriefingReads(deps: EditorialDeps) {
  const { board, clock, history, model, reference, urls } = deps
  const memory = createAnswerMemory<Briefing>(clock, KEPT_FOR)

  /** Markets of the scope that settled in (from, at], newest first. */
  const resolvedLines = async (
    scope: TopicScope,
    from: Millis,
    at: Millis,
    asOf: Millis | null,
  ): Promise<Line[]> => {
    const rows = await history.changes({
      since: from,
      asOf: at,
      types: ['resolved'],
      markets: null,
      after: null,
      limit: MOST_RESULTS,
    })
    const ended = await board.at(asOf, { statuses: ['settled'] })
    const views = new Map(ended.list(null).map((view) => [view.market, view]))
    const lines: Line[] = []
    for (const row of rows) {
      const view = views.get(row.market)
      if (view === undefined || !scope.holds(view) || lines.length >= BRIEFING_ROWS.resolved)
        continue
      const before =
        (await reference.dayBeforeOfThese([row.market], row.at)).get(row.market) ?? null
      const surprise = surpriseOf(view.facts.result, before)
      const tail = surprise === null ? '' : `, surprise ${Math.round(surprise)}`
      const text = `${cutText(view.facts.title)} resolved ${view.facts.result ?? '–'}${tail} (${view.facts.ticker})`
      lines.push({ text, market: refOf(view, urls) })
    }
    return lines
  }

  const contagionLines = (
    markets: readonly MarketView[],
    snapshot: BoardSnapshot,
    grid: Grid | null,
    window: number,
  ): Line[] => {
    const inside = new Set(markets.map(({ facts }) => facts.ticker))
    return (grid?.gaps(gapWindowOf(window)) ?? [])
      .filter(({ trigger, lagging }) => inside.has(trigger) || inside.has(lagging))
      .slice(0, BRIEFING_ROWS.contagion)
      .map(({ trigger, lagging, gap, direction }) => {
        const [first, late] = [snapshot.get(trigger), snapshot.get(lagging)]
        const name = (view: MarketView | null, ticker: string) =>
          cutText(view?.facts.title ?? ticker, 60)
        return {
          text: `${name(late, lagging)} ${direction} ${name(first, trigger)} — ${centsText(Math.abs(gap))} gap`,
          market: late === null ? null : refOf(late, urls),
        }
      })
  }

  const make = async (asked: BriefingQuery, asker: Asker): Promise<Briefing> => {
    const { asOf, at } = instantOf(asked.asOf, clock.now(), board.ready)
    const scope = scopeOf(asked.topic)
    const window = BRIEFING_WINDOWS.get(asked.window) ?? DAY
    const from = (at - window) as Millis
    const snapshot = await board.at(asOf)
    const grid = await gridIfAny(deps.context, asOf)
    const markets = marketsOf(scope, snapshot)
    // Prices of a day before an instant a day later are those of the instant.
    const then = await reference.dayBefore((from + DAY) as Millis)
    const moves = topMoves(
      markets,
      (view) => moveSince(view, then.get(view.market) ?? null),
      BRIEFING_ROWS.movers,
      0,
    )
    const ahead = upcomingOf(markets, at, BRIEFING_ROWS.upcoming)
    const gauges = gaugesOf(scope, grid)
    const sentence = regimeSentence(gauges)
    const hasGauges = Object.values(gauges).some((value) => value !== null)
    const found: Partial<Record<BriefingSection, readonly Line[]>> = {
      gauges: hasGauges
        ? [sentence, gaugesLine(gauges)].map((text) => ({ text, market: null }))
        : [],
      movers: moves.map((move) => ({ text: moveLine(move), market: refOf(move.view, urls) })),
      resolved: await resolvedLines(scope, from, at, asOf),
      upcoming: ahead.map((entry) => ({
        text: `${minuteOf(entry.at)} ${entry.title}`,
        market: refOf(entry.contested, urls),
      })),
      contagion: contagionLines(markets, snapshot, grid, window),
      edges: tensionsOf(markets, snapshot, grid, 50)
        .filter(({ kind }) => kind !== 'divergence')
        .slice(0, BRIEFING_ROWS.edges)
        .map(({ text }) => ({ text, market: null })),
    }
    const sections = (Object.keys(BRIEFING_SECTIONS) as BriefingSection[]).flatMap((key) => {
      const lines = (found[key] ?? []).slice(0, asked.compact ? COMPACT_ROWS : undefined)
      if (lines.length === 0) return []
      return [
        {
          key,
          title: BRIEFING_SECTIONS[key],
          lines: lines.map(({ text }) => text),
          items: lines.flatMap(({ market }) => market ?? []),
        },
      ]
    })
    const [largest] = moves
    const headline =
      largest === undefined
        ? `${scope.label}: no price moved`
        : `${cutText(largest.view.facts.title)} ${centsText(largest.from)} → ${centsText(largest.view.price)}`
    const counts = `${markets.length} active markets, ${found.resolved?.length ?? 0} settled.`
    const template = [`${headline}.`, counts, ...(hasGauges ? [`${sentence}.`] : [])].join(' ')
    const told = await summaryOf(template, sections, scope, markets, asker)
    return {
      topic: asked.topic === null ? null : scope.path.join('/'),
      window: asked.window,
      from: isoOf(from),
      to: isoOf(at),
      headline,
      summary: told.text,
      sections,
      movers: moves.map((move) => servedMover(move, surpriseIn(grid, move), urls)),
      upcoming: ahead.map((entry) => entryCatalyst(entry, urls)),
      markdown: briefingMarkdown({
        label: scope.label,
        window: asked.window,
        to: at,
        summary: told.text,
        sections,
      }),
      generatedBy: told.synthesis,
      generatedAt: isoOf(at),
    }
  }

  /** The summary in a model's words where one answers; a briefing never waits on it to exist. */
  const summaryOf = async (
    template: string,
    sections: Briefing['sections'],
    scope: TopicScope,
    markets: readonly MarketView[],
    { onSpent }: Asker,
  ) => {
    const facts = [template, ...sections.flatMap(({ lines }) => lines)]
    const tickers = new Set(markets.map(({ facts: { ticker } }) => ticker))
    try {
      return await rephrase(model(), 'cheap', {
        task: 'Sum up these facts of prediction markets in at most two sentences.',
        question: `Briefing on ${scope.label}`,
        facts,
        ...{ tickers, template, onSpent },
      })
    } catch (error) {
      if (error instanceof ModelFailed) return { text: template, synthesis: 'template' as const }
      throw error
    }
  }

  return {
    /** @throws InvalidInput for a path that is too long or deep */
    briefing(asked: BriefingQuery, asker: Asker): Promise<Briefing> {
      const { topic, window, compact, asOf } = asked
      const key = JSON.stringify([topic?.toLowerCase() ?? null, window, compact, asOf])
      return memory.once(key, () => make(asked, asker))
    },
    forget: () => memory.clear(),
  }
}
export type BriefingReads = ReturnType<typeof createBriefingReads>
