import { answerFactsOf, answerSnapshot } from '../../computed/answers/answer-facts.ts'
import { rephrase } from '../../computed/answers/rephrase.ts'
import type { Synthesis } from '../../computed/answers/rephrase.ts'
import type {
  BoardView,
  FoundHits,
  MarketView,
  SearchHit,
} from '../../computed/board/market-board.ts'
import type { AnswerFacts } from '../../domain/answers/answer-facts.ts'
import { extractiveAnswer, keyFactorsOf } from '../../domain/answers/answer-text.ts'
import { noMatchText } from '../../domain/answers/nearest-topics.ts'
import type { NearQuestion } from '../../domain/answers/nearest-topics.ts'
import { canonicalTicker, VENUES } from '../../domain/market.ts'
import { venueName } from '../../domain/venue.ts'
import type { MarketFacts, Venue } from '../../domain/market.ts'
import { themeOfText } from '../../domain/topics/topics.ts'
import { roundTo } from '../../domain/units.ts'
import { foldText } from '../../domain/text/tokens.ts'
import { createAnswerCache } from '../../http/cache/answer-cache.ts'
import { instantOf } from '../../http/request/as-of.ts'
import type { Instant } from '../../http/request/as-of.ts'
import type { Requester } from '../../http/auth/requester.ts'
import { isoOrNull, linksOf, roundOrNull } from '../../http/presenters/market-ref.ts'
import { depthOf, nearQuestionOf } from '../../http/presenters/market-row.ts'
import { isoOf } from '../../lib/clock.ts'
import { AuthRequired, ModelFailed } from '../../lib/errors.ts'
import type { ModelTier } from '../../lib/language-model.ts'
import { queryActions } from './query-actions.ts'
import type { QueryDeps } from './query.deps.ts'
import { QUERY_SOURCES } from '../../contract/query.ts'
import type { PublicQuery, QueryAnswer, QueryMarket } from '../../contract/query.ts'

const RETENTION = 300_000
const WITH_DEPTH = 3
/** Hits of all venues together. */
const MAX_HITS = 150
/** Sources without a provider in this version. */
const WITHOUT_PROVIDER: readonly string[] = ['social', 'traditional']

/** @throws AuthRequired for a tier that anonymous callers cannot use */
export function checkTier(tier: ModelTier, isKnown: boolean): void {
  if (tier !== 'cheap' && !isKnown) {
    throw new AuthRequired('custom model tier requires a valid key')
  }
}

