import { isoOrNull } from '../../http/presenters/market-ref.ts'
import type { Urls } from '../../http/next-actions.ts'
import type { ContentItem } from '../../contract/query.ts'
import type { ContentKind, StoredContent } from './content.store.ts'

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
