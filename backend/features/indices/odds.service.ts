import { categoryOf } from '../../domain/topics/topics.ts'
import { oddsOf } from '../../computed/odds-questions.ts'
import type { OddsQuestion } from '../../computed/odds-questions.ts'
import { passes } from '../../computed/board/market-filter.ts'
import { contextSnapshotAsOf } from '../../computed/snapshot/historical-snapshot.ts'
import { isInBand } from '../../domain/odds/odds.ts'
import { oddsMarkdown } from '../../domain/odds/markdown.ts'
import type { Millis } from '../../domain/units.ts'
import { notInFuture } from '../../http/request/as-of.ts'
import { isoOrNull, linksOf, roundOrNull, sampleMark } from '../../http/presenters/market-ref.ts'
import type { Urls } from '../../http/next-actions.ts'
import { isoOf } from '../../lib/clock.ts'
import type { IndicesDeps } from './indices.deps.ts'
import type { OddsAnswer, OddsQuery, OddsRow } from '../../contract/indices.ts'

function rowOf(question: OddsQuestion, urls: Urls): OddsRow {
  const { slug, title, kind, price, delta24h, volume24hUsd, leading, leader, note } = question
  const { facts } = leading
  const marketFields = { ticker: facts.ticker, price: roundOrNull(leading.price) }
  return {
    slug,
    title,
    category: facts.category,
    kind,
    price,
    leader: leader === null ? null : { label: leader, ...marketFields },
    note,
    delta24h,
    volume24hUsd: roundOrNull(volume24hUsd),
    venues: [...question.venues],
    marketCount: question.members.length,
    tickers: question.members.map((member) => member.facts.ticker),
    closeTime: isoOrNull(facts.closeTime),
    ...linksOf(leading, urls),
    ...sampleMark(facts),
  }
}

/** Odds of questions over all markets that ask them. Methodology F2. */
export function createOddsService({
  context,
  clock,
  urls,
}: Pick<IndicesDeps, 'context' | 'clock' | 'urls'>) {
  const select = async ({ category, band, topic, limit, asOf: requestedAsOf }: OddsQuery) => {
    const now = clock.now()
    const asOf = notInFuture(requestedAsOf, now)
    const snapshot = await contextSnapshotAsOf(context, asOf)
    const passesTopic = passes({ topic, category: null, venue: null, words: null })
    const requestedCategory = category === null ? null : categoryOf(category)
    const questions = (snapshot === null ? [] : oddsOf(snapshot)).filter(
      (question) =>
        (requestedCategory === null || question.leading.facts.category === requestedCategory) &&
        (band === null || isInBand(question, band)) &&
        question.members.some(passesTopic),
    )
    const at: Millis = snapshot?.at ?? asOf ?? now
    return { at, total: questions.length, shown: questions.slice(0, limit) }
  }

  return {
    async odds(query: OddsQuery): Promise<OddsAnswer> {
      const { at, total, shown: page } = await select(query)
      const odds = page.map((question) => rowOf(question, urls))
      const { category, band } = query
      return { asOf: isoOf(at), category, band, count: odds.length, total, odds }
    },

    async markdown(query: OddsQuery): Promise<{ readonly text: string; readonly at: Millis }> {
      const { at, total, shown: page } = await select(query)
      const lines = page.map(({ leading, ...question }) => ({
        ...question,
        category: leading.facts.category,
      }))
      return { at, text: oddsMarkdown(at, lines, total) }
    },
  }
}
export type OddsService = ReturnType<typeof createOddsService>
