import type { AlertItem } from '../../domain/alerts/alert-item.ts'
import type { Millis } from '../../domain/units.ts'
import { isoOrNull } from '../../http/presenters/market-ref.ts'
import type { Urls } from '../../http/next-actions.ts'
import type { ContentItem } from '../../contract/query.ts'
import type { ContentKind, ContentStore, StoredContent } from './content.store.ts'

const PATHS: Readonly<Record<ContentKind, string>> = {
  opinion: 'opinions',
  technical: 'technicals',
  glossary: 'glossary',
  topic: 'topic',
  answer: 'answer',
  skill: 'skill',
}

/** Address of a text's page. */
export const contentUrl = ({ baseUrl }: Urls, kind: ContentKind, slug: string): string =>
  `${baseUrl}/api/public/${PATHS[kind]}/${encodeURIComponent(slug)}`

/** A stored text as a search result. */
export const contentItemOf = (item: StoredContent, urls: Urls): ContentItem => ({
  id: `${item.kind}:${item.slug}`,
  kind: item.kind,
  title: item.title,
  slug: item.slug,
  excerpt: item.excerpt,
  url: contentUrl(urls, item.kind, item.slug),
  publishedAt: isoOrNull(item.publishedAt),
})

/** Published opinions as items that alerts on texts fire for. */
export const createOpinionItems = (deps: {
  readonly content: Pick<ContentStore, 'list'>
  readonly urls: Urls
}) => ({
  kinds: ['opinion'] as const,
  async itemsBetween(from: Millis, until: Millis): Promise<AlertItem[]> {
    const opinions = await deps.content.list('opinion', until)
    return opinions.flatMap((item) => {
      const { slug, title, excerpt, publishedAt, tickers, topics } = item
      if (publishedAt === null || publishedAt <= from) return []
      return [
        {
          id: `opinion:${slug}`,
          kind: 'opinion',
          title,
          text: excerpt,
          source: 'Augury',
          url: contentUrl(deps.urls, 'opinion', slug),
          at: publishedAt,
          tickers,
          topics,
          refs: [],
        },
      ]
    })
  },
})
