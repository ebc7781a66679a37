import { answerFactsOf } from '../../computed/answers/answer-facts.ts'
import type { Grid } from '../../computed/grid/grid.ts'
import type { MarketView } from '../../computed/market-board.ts'
import { oddsOf } from '../../computed/odds-questions.ts'
import type { OddsQuestion } from '../../computed/odds-questions.ts'
import { gridThen } from '../../computed/past-grid.ts'
import { extractiveAnswer, keyFactorsOf } from '../../domain/answers/answer-text.ts'
import { roundTo } from '../../domain/units.ts'
import { centsText, signedText } from '../../domain/world/text.ts'
import { instantOf } from '../../http/as-of.ts'
import { refOf, rounded } from '../../http/market-ref.ts'
import { linksOf } from '../../http/market-ref.ts'
import { isoOf } from '../../lib/clock.ts'
import { NotFound } from '../../lib/errors.ts'
import type { EditorialDeps } from './editorial.deps.ts'
import { slugIn } from './editorial.params.ts'
import type { PageQuery } from './reference.schema.ts'
import type { AnswerPage } from './topic.schema.ts'

const byVolume = (a: MarketView, b: MarketView): number =>
  (b.volume24hUsd ?? -1) - (a.volume24hUsd ?? -1) || (a.facts.ticker < b.facts.ticker ? -1 : 1)

/** Change of the market that speaks for a question over seven days, by marks. */
function weekChange({ leading }: OddsQuestion, grid: Grid): number | null {
  const before = grid.markets.get(leading.facts.ticker)?.dailyMarks[0] ?? null
  return before === null || leading.mark === null ? null : roundTo(leading.mark - before, 2)
}

/** The question of an odds slug, answered. */
export function createAnswerReads(deps: EditorialDeps) {
  const { board, clock, context, urls } = deps
  return {
    /** @throws NotFound, NotReady before anything is computed */
    async answer(named: string, asked: PageQuery): Promise<AnswerPage> {
      const slug = slugIn(named)
      const { asOf, at } = instantOf(asked.asOf, clock.now(), board.ready)
      const grid = context === null ? null : await gridThen(context, asOf)
      const question = grid === null ? undefined : oddsOf(grid).find((one) => one.slug === slug)
      if (grid === null || question === undefined) throw new NotFound('Answer not found')
      const snapshot = await board.at(asOf)
      // Prices are of now; what binds the question is of the grid.
      const current = question.members.map((view) => snapshot.get(view.facts.ticker) ?? view)
      const leading = snapshot.get(question.leading.facts.ticker) ?? question.leading
      const others = current.filter(({ facts }) => facts.ticker !== leading.facts.ticker)
      const facts = answerFactsOf([leading, ...others.sort(byVolume)], snapshot, grid, at)
      const markets = [...current].sort(byVolume)
      const newest = Math.max(...markets.map(({ updatedAt }) => updatedAt)) as typeof at
      return {
        slug,
        question: question.title,
        answer: facts === null ? '' : extractiveAnswer(facts),
        price: rounded(question.price),
        leader:
          question.leader === null
            ? null
            : {
                label: question.leader,
                ticker: leading.facts.ticker,
                price: rounded(leading.price),
              },
        delta24h: question.delta24h,
        delta7d: weekChange(question, grid),
        markets: markets.map((view) => refOf(view, urls)),
        drivers: facts === null ? [] : keyFactorsOf(facts),
        updatedAt: isoOf(newest),
        sources: markets.map((view) => ({
          title: `${view.facts.title} (${view.facts.venue})`,
          url: view.facts.rulesUrl ?? linksOf(view, urls).apiUrl,
        })),
      }
    },
  }
}
export type AnswerReads = ReturnType<typeof createAnswerReads>

/** An answer's page as markdown. */
export const answerMarkdown = (page: AnswerPage): string =>
  [
    `# ${page.question}`,
    page.answer,
    `Odds ${centsText(page.price)}, 24h ${signedText(page.delta24h, 2)}, 7d ${signedText(page.delta7d, 2)}`,
    ...(page.drivers.length === 0
      ? []
      : ['', '## Facts', ...page.drivers.map((fact) => `- ${fact}`)]),
    '',
    '## Markets',
    ...page.markets.map(({ price, title, ticker }) => `- ${centsText(price)} ${title} (${ticker})`),
    '',
  ].join('\n')
