import { answerFactsOf } from '../../computed/answers/answer-facts.ts'
import type { ContextSnapshot } from '../../computed/snapshot/context-snapshot.ts'
import type { MarketView } from '../../computed/board/market-board.ts'
import { oddsOf } from '../../computed/odds-questions.ts'
import type { OddsQuestion } from '../../computed/odds-questions.ts'
import { contextSnapshotAsOf } from '../../computed/snapshot/historical-snapshot.ts'
import { marketTag } from '../../domain/market-tag.ts'
import { extractiveAnswer, keyFactorsOf } from '../../domain/answers/answer-text.ts'
import { roundTo } from '../../domain/units.ts'
import { centsText, signedText } from '../../domain/world/markdown/text.ts'
import { instantOf } from '../../http/request/as-of.ts'
import { refOf, roundOrNull, linksOf } from '../../http/presenters/market-ref.ts'
import { isoOf } from '../../lib/clock.ts'
import { NotFound } from '../../lib/errors.ts'
import type { EditorialDeps } from './editorial.deps.ts'
import { slugIn } from './editorial.params.ts'
import type { PageQuery } from '../../contract/reference.ts'
import type { AnswerPage } from '../../contract/editorial.ts'
import { venueName } from '../../domain/venue.ts'

const byVolume = (a: MarketView, b: MarketView): number =>
  (b.volume24hUsd ?? -1) - (a.volume24hUsd ?? -1) || (a.facts.ticker < b.facts.ticker ? -1 : 1)

/** Seven-day change of a question's leading market, by marks. */
function weekChange({ leading }: OddsQuestion, snapshot: ContextSnapshot): number | null {
  const previous = snapshot.markets.get(leading.facts.ticker)?.dailyMarks[0] ?? null
  return previous === null || leading.mark === null ? null : roundTo(leading.mark - previous, 2)
}

/** Reads of answer pages by the slug of their question. */
export function createAnswerService(deps: EditorialDeps) {
  const { board, clock, context, urls } = deps
  return {
    /** @throws NotFound; NotReady before the first snapshot */
    async answer(answerName: string, query: PageQuery): Promise<AnswerPage> {
      const slug = slugIn(answerName)
      const { asOf, at } = instantOf(query.asOf, clock.now(), board.ready)
      const snapshot = context === null ? null : await contextSnapshotAsOf(context, asOf)
      const question =
        snapshot === null
          ? undefined
          : oddsOf(snapshot).find((oddsQuestion) => oddsQuestion.slug === slug)
      if (snapshot === null || question === undefined) throw new NotFound('Answer not found')
      const boardView = await board.at(asOf)
      // Prices are current; the membership of the question comes from the snapshot.
      const current = question.members.map((view) => boardView.get(view.facts.ticker) ?? view)
      const leadingView = boardView.get(question.leading.facts.ticker) ?? question.leading
      const others = current.filter(({ facts }) => facts.ticker !== leadingView.facts.ticker)
      const facts = answerFactsOf([leadingView, ...others.sort(byVolume)], boardView, snapshot, at)
      const markets = [...current].sort(byVolume)
      const newest = Math.max(...markets.map(({ updatedAt }) => updatedAt)) as typeof at
      return {
        slug,
        question: question.title,
        answer: facts === null ? '' : extractiveAnswer(facts),
        price: roundOrNull(question.price),
        leader:
          question.leader === null
            ? null
            : {
                label: question.leader,
                ticker: leadingView.facts.ticker,
                price: roundOrNull(leadingView.price),
              },
        delta24h: question.delta24h,
        delta7d: weekChange(question, snapshot),
        markets: markets.map((view) => refOf(view, urls)),
        drivers: facts === null ? [] : keyFactorsOf(facts),
        updatedAt: isoOf(newest),
        sources: markets.map((view) => ({
          title: `${view.facts.title} (${venueName(view.facts.venue)})`,
          url: view.facts.rulesUrl ?? linksOf(view, urls).apiUrl,
        })),
      }
    },
  }
}
export type AnswerService = ReturnType<typeof createAnswerService>

/** Renders an answer page as markdown. */
export const answerMarkdown = (page: AnswerPage): string =>
  [
    `# ${page.question}`,
    page.answer,
    `Odds ${centsText(page.price)} (middle of the books), 24h ${signedText(page.delta24h, 2)}, 7d ${signedText(page.delta7d, 2)}`,
    ...(page.drivers.length === 0
      ? []
      : ['', '## Facts', ...page.drivers.map((fact) => `- ${fact}`)]),
    '',
    '## Markets',
    ...page.markets.map(
      (market) => `- ${centsText(market.price)} ${market.title} (${marketTag(market)})`,
    ),
    '',
  ].join('\n')
