import { answerFactsOf, gridIfAny } from '../../computed/answers/answer-facts.ts'
import { rephrase } from '../../computed/answers/rephrase.ts'
import type { Synthesis } from '../../computed/answers/rephrase.ts'
import type { BoardSnapshot, MarketView, SearchHit } from '../../computed/market-board.ts'
import type { AnswerFacts } from '../../domain/answers/answer-facts.ts'
import { extractiveAnswer, keyFactorsOf } from '../../domain/answers/answer-text.ts'
import { noMatchText } from '../../domain/answers/nearest-topics.ts'
import { canonicalTicker, VENUES } from '../../domain/market.ts'
import type { Venue } from '../../domain/market.ts'
import { themeOfText } from '../../domain/topics.ts'
import { roundTo } from '../../domain/units.ts'
import { foldText } from '../../domain/words.ts'
import { createAnswerMemory } from '../../http/answer-memory.ts'
import { instantOf } from '../../http/as-of.ts'
import type { Instant } from '../../http/as-of.ts'
import type { Asker } from '../../http/asker.ts'
import { isoOrNull, linksOf, rounded } from '../../http/market-ref.ts'
import { depthOf } from '../../http/market-row.ts'
import { isoOf } from '../../lib/clock.ts'
import { AuthRequired, ModelFailed } from '../../lib/errors.ts'
import type { ModelTier } from '../../lib/language-model.ts'
import { queryActions } from './query-actions.ts'
import type { QueryDeps } from './query.deps.ts'
import { QUERY_SOURCES } from './query.schema.ts'
import type { PublicQuery, QueryAnswer, QueryMarket } from './query.schema.ts'

const KEPT_FOR = 300_000
const WITH_DEPTH = 3
/** Providers of these sources are not part of the service yet. */
const WITHOUT_PROVIDER: readonly string[] = ['social', 'traditional']

/** Best score first, then dollars of the day, then ticker. */
export const byScore = (a: SearchHit, b: SearchHit): number =>
  b.score - a.score ||
  (b.view.volume24hUsd ?? -1) - (a.view.volume24hUsd ?? -1) ||
  (a.view.facts.ticker < b.view.facts.ticker ? -1 : 1)

/** @throws AuthRequired for a tier that anonymous callers do not have */
export function checkTier(tier: ModelTier, isKnown: boolean): void {
  if (tier !== 'cheap' && !isKnown) {
    throw new AuthRequired('custom model tier requires a valid key')
  }
}

