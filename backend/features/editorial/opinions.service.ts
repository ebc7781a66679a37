import { TOPIC_GROUPS } from '../../domain/topics/topic-rules.ts'
import type { Stance } from '../../domain/answers/opinion.ts'
import { canonicalTicker } from '../../domain/market.ts'
import { containsAll, termsOfFilter } from '../../domain/text/word-filter.ts'
import type { Millis } from '../../domain/units.ts'
import { foldText } from '../../domain/text/tokens.ts'
import { instantOf } from '../../http/request/as-of.ts'
import { refOf } from '../../http/presenters/market-ref.ts'
import { isoOf } from '../../lib/clock.ts'
import { NotFound } from '../../lib/errors.ts'
import { contentUrl } from './content-items.ts'
import type { StoredContent } from './content.store.ts'
import type { EditorialDeps } from './editorial.deps.ts'
import { pageOfList, slugIn } from './editorial.params.ts'
import type { OpinionPage, OpinionRow, Opinions, OpinionsQuery } from '../../contract/editorial.ts'
import type { PageQuery } from '../../contract/reference.ts'
import { isGroup } from './topic-scope.ts'

/** Fields of an opinion that are stored but not searched. */
export interface OpinionBody {
  readonly stance: Stance
  readonly category: string
  readonly body: string
}

const AUTHOR = 'Augury'
const bodyOf = ({ body }: StoredContent): OpinionBody => JSON.parse(body ?? '{}') as OpinionBody

/** Reads of published opinions. */
export function createOpinionService({ board, clock, content, urls }: EditorialDeps) {
  const rowOf = (item: StoredContent): OpinionRow => ({
    slug: item.slug,
    title: item.title,
    author: AUTHOR,
    generatedBy: 'rule',
    stance: bodyOf(item).stance,
    summary: item.excerpt,
    tickers: [...item.tickers],
    topics: [...item.topics],
    publishedAt: isoOf(item.publishedAt ?? (0 as Millis)),
    url: contentUrl(urls, 'opinion', item.slug),
  })
  /** A group contains the opinions of its topics. */
  const topicKeywords = (topic: string): readonly string[] =>
    isGroup(topic) ? [topic, ...TOPIC_GROUPS[topic]] : [topic]

  return {
    async opinions(query: OpinionsQuery): Promise<Opinions> {
      const { at } = instantOf(query.asOf, clock.now(), true)
      const terms = termsOfFilter(query.q ?? '')
      const topics = query.topic === null ? null : topicKeywords(query.topic.toLowerCase())
      const ticker = query.ticker === null ? null : canonicalTicker(query.ticker)
      const category = query.category?.toLowerCase() ?? null
      const opinions = (await content.list('opinion', at)).filter(
        (item) =>
          (topics === null || item.topics.some((topic) => topics.includes(topic))) &&
          (ticker === null || item.tickers.includes(ticker)) &&
          (category === null || bodyOf(item).category === category) &&
          containsAll(foldText(`${item.title}\n${item.excerpt}`), terms),
      )
      const { rows, ...page } = pageOfList(opinions, query)
      return { opinions: rows.map(rowOf), ...page }
    },
    /** @throws NotFound */
    async opinion(opinionName: string, query: PageQuery): Promise<OpinionPage> {
      const { asOf, at } = instantOf(query.asOf, clock.now(), board.ready)
      const item = await content.find('opinion', slugIn(opinionName), at)
      if (item === null) throw new NotFound('Opinion not found')
      const views = await board.markets(item.tickers, asOf)
      return {
        ...rowOf(item),
        body: bodyOf(item).body,
        markets: item.tickers.flatMap((ticker) => {
          const view = views.get(ticker)
          return view === undefined ? [] : [refOf(view, urls)]
        }),
      }
    },
  }
}
export type OpinionService = ReturnType<typeof createOpinionService>

/** Renders an opinion as markdown. */
export const opinionMarkdown = ({ title, summary, body, publishedAt }: OpinionPage): string =>
  `# ${title}\n\n${summary}\n\n${body}\n\nBy rules, ${publishedAt}.\n`
