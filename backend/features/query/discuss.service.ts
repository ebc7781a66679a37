import { answerFactsOf, answerSnapshot } from '../../computed/answers/answer-facts.ts'
import { rephrase } from '../../computed/answers/rephrase.ts'
import type { MarketView } from '../../computed/board/market-board.ts'
import { extractiveAnswer, keyFactorsOf } from '../../domain/answers/answer-text.ts'
import { noMatchText } from '../../domain/answers/nearest-topics.ts'
import { disagreementsOf, perspectivesOf } from '../../domain/answers/perspectives.ts'
import { canonicalTicker } from '../../domain/market.ts'
import { roundTo } from '../../domain/units.ts'
import { instantOf } from '../../http/request/as-of.ts'
import type { Requester } from '../../http/auth/requester.ts'
import { nearQuestionOf } from '../../http/presenters/market-row.ts'
import { refOf } from '../../http/presenters/market-ref.ts'
import { inspectUrl } from '../../http/next-actions.ts'
import { NotFound } from '../../lib/errors.ts'
import { parseSubjects } from './discuss-body.ts'
import type { DiscussBody, Discussion } from '../../contract/query.ts'
import type { QueryDeps } from './query.deps.ts'
import { checkTier } from './query.service.ts'

const MARKETS = 10
/** States what a text without a language model is not. */
const RULE_WRITTEN =
  'Written by rules from stored prices; it weighs no arguments and is neither a forecast nor advice.'

/** Discusses a question from several sides. Methodology I4. */
export function createDiscussions(deps: QueryDeps) {
  const { board, clock, model, urls } = deps
  return {
    /** @throws InvalidInput, AuthRequired, NotFound, ModelFailed, NotReady */
    async discuss(body: DiscussBody, requester: Requester): Promise<Discussion> {
      const startedAt = clock.monotonic()
      const subjects = parseSubjects(body)
      checkTier(subjects.model, requester.isKnown)
      const { at } = instantOf(null, clock.now(), board.ready)
      const snapshot = await board.at(null)
      const tickers = subjects.tickers.map(canonicalTicker)
      const requestedViews = await board.markets(tickers, null)
      const missing = tickers.find((ticker) => !requestedViews.has(ticker))
      if (missing !== undefined) throw new NotFound('Market not found')
      const searchHits =
        subjects.question === null ? null : snapshot.find(subjects.question, null, MARKETS)
      const hits = searchHits?.hits.map(({ view }) => view) ?? []
      const views: MarketView[] = [...new Set([...requestedViews.values(), ...hits])].slice(
        0,
        MARKETS,
      )
      const facts = answerFactsOf(views, snapshot, await answerSnapshot(deps.context, null), at)
      const question = subjects.question ?? views[0]?.facts.title ?? ''
      if (facts === null) {
        return {
          question,
          perspectives: [],
          synthesis: noMatchText(question, searchHits?.nearest.map(nearQuestionOf)),
          disagreements: [],
          markets: [],
          meta: { model: null, synthesis: 'template', latencyMs: elapsedSince(startedAt) },
        }
      }
      const perspectives = perspectivesOf(facts, subjects.perspectives)
      const template = extractiveAnswer(facts)
      const reply = await rephrase(model(), subjects.model, {
        task: 'Weigh the sides of the question about prediction markets in at most 120 words.',
        question,
        facts: [
          template,
          ...keyFactorsOf(facts),
          ...perspectives.flatMap(({ evidence }) => evidence),
        ],
        tickers: new Set(views.map(({ facts: { ticker } }) => ticker)),
        template,
        onSpent: requester.onSpent,
      })
      return {
        question,
        perspectives: perspectives.map((side) => {
          const market = side.role === 'Other venue' ? facts.counterpart : facts.headline
          const source = inspectUrl(urls, (market ?? facts.headline).ticker)
          return {
            ...side,
            argument: `${side.argument} Source: ${source}`,
            evidence: [...side.evidence],
          }
        }),
        synthesis: reply.synthesis === 'model' ? reply.text : `${reply.text} ${RULE_WRITTEN}`,
        disagreements: disagreementsOf(facts),
        markets: views.map((view) => refOf(view, urls)),
        meta: {
          model: reply.model,
          synthesis: reply.synthesis,
          latencyMs: elapsedSince(startedAt),
        },
      }
    },
  }

  function elapsedSince(startedAt: number): number {
    return roundTo(clock.monotonic() - startedAt, 1)
  }
}
