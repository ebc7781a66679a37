import { answerSnapshot } from '../../computed/answers/answer-facts.ts'
import { rephrase } from '../../computed/answers/rephrase.ts'
import type { BoardView, MarketView } from '../../computed/board/market-board.ts'
import { ANSWER_PARAMS } from '../../domain/answers/answer-params.ts'
import { findingsIn, sentencesOf } from '../../domain/answers/findings.ts'
import type { Finding } from '../../domain/answers/findings.ts'
import { roundTo } from '../../domain/units.ts'
import { centsText, cutText, signedText } from '../../domain/world/markdown/text.ts'
import { instantOf } from '../../http/request/as-of.ts'
import type { Requester } from '../../http/auth/requester.ts'
import { refOf, roundOrNull } from '../../http/presenters/market-ref.ts'
import { isoOf } from '../../lib/clock.ts'
import { parseEnrichRequest } from './enrich-body.ts'
import type { EnrichBody, Enrichment } from '../../contract/query.ts'
import type { QueryDeps } from './query.deps.ts'
import { checkTier } from './query.service.ts'

const MARKETS_PER_FINDING = 3
const MARKETS = 10
const TWEET = 280

interface MatchedFinding {
  readonly view: MarketView
  readonly finding: Finding
}

/** Links the sentences of a text to the markets they concern. Methodology I4. */
export function createEnrichment(deps: QueryDeps) {
  const { board, clock, model, urls } = deps

  const marketsOfFinding = (finding: Finding, boardView: BoardView): MatchedFinding[] =>
    boardView
      .search(`${finding.claim} ${finding.topic}`, null, MARKETS_PER_FINDING)
      .filter(({ score }) => score >= ANSWER_PARAMS.findingMarketScore)
      .map(({ view }) => ({ view, finding }))

  const lineOf = ({ view }: MatchedFinding): string => {
    const price = `${cutText(view.facts.title, 80)} at ${centsText(view.price)}`
    return view.change24h === null ? price : `${price}, ${signedText(view.change24h, 1)}¢ in 24h`
  }

  return {
    /** @throws InvalidInput, AuthRequired, ModelFailed, NotReady */
    async enrich(body: EnrichBody, requester: Requester): Promise<Enrichment> {
      const startedAt = clock.monotonic()
      const enrichRequest = parseEnrichRequest(body)
      checkTier(enrichRequest.model, requester.isKnown)
      const { at } = instantOf(null, clock.now(), board.ready)
      const boardView = await board.at(null)
      const snapshot = await answerSnapshot(deps.context, null)
      const findings = findingsIn(enrichRequest.content, enrichRequest.topics)
      const byFinding = findings.map((finding) => marketsOfFinding(finding, boardView))
      const touchedMarkets = new Map<string, MatchedFinding>()
      for (const finding of byFinding.flat()) {
        if (!touchedMarkets.has(finding.view.facts.ticker))
          touchedMarkets.set(finding.view.facts.ticker, finding)
      }
      const markets = [...touchedMarkets.values()].slice(0, MARKETS)
      const [first] = findings
      const opening = first?.claim ?? sentencesOf(enrichRequest.content)[0] ?? ''
      const headline = cutText(opening, 120)
      const template =
        findings.length === 0
          ? `No sentence mentions ${enrichRequest.topics.map((topic) => cutText(topic, 40)).join(', ')}.`
          : [
              ...findings.slice(0, 3).map(({ claim }) => cutText(claim, 200)),
              ...markets.slice(0, 3).map((market) => `${lineOf(market)}.`),
            ].join(' ')
      const reply = await rephrase(model(), enrichRequest.model, {
        task: 'Summarise for readers of prediction markets the content of the sentences and the state of the markets, in at most 90 words.',
        question: enrichRequest.topics.join(', '),
        facts: [template, ...findings.map(({ claim }) => claim), ...markets.map(lineOf)],
        tickers: new Set(touchedMarkets.keys()),
        template,
        onSpent: requester.onSpent,
      })
      const [lead] = markets
      const reading = snapshot?.indices.get('')
      return {
        headline,
        brief: reply.text,
        tweetable: cutText(lead === undefined ? headline : `${headline} ${lineOf(lead)}`, TWEET),
        findings: findings.map((finding, index) => ({
          ...finding,
          relevance: roundTo(finding.relevance, 4),
          markets: (byFinding[index] ?? []).map(({ view }) => view.facts.ticker),
        })),
        markets: markets.map(({ view, finding }) => ({
          ...refOf(view, urls),
          delta24h: roundOrNull(view.change24h),
          topic: finding.topic,
          why: cutText(finding.claim, 160),
        })),
        index: {
          disagreement: reading?.disagreement ?? null,
          geoRisk: reading?.geoRisk ?? null,
          breadth: reading?.breadth ?? null,
          activity: reading?.activity ?? null,
          value: reading?.value ?? null,
          timestamp: isoOf(snapshot?.at ?? at),
        },
        meta: {
          model: reply.model,
          synthesis: reply.synthesis,
          latencyMs: roundTo(clock.monotonic() - startedAt, 1),
        },
      }
    },
  }
}