/** Plain questions over markets and texts. Methodology I1, I2. */
export function createQueryService(deps: QueryDeps) {
  const { board, clock, model, urls } = deps
  const memory = createAnswerMemory<QueryAnswer>(clock, KEPT_FOR)

  /** Same question, same answer: case and blanks do not matter. */
  const keyOf = (asked: PublicQuery): string =>
    JSON.stringify([
      foldText(asked.q).replace(/\s+/g, ' '),
      ...[asked.mode, asked.limit, asked.model, asked.depth, asked.asOf, asked.nextActions],
      QUERY_SOURCES.filter((source) => asked.sources?.includes(source) ?? true),
    ])

  /** Markets of a venue that answer, the one whose name the question is first. */
  const hitsOf = async (
    venue: Venue,
    asked: PublicQuery,
    snapshot: BoardSnapshot,
    { asOf }: Instant,
  ): Promise<SearchHit[]> => {
    const ofVenue = ({ facts }: MarketView): boolean => facts.venue === venue
    const found = snapshot.search(asked.q, venue, asked.limit)
    const isName = !/\s/.test(asked.q)
    const exact = isName ? await board.market(canonicalTicker(asked.q), asOf) : null
    if (exact === null || !ofVenue(exact)) return [...found].sort(byScore)
    const others = found.filter(({ view }) => view.facts.ticker !== exact.facts.ticker)
    const named = { view: exact, score: 1, matched: [asked.q] }
    return [named, ...others.sort(byScore)].slice(0, asked.limit)
  }

  const servedMarket = async (
    view: MarketView,
    withDepth: boolean,
    asOf: Instant['asOf'],
  ): Promise<QueryMarket> => ({
    title: view.facts.title,
    ticker: view.facts.ticker,
    price: rounded(view.price),
    volume: rounded(view.volume, 6),
    volume24h: rounded(view.volume24h, 6),
    bestBid: rounded(view.bestBid),
    bestAsk: rounded(view.bestAsk),
    status: view.status,
    closeTime: isoOrNull(view.facts.closeTime),
    ...linksOf(view, urls),
    ...(withDepth ? depthOf((await board.book(view, asOf))?.book ?? null) : {}),
  })

  const synthesisOf = async (
    asked: PublicQuery,
    facts: AnswerFacts | null,
    { onSpent }: Asker,
  ): Promise<Synthesis> => {
    const template = facts === null ? noMatchText(asked.q) : extractiveAnswer(facts)
    // Without facts there is nothing to say in other words.
    if (facts === null) return { text: template, model: null, synthesis: 'template' }
    const tickers = new Set(facts.markets.map(({ ticker }) => ticker))
    if (facts.counterpart !== null) tickers.add(facts.counterpart.ticker)
    const others = facts.markets.map(
      ({ title, outcome, price, venue, ticker }) =>
        `${title}${outcome === null ? '' : ` (${outcome})`}: ${price ?? 'no price'} (${venue}, ${ticker})`,
    )
    try {
      return await rephrase(model(), asked.model, {
        task: 'Answer the question about prediction markets in at most 90 words.',
        question: asked.q,
        facts: [template, ...keyFactorsOf(facts), ...others],
        ...{ tickers, template, onSpent },
      })
    } catch (cause) {
      if (!(cause instanceof ModelFailed)) throw cause
      throw new ModelFailed('Answer synthesis failed; retry with mode=raw', { cause })
    }
  }

  const answer = async (asked: PublicQuery, asker: Asker): Promise<QueryAnswer> => {
    const started = clock.monotonic()
    const instant = instantOf(asked.asOf, clock.now(), board.ready)
    const wanted = new Set<string>(asked.sources ?? QUERY_SOURCES)
    const snapshot = await board.at(instant.asOf)
    const byVenue = new Map<Venue, SearchHit[]>()
    for (const venue of VENUES) {
      if (wanted.has(venue)) byVenue.set(venue, await hitsOf(venue, asked, snapshot, instant))
    }
    const content = wanted.has('content')
      ? await deps.content(asked.q, instant.at, asked.limit)
      : []
    const best = [...byVenue.values()].flat().sort(byScore)
    const isFull = asked.mode === 'full'
    const facts = isFull
      ? answerFactsOf(
          best.map(({ view }) => view),
          snapshot,
          await gridIfAny(deps.context, instant.asOf),
          instant.at,
        )
      : null
    const synthesis = isFull ? await synthesisOf(asked, facts, asker) : null
    const served = async (venue: Venue): Promise<QueryMarket[]> =>
      Promise.all(
        (byVenue.get(venue) ?? []).map(({ view }, index) =>
          servedMarket(
            view,
            asked.depth && venue === 'venue_a' && index < WITH_DEPTH,
            instant.asOf,
          ),
        ),
      )
    const [a, b] = [await served('venue_a'), await served('venue_b')]
    const hits: Readonly<Record<string, number>> = { venue_a: a.length, venue_b: b.length, content: content.length } // prettier-ignore
    return {
      query: asked.q,
      contextSuggestion: themeOfText(asked.q),
      ...(synthesis === null ? {} : { answer: synthesis.text }),
      keyFactors: facts === null ? [] : keyFactorsOf(facts),
      ...(a.length === 0 ? {} : { venue_a: a }),
      ...(b.length === 0 ? {} : { venue_b: b }),
      ...(content.length === 0 ? {} : { content: [...content] }),
      meta: {
        sources: QUERY_SOURCES.filter((source) => (hits[source] ?? 0) > 0),
        mode: asked.mode,
        latencyMs: roundTo(clock.monotonic() - started, 1),
        ts: isoOf(instant.at),
        model: synthesis?.model ?? null,
        queryUnderstanding: 'deterministic',
        synthesis: synthesis?.synthesis ?? 'none',
        unavailable: WITHOUT_PROVIDER.filter((source) => wanted.has(source)),
      },
      ...(asked.nextActions ? { nextActions: queryActions(asked.q, best, urls) } : {}),
    }
  }

  return {
    /** Whether a question would be answered from memory, which does not count. */
    isKept: (asked: PublicQuery, isKnown: boolean): boolean =>
      (asked.model === 'cheap' || isKnown) && memory.has(keyOf(asked)),
    /** @throws AuthRequired, ModelFailed, InvalidInput, NotReady */
    query(asked: PublicQuery, asker: Asker): Promise<QueryAnswer> {
      checkTier(asked.model, asker.isKnown)
      return memory.once(keyOf(asked), () => answer(asked, asker))
    },
    /** Forgets what was answered, after stored history changed under it. */
    forget: () => memory.clear(),
  }
}
export type QueryService = ReturnType<typeof createQueryService>
