import { shortName } from './world-answer.ts'
import type { MarketView } from '../../computed/board/market-board.ts'
import { activeIdeas } from '../../computed/judgements/idea-publisher.ts'
import { isConditionId, MARKET_STATUSES } from '../../domain/market.ts'
import { DAY, type Millis } from '../../domain/units.ts'
import { isInRegion, type Region } from '../../domain/world/regions/region.ts'
import { centsText, cutText, numberText } from '../../domain/world/markdown/text.ts'
import type { ChangeRow } from '../../history/change-events.ts'
import { roundOrNull } from '../../http/presenters/market-ref.ts'
import { absoluteUrl, get, inspectUrl } from '../../http/next-actions.ts'
import { isoOf } from '../../lib/clock.ts'
import { InvalidInput } from '../../lib/errors.ts'
import { spanText } from './history.ts'
import { findRegion } from './region-snapshot.ts'
import { worldAsOf, type WorldDeps } from './world.deps.ts'
import type { FeedItem, TopicFeed, TopicFeedQuery } from '../../contract/world-changes.ts'

const MAX_RANGE = (30 * DAY) as Millis

const textOf = (value: number | string | null): string =>
  typeof value === 'number' ? centsText(value) : (value ?? 'unknown')

/** A short text for a change: "44¢ → 52¢", "resolved yes", "new", "volume 3.1σ above usual". */
function summaryOf({ type, before, after }: ChangeRow): string {
  if (type === 'price_move') return `${textOf(before)} → ${textOf(after)}`
  if (type === 'new_market') return 'new'
  if (type === 'resolved') return `resolved ${after ?? 'void'}`
  if (type === 'spread_change') return `spread ${textOf(before)} → ${textOf(after)}`
  if (type === 'volume_spike' && typeof after === 'number')
    return `volume ${numberText(after, 1)}σ above usual`
  const valueText = (value: number | string | null): string => String(value ?? 'unknown')
  return `${type.replaceAll('_', ' ')} ${valueText(before)} → ${valueText(after)}`
}

/** Renders items as text, a line each, with a heading per day. */
export function topicFeedMarkdown(
  label: string,
  scopeName: string,
  items: readonly Pick<FeedItem, 'at' | 'kind' | 'title' | 'summary' | 'ticker'>[],
): string {
  const lines = [`# Feed: ${cutText(label)} (${scopeName}, ${items.length} items)`]
  if (items.length === 0) lines.push('No activity.')
  let day = ''
  for (const { at, kind, title, summary, ticker } of items) {
    if (at.slice(0, 10) !== day) {
      day = at.slice(0, 10)
      lines.push(`## ${day}`)
    }
    const suffix = ticker === null || isConditionId(ticker) ? '' : ` · ${ticker}`
    lines.push(`- ${at.slice(11, 16)} [${kind}] ${cutText(title)} ${cutText(summary)}${suffix}`)
  }
  return `${lines.join('\n')}\n`
}

/** Events of a topic, newest first. */
export function createTopicFeed(deps: WorldDeps) {
  const { board, history, urls, clock } = deps

  const marketItems = async (
    region: Region,
    since: Millis,
    at: Millis,
    limit: number,
  ): Promise<FeedItem[]> => {
    const snapshot = await board.at(at, { statuses: MARKET_STATUSES })
    const views = new Map<number, MarketView>()
    for (const view of snapshot.list(null)) {
      const { facts, topics } = view
      if (isInRegion({ ...facts, topics }, region)) views.set(view.market, view)
    }
    if (views.size === 0) return []
    const rows = await history.changes({
      since,
      asOf: at,
      types: null,
      markets: [...views.keys()],
      after: null,
      limit,
    })
    return rows.flatMap((row): FeedItem[] => {
      const view = views.get(row.market)
      if (view === undefined) return []
      const { ticker, title } = view.facts
      return [
        {
          id: row.id,
          kind: 'market',
          at: isoOf(row.at),
          title,
          summary: summaryOf(row),
          ticker,
          price: roundOrNull(view.price),
          delta: roundOrNull(row.delta),
          url: inspectUrl(urls, ticker),
        },
      ]
    })
  }

  const ideaItems = async (region: Region, since: Millis, at: Millis): Promise<FeedItem[]> => {
    const { contextAt } = await deps.context.publishedContext(at)
    const ideas = await activeIdeas(history, contextAt)
    const newIdeas = [...ideas.values()].filter(({ createdAt }) => createdAt > since)
    if (newIdeas.length === 0) return []
    const views = await board.markets(
      newIdeas.map(({ ticker }) => ticker),
      at,
    )
    return newIdeas.flatMap((idea): FeedItem[] => {
      const view = views.get(idea.ticker)
      if (view === undefined) return []
      if (!isInRegion({ ...view.facts, topics: view.topics }, region)) return []
      return [
        {
          id: idea.id,
          kind: 'idea',
          at: isoOf(idea.createdAt),
          title: idea.headline,
          summary: idea.pitch,
          ticker: idea.ticker,
          price: roundOrNull(view.price),
          delta: null,
          url: absoluteUrl(urls.baseUrl, `/api/public/ideas/${idea.id}`),
        },
      ]
    })
  }

  return {
    /** @throws InvalidInput for a start after the end */
    async feed(topic: string, query: TopicFeedQuery): Promise<TopicFeed> {
      const startedAt = clock.monotonic()
      const { worldSnapshot, at } = await worldAsOf(deps, query.asOf)
      const region = findRegion(worldSnapshot.world, [topic])
      const start = 'at' in query.since ? query.since.at : ((at - query.since.span) as Millis)
      if (start > at) throw new InvalidInput('since is in the future')
      const since = Math.max(start, at - MAX_RANGE) as Millis
      const feedItems = await Promise.all([
        marketItems(region, since, at, query.limit),
        ideaItems(region, since, at),
      ])
      const items = feedItems
        .flat()
        .sort((a, b) => (a.at === b.at ? (a.id < b.id ? -1 : 1) : a.at < b.at ? 1 : -1))
        .slice(0, query.limit)
      const first = items.find(({ ticker }) => ticker !== null)?.ticker ?? null
      const world = `/api/agent/world/${encodeURIComponent(topic.toLowerCase())}`
      const relatedActions = [get(`The world of ${region.label}`, absoluteUrl(urls.baseUrl, world))]
      if (first !== null)
        relatedActions.push(get(`Everything about ${shortName(first)}`, inspectUrl(urls, first)))
      return {
        topic: topic.toLowerCase(),
        label: region.label,
        since: isoOf(since),
        count: items.length,
        items,
        markdown: topicFeedMarkdown(region.label, spanText((at - since) as Millis), items),
        latencyMs: Math.round(clock.monotonic() - startedAt),
        ...(query.nextActions ? { nextActions: { related: relatedActions } } : {}),
      }
    },
  }
}
export type TopicFeedService = ReturnType<typeof createTopicFeed>
