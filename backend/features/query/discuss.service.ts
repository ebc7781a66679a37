import { answerFactsOf, gridIfAny } from '../../computed/answers/answer-facts.ts'
import { rephrase } from '../../computed/answers/rephrase.ts'
import type { MarketView } from '../../computed/market-board.ts'
import { extractiveAnswer, keyFactorsOf } from '../../domain/answers/answer-text.ts'
import { noMatchText } from '../../domain/answers/nearest-topics.ts'
import { disagreementsOf, perspectivesOf } from '../../domain/answers/perspectives.ts'
import { canonicalTicker } from '../../domain/market.ts'
import { roundTo } from '../../domain/units.ts'
import { instantOf } from '../../http/as-of.ts'
import type { Asker } from '../../http/asker.ts'
import { refOf } from '../../http/market-ref.ts'
import { NotFound } from '../../lib/errors.ts'
import { discussedIn } from './discuss.schema.ts'
import type { DiscussBody, Discussion } from './discuss.schema.ts'
import type { QueryDeps } from './query.deps.ts'
import { checkTier } from './query.service.ts'

const MARKETS = 10

/** A question seen from several sides. Methodology I4. */
export function createDiscussions(deps: QueryDeps) {
  const { board, clock, model, urls } = deps
  return {
    /** @throws InvalidInput, AuthRequired, NotFound, ModelFailed, NotReady */
    async discuss(body: DiscussBody, asker: Asker): Promise<Discussion> {
      const started = clock.monotonic()
      const asked = discussedIn(body)
      checkTier(asked.model, asker.isKnown)
      const { at } = instantOf(null, clock.now(), board.ready)
      const snapshot = await board.at(null)
      const tickers = asked.tickers.map(canonicalTicker)
      const named = await board.markets(tickers, null)
      const missing = tickers.find((ticker) => !named.has(ticker))
      if (missing !== undefined) throw new NotFound('Market not found')
      const found =
        asked.question === null
          ? []
          : snapshot.search(asked.question, null, MARKETS).map(({ view }) => view)
      const views: MarketView[] = [...new Set([...named.values(), ...found])].slice(0, MARKETS)
      const facts = answerFactsOf(views, snapshot, await gridIfAny(deps.context, null), at)
      const question = asked.question ?? views[0]?.facts.title ?? ''
      if (facts === null) {
        return {
          ...{ question, perspectives: [], synthesis: noMatchText(question) },
          ...{ disagreements: [], markets: [] },
          meta: { model: null, synthesis: 'template', latencyMs: since(started) },
        }
      }
      const perspectives = perspectivesOf(facts, asked.perspectives)
      const template = extractiveAnswer(facts)
      const told = await rephrase(model(), asked.model, {
        task: 'Weigh the sides of the question about prediction markets in at most 120 words.',
        question,
        facts: [
          template,
          ...keyFactorsOf(facts),
          ...perspectives.flatMap(({ evidence }) => evidence),
        ],
        tickers: new Set(views.map(({ facts: { ticker } }) => ticker)),
        ...{ template, onSpent: asker.onSpent },
      })
      return {
        question,
        perspectives: perspectives.map((side) => ({ ...side, evidence: [...side.evidence] })),
        synthesis: told.text,
        disagreements: disagreementsOf(facts),
        markets: views.map((view) => refOf(view, urls)),
        meta: { model: told.model, synthesis: told.synthesis, latencyMs: since(started) },
      }
    },
  }

  function since(started: number): number {
    return roundTo(clock.monotonic() - started, 1)
  }
}
export type Discussions = ReturnType<typeof createDiscussions>
