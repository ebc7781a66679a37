import { gridIfAny } from '../../computed/answers/answer-facts.ts'
import { rephrase } from '../../computed/answers/rephrase.ts'
import type { BoardSnapshot, MarketView } from '../../computed/market-board.ts'
import { ANSWER_PARAMS } from '../../domain/answers/answer-params.ts'
import { findingsIn, sentencesOf } from '../../domain/answers/findings.ts'
import type { Finding } from '../../domain/answers/findings.ts'
import { roundTo } from '../../domain/units.ts'
import { centsText, cutText, signedText } from '../../domain/world/text.ts'
import { instantOf } from '../../http/as-of.ts'
import type { Asker } from '../../http/asker.ts'
import { refOf, rounded } from '../../http/market-ref.ts'
import { isoOf } from '../../lib/clock.ts'
import { enrichedIn } from './enrich.schema.ts'
import type { EnrichBody, Enrichment } from './enrich.schema.ts'
import type { QueryDeps } from './query.deps.ts'
import { checkTier } from './query.service.ts'

const OF_A_FINDING = 3
const MARKETS = 10
const TWEET = 280

interface Touched {
  readonly view: MarketView
  readonly finding: Finding
}

/** Sentences of a text with the markets that they touch. Methodology I4. */
export function createEnrichment(deps: QueryDeps) {
  const { board, clock, model, urls } = deps

  const touchedBy = (finding: Finding, snapshot: BoardSnapshot): Touched[] =>
    snapshot
      .search(`${finding.claim} ${finding.topic}`, null, OF_A_FINDING)
      .filter(({ score }) => score >= ANSWER_PARAMS.findingMarketScore)
      .map(({ view }) => ({ view, finding }))

  const lineOf = ({ view }: Touched): string => {
    const price = `${cutText(view.facts.title, 80)} at ${centsText(view.price)}`
    return view.change24h === null ? price : `${price}, ${signedText(view.change24h, 1)}¢ in 24h`
  }

  return {
    /** @throws InvalidInput, AuthRequired, ModelFailed, NotReady */
    async enrich(body: EnrichBody, asker: Asker): Promise<Enrichment> {
      const started = clock.monotonic()
      const asked = enrichedIn(body)
      checkTier(asked.model, asker.isKnown)
      const { at } = instantOf(null, clock.now(), board.ready)
      const snapshot = await board.at(null)
      const grid = await gridIfAny(deps.context, null)
      const findings = findingsIn(asked.content, asked.topics)
      const byFinding = findings.map((finding) => touchedBy(finding, snapshot))
      const touched = new Map<string, Touched>()
      for (const one of byFinding.flat()) {
        if (!touched.has(one.view.facts.ticker)) touched.set(one.view.facts.ticker, one)
      }
      const markets = [...touched.values()].slice(0, MARKETS)
      const [first] = findings
      const opening = first?.claim ?? sentencesOf(asked.content)[0] ?? ''
      const headline = cutText(opening, 120)
      const template =
        findings.length === 0
          ? `No sentence speaks of ${asked.topics.map((topic) => cutText(topic, 40)).join(', ')}.`
          : [
              ...findings.slice(0, 3).map(({ claim }) => cutText(claim, 200)),
              ...markets.slice(0, 3).map((one) => `${lineOf(one)}.`),
            ].join(' ')
      const told = await rephrase(model(), asked.model, {
        task: 'Sum up for readers of prediction markets what the sentences say and what markets show, in at most 90 words.',
        question: asked.topics.join(', '),
        facts: [template, ...findings.map(({ claim }) => claim), ...markets.map(lineOf)],
        tickers: new Set(touched.keys()),
        ...{ template, onSpent: asker.onSpent },
      })
      const [lead] = markets
      const reading = grid?.indices.get('')
      return {
        headline,
        brief: told.text,
        tweetable: cutText(lead === undefined ? headline : `${headline} ${lineOf(lead)}`, TWEET),
        findings: findings.map((finding, index) => ({
          ...finding,
          relevance: roundTo(finding.relevance, 4),
          markets: (byFinding[index] ?? []).map(({ view }) => view.facts.ticker),
        })),
        markets: markets.map(({ view, finding }) => ({
          ...refOf(view, urls),
          delta24h: rounded(view.change24h),
          topic: finding.topic,
          why: cutText(finding.claim, 160),
        })),
        index: {
          disagreement: reading?.disagreement ?? null,
          geoRisk: reading?.geoRisk ?? null,
          breadth: reading?.breadth ?? null,
          activity: reading?.activity ?? null,
          value: reading?.value ?? null,
          timestamp: isoOf(grid?.at ?? at),
        },
        meta: {
          model: told.model,
          synthesis: told.synthesis,
          latencyMs: roundTo(clock.monotonic() - started, 1),
        },
      }
    },
  }
}
export type EnrichmentReads = ReturnType<typeof createEnrichment>
