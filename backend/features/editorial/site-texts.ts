import type { ContextEngine } from '../../computed/context-engine.ts'
import type { Judgements } from '../../computed/judgements/judgements.ts'
import { containsAll, termsOfFilter } from '../../domain/text/word-filter.ts'
import { foldText } from '../../domain/text/tokens.ts'
import type { Millis } from '../../domain/units.ts'
import type { Urls } from '../../http/next-actions.ts'
import type { FindTexts, TextHit } from '../../http/site-texts.ts'
import type { TextType } from '../../contract/markets.ts'
import { contentUrl } from './content-items.ts'
import type { ContentKind, ContentStore } from './content.store.ts'

const isKind = (type: string): type is ContentKind & TextType =>
  ['topic', 'glossary', 'technical', 'opinion', 'skill'].includes(type)

/** Searches stored texts by words, and ideas that contain all of them. */
export function createTextSearch(deps: {
  readonly content: ContentStore
  readonly context: Pick<ContextEngine, 'publishedContext'> | null
  readonly judgements: Pick<Judgements, 'ideas'> | null
  readonly urls: Urls
}): FindTexts {
  const { content, context, judgements, urls } = deps
  const ideasWith = async (query: string, at: Millis): Promise<TextHit[]> => {
    const terms = termsOfFilter(query)
    const { contextAt } = (await context?.publishedContext(at)) ?? { contextAt: at }
    const ideas = (await judgements?.ideas(contextAt)) ?? []
    return ideas
      .filter(({ headline, pitch }) => containsAll(foldText(`${headline}\n${pitch}`), terms))
      .map((idea) => ({
        id: `idea:${idea.id}`,
        type: 'idea',
        title: idea.headline,
        href: `${urls.baseUrl}/api/public/ideas/${idea.id}`,
        description: idea.pitch,
        badge: idea.conviction,
        score: 0.5,
      }))
  }
  return async (query, at, types, limit) => {
    const kinds = [...types].filter(isKind)
    const hits = await content.search(query, at, limit, kinds)
    const texts = hits.map(({ item, score }): TextHit => ({
      id: `${item.kind}:${item.slug}`,
      type: item.kind as TextType,
      title: item.title,
      href: contentUrl(urls, item.kind, item.slug),
      description: item.excerpt,
      badge: null,
      score,
    }))
    const ideas = types.has('idea') ? await ideasWith(query, at) : []
    return [...texts, ...ideas]
      .sort((a, b) => b.score - a.score || (a.id < b.id ? -1 : 1))
      .slice(0, limit)
  }
}