/** Answers plain-language questions from markets and texts. Methodology I1, I2. */
export function createQueryService(deps: QueryDeps) {
  const { board, clock, model, urls } = deps
  const cache = createAnswerCache<QueryAnswer>(clock, RETENTION)

  /** Cache key of a question; case and blanks are ignored. */
  const keyOf = (publicQuery: PublicQuery): string =>
    JSON.stringify([
      foldText(publicQuery.q).replace(/\s+/g, ' '),
      publicQuery.mode,
      publicQuery.limit,
      publicQuery.model,
      publicQuery.depth,
      publicQuery.asOf,
      publicQuery.nextActions,
      QUERY_SOURCES.filter((source) => publicQuery.sources?.includes(source) ?? true),
    ])

  /** Markets that ask the question, best first; the one whose name is the question comes first. */
  const findMarkets = async (
    publicQuery: PublicQuery,
    venues: readonly Venue[],
    snapshot: BoardView,
    { asOf }: Instant,
  ): Promise<FoundHits> => {
    const isRequestedVenue = (facts: Pick<MarketFacts, 'venue'>): boolean =>
      venues.includes(facts.venue)
    const hits = snapshot.find(publicQuery.q, ({ facts }) => isRequestedVenue(facts), MAX_HITS)
    const isName = !/\s/.test(publicQuery.q)
    const exact = isName ? await board.market(canonicalTicker(publicQuery.q), asOf) : null
    if (exact === null || !isRequestedVenue(exact.facts)) return hits
    const others = hits.hits.filter(({ view }) => view.facts.ticker !== exact.facts.ticker)
    const exactHit = { view: exact, score: 1, match: 1, matched: [publicQuery.q] }
    return { ...hits, hits: [exactHit, ...others], nearest: [] }
  }

  const servedMarket = async (
    view: MarketView,
    withDepth: boolean,
    asOf: Instant['asOf'],
  ): Promise<QueryMarket> => ({
    title: view.facts.title,
    ticker: view.facts.ticker,
    price: roundOrNull(view.price),
    volume: roundOrNull(view.volume, 6),
    volume24h: roundOrNull(view.volume24h, 6),
    bestBid: roundOrNull(view.bestBid),
    bestAsk: roundOrNull(view.bestAsk),
    status: view.status,
    closeTime: isoOrNull(view.facts.closeTime),
    ...linksOf(view, urls),
    ...(withDepth ? depthOf((await board.book(view, asOf))?.book ?? null) : {}),
  })

  const synthesisOf = async (
    publicQuery: PublicQuery,
    facts: AnswerFacts | null,
    nearest: readonly NearQuestion[],
    { onSpent }: Requester,
  ): Promise<Synthesis> => {
    const template = facts === null ? noMatchText(publicQuery.q, nearest) : extractiveAnswer(facts)
    // Without facts there is nothing for a model to summarize.
    if (facts === null) return { text: template, model: null, synthesis: 'template' }
    const tickers = new Set(facts.markets.map(({ ticker }) => ticker))
    if (facts.counterpart !== null) tickers.add(facts.counterpart.ticker)
    const others = facts.markets.map(
      ({ title, outcome, price, venue, ticker }) =>
        `${title}${outcome === null ? '' : ` (${outcome})`}: ${price ?? 'no price'} (${venueName(venue)}, ${ticker})`,
    )
    try {
      return await rephrase(model(), publicQuery.model, {
        task: 'Answer the question about prediction markets in at most 90 words.',
        question: publicQuery.q,
        facts: [template, ...keyFactorsOf(facts), ...others],
        tickers,
        template,
        onSpent,
      })
    } catch (cause) {
      if (!(cause instanceof ModelFailed)) throw cause
      throw new ModelFailed('Answer synthesis failed; retry with mode=raw', { cause })
    }
  }

  const answer = async (publicQuery: PublicQuery, requester: Requester): Promise<QueryAnswer> => {
    const startedAt = clock.monotonic()
    const instant = instantOf(publicQuery.asOf, clock.now(), board.ready)
    const requestedSources = new Set<string>(publicQuery.sources ?? QUERY_SOURCES)
    const snapshot = await board.at(instant.asOf)
    const venues = VENUES.filter((venue) => requestedSources.has(venue))
    const {
      hits,
      nearest,
      matchesQuestion: asks,
    } = await findMarkets(publicQuery, venues, snapshot, instant)
    const content = requestedSources.has('content')
      ? await deps.content(publicQuery.q, instant.at, publicQuery.limit)
      : []
    const isFull = publicQuery.mode === 'full'
    const facts = isFull
      ? answerFactsOf(
          hits.slice(0, publicQuery.limit).map(({ view }) => view),
          snapshot,
          await answerSnapshot(deps.context, instant.asOf),
          instant.at,
          asks,
        )
      : null
    const nearQuestions = nearest.map(nearQuestionOf)
    const synthesis = isFull
      ? await synthesisOf(publicQuery, facts, nearQuestions, requester)
      : null
    /** The best hits of a venue; the overall list may end before them. */
    const hitsOfVenue = (venue: Venue): readonly SearchHit[] => {
      const venueHits = hits.filter(({ view }) => view.facts.venue === venue)
      if (hits.length < MAX_HITS || venueHits.length >= publicQuery.limit) {
        return venueHits.slice(0, publicQuery.limit)
      }
      const searchHits = snapshot.find(
        publicQuery.q,
        ({ facts }) => facts.venue === venue,
        publicQuery.limit,
      )
      const venueTickers = new Set(venueHits.map(({ view }) => view.facts.ticker))
      const others = searchHits.hits.filter(({ view }) => !venueTickers.has(view.facts.ticker))
      return [...venueHits, ...others].slice(0, publicQuery.limit)
    }
    const marketsOfVenue = async (venue: Venue): Promise<QueryMarket[]> =>
      Promise.all(
        hitsOfVenue(venue).map(({ view }, index) =>
          servedMarket(
            view,
            publicQuery.depth && venue === VENUES[0] && index < WITH_DEPTH,
            instant.asOf,
          ),
        ),
      )
    const markets: Partial<Record<Venue, QueryMarket[]>> = {}
    for (const venue of venues) {
      const rows = await marketsOfVenue(venue)
      if (rows.length > 0) markets[venue] = rows
    }
    const sources = new Set<string>(Object.keys(markets))
    if (content.length > 0) sources.add('content')
    return {
      query: publicQuery.q,
      contextSuggestion: themeOfText(publicQuery.q),
      ...(synthesis === null ? {} : { answer: synthesis.text }),
      keyFactors: facts === null ? [] : keyFactorsOf(facts),
      ...markets,
      ...(nearest.length === 0
        ? {}
        : {
            nearest: await Promise.all(
              nearest.map(async ({ view, differences }) => ({
                ...(await servedMarket(view, false, instant.asOf)),
                venue: view.facts.venue,
                differs: differences.map(({ text }) => text),
              })),
            ),
          }),
      ...(content.length === 0 ? {} : { content: [...content] }),
      meta: {
        sources: QUERY_SOURCES.filter((source) => sources.has(source)),
        mode: publicQuery.mode,
        latencyMs: roundTo(clock.monotonic() - startedAt, 1),
        ts: isoOf(instant.at),
        model: synthesis?.model ?? null,
        queryUnderstanding: 'deterministic',
        synthesis: synthesis?.synthesis ?? 'none',
        unavailable: WITHOUT_PROVIDER.filter((source) => requestedSources.has(source)),
      },
      ...(publicQuery.nextActions ? { nextActions: queryActions(publicQuery.q, hits, urls) } : {}),
    }
  }

  return {
    /** Whether a question would be answered from the cache, which is not counted. */
    isCached: (publicQuery: PublicQuery, isKnown: boolean): boolean =>
      (publicQuery.model === 'cheap' || isKnown) && cache.has(keyOf(publicQuery)),
    /** @throws AuthRequired, ModelFailed, InvalidInput, NotReady */
    query(publicQuery: PublicQuery, requester: Requester): Promise<QueryAnswer> {
      checkTier(publicQuery.model, requester.isKnown)
      return cache.once(keyOf(publicQuery), () => answer(publicQuery, requester))
    },
    /** Drops cached answers after stored history changed. */
    invalidate: () => cache.clear(),
  }
}
export type QueryService = ReturnType<typeof createQueryService>
