import { answerSnapshot, surpriseIn } from '../../computed/answers/answer-facts.ts'
import type { MarketView } from '../../computed/board/market-board.ts'
import { moveOfDay, topMoves } from '../../computed/board/price-moves.ts'
import { upcomingOf } from '../../computed/calendar.ts'
import { marketTag } from '../../domain/market-tag.ts'
import { moneyText } from '../../domain/answers/answer-text.ts'
import type { Millis } from '../../domain/units.ts'
import { regimeSentence } from '../../domain/world/salient/regime-sentence.ts'
import { WORLD_LIST_PARAMS } from '../../domain/world/world-lists.ts'
import { gaugesLine } from '../../domain/world/markdown/snapshot-markdown.ts'
import { centsText } from '../../domain/world/markdown/text.ts'
import { instantOf } from '../../http/request/as-of.ts'
import { entryCatalyst } from '../../http/presenters/catalyst.ts'
import { ideaOf } from '../../http/presenters/idea.ts'
import type { Idea } from '../../contract/edges.ts'
import { rowOf } from '../../http/presenters/market-row.ts'
import { servedMover } from '../../http/presenters/mover.ts'
import { absoluteUrl, get } from '../../http/next-actions.ts'
import { isoOf } from '../../lib/clock.ts'
import { NotFound } from '../../lib/errors.ts'
import { contentItemOf } from './content-items.ts'
import type { EditorialDeps } from './editorial.deps.ts'
import { slugIn } from './editorial.params.ts'
import type { PageQuery } from '../../contract/reference.ts'
import { gaugesOf, isTopicOrGroup, marketsOf, scopeOf } from './topic-scope.ts'
import type { TopicPage } from '../../contract/editorial.ts'

const MARKETS = 20
const OTHERS = 10

const summaryOf = (markets: readonly MarketView[], sentence: string): string => {
  const { moverDelta } = WORLD_LIST_PARAMS
  const moverCount = markets.filter(
    ({ change24h }) => Math.abs(change24h ?? 0) >= moverDelta,
  ).length
  const dollars = markets.reduce((sum, { volume24hUsd }) => sum + (volume24hUsd ?? 0), 0)
  const facts = [
    `${markets.length} active markets`,
    `${moneyText(dollars)} traded in 24h`,
    `${moverCount} moved ${moverDelta}¢ or more`,
  ]
  return `${facts.join(', ')}. ${sentence}.`
}

/** Pages of the ten topics and six groups. */
export function createTopicService(deps: EditorialDeps) {
  const { board, clock, content, context, judgements, urls } = deps

  const ideasOf = async (tickers: ReadonlySet<string>, at: Millis, asOf: Millis | null) => {
    const { contextAt } = (await context?.publishedContext(at)) ?? { contextAt: at }
    const publishedIdeas = (await judgements?.ideas(contextAt)) ?? []
    const topicIdeas = publishedIdeas
      .filter(({ ticker }) => tickers.has(ticker))
      .sort((a, b) => Math.abs(b.edgeCents) - Math.abs(a.edgeCents) || (a.id < b.id ? -1 : 1))
      .slice(0, OTHERS)
    const ideaTickers = topicIdeas.flatMap(({ ticker, hedges }) => [ticker, ...hedges])
    const views = await board.markets(ideaTickers, asOf)
    return topicIdeas.map((idea): Idea => ideaOf(idea, (ticker) => views.get(ticker), urls))
  }

  return {
    /** @throws NotFound unless it is a topic or group */
    async topic(topicName: string, query: PageQuery): Promise<TopicPage> {
      const slug = slugIn(topicName)
      if (!isTopicOrGroup(slug)) throw new NotFound('Topic not found')
      const { asOf, at } = instantOf(query.asOf, clock.now(), board.ready)
      const scope = scopeOf(slug)
      const boardView = await board.at(asOf)
      const snapshot = await answerSnapshot(deps.context, asOf)
      const markets = marketsOf(scope, boardView)
      const moves = topMoves(markets, moveOfDay, markets.length)
      const gauges = gaugesOf(scope, snapshot)
      const regimeLabel = regimeSentence(gauges)
      const opinions = (await content.list('opinion', at)).filter(({ topics }) =>
        topics.includes(slug),
      )
      const tickers = new Set(markets.map(({ facts }) => facts.ticker))
      return {
        slug,
        label: scope.label,
        summary: summaryOf(markets, regimeLabel),
        gauges,
        regimeLabel,
        markets: markets.slice(0, MARKETS).map((view) => rowOf(view, urls)),
        movers: moves
          .slice(0, OTHERS)
          .map((move) => servedMover(move, surpriseIn(snapshot, move), urls)),
        calendar: upcomingOf(markets, at, OTHERS, snapshot?.pairs).map((entry) =>
          entryCatalyst(entry, urls),
        ),
        theses: [],
        ideas: await ideasOf(tickers, at, asOf),
        opinions: opinions.slice(0, OTHERS).map((item) => contentItemOf(item, urls)),
        legislation: [],
        related: [
          get(`The world of ${scope.label}`, `${urls.baseUrl}/api/agent/world/${slug}`),
          get('Briefing', absoluteUrl(urls.baseUrl, '/api/public/briefing', { topic: slug })),
          get('Feed', `${urls.baseUrl}/api/agent/feed/${slug}`),
        ],
        generatedAt: isoOf(at),
      }
    },
  }
}
export type TopicService = ReturnType<typeof createTopicService>

/** Renders a topic's page as markdown. */
export const topicMarkdown = (page: TopicPage): string =>
  [
    `# ${page.label} (${page.generatedAt.slice(0, 16).replace('T', ' ')} UTC)`,
    page.summary,
    gaugesLine(page.gauges),
    ...(page.markets.length === 0 ? [] : ['', '## Markets']),
    ...page.markets.map(
      (market) => `- ${centsText(market.price)} ${market.title} (${marketTag(market)})`,
    ),
    ...(page.movers.length === 0 ? [] : ['', '## Movers']),
    ...page.movers.map(
      (market) =>
        `- ${centsText(market.from)} → ${centsText(market.price)} ${market.title} (${marketTag(market)})`,
    ),
    ...(page.calendar.length === 0 ? [] : ['', '## Calendar']),
    ...page.calendar.map(({ at, title }) => `- ${at.slice(0, 16).replace('T', ' ')} ${title}`),
    ...(page.ideas.length === 0 ? [] : ['', '## Ideas']),
    ...page.ideas.map(({ headline, edgeCents }) => `- ${headline} (${centsText(edgeCents)})`),
    '',
  ].join('\n')
