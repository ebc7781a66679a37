import { describe, expect, it } from 'vitest'
import { openState } from '../../state/open.ts'
import { at } from '../../testing/builders.ts'
import { createOpinionItems } from './content-items.ts'
import { createContentStore, type Content } from './content.store.ts'

const T = at('2026-11-20T14:00:00Z')
const LATER = at('2026-11-20T15:00:00Z')
const text = (slug: string, title: string, fields: Partial<Content> = {}): Content => ({
  kind: 'glossary',
  slug,
  title,
  excerpt: '',
  words: '',
  topics: [],
  tickers: [],
  body: null,
  ...fields,
})
const opened = async () => createContentStore(await openState(':memory:'))
const slugs = (hits: readonly { item: { slug: string } }[]) => hits.map(({ item }) => item.slug)

describe('content store', () => {
  it('gives opinions of a time to alerts on texts', async () => {
    const store = await opened()
    const opinion = { kind: 'opinion', topics: ['fed'], tickers: ['KXFED'] } as const
    await store.publish(text('old', 'Old', opinion), T)
    await store.publish(text('new', 'New', { ...opinion, excerpt: 'A cut is likely' }), LATER)
    const urls = { baseUrl: 'http://a', dataUrl: '', appUrl: '', wsUrl: '' }
    const items = await createOpinionItems({ content: store, urls }).itemsBetween(T, LATER)
    expect(items).toEqual([
      {
        id: 'opinion:new',
        kind: 'opinion',
        title: 'New',
        text: 'A cut is likely',
        source: 'Augury',
        url: 'http://a/api/public/opinions/new',
        at: LATER,
        tickers: ['KXFED'],
        topics: ['fed'],
        refs: [],
      },
    ])
  })

  it('finds a text by words that a later version of the service adds', async () => {
    const store = await opened()
    await store.replaceKind('glossary', [text('spread', 'Spread', { words: 'ask' })], null)
    await store.replaceKind('glossary', [text('spread', 'Spread', { words: 'ask, width' })], null)
    expect(slugs(await store.search('width', T, 10))).toEqual(['spread'])
  })

  it('ranks by words, the title before the rest, whatever their form and accents', async () => {
    const store = await opened()
    const items = [
      text('spread', 'Spread', { words: 'ask less bid' }),
      text('las', 'Liquidity-adjusted ratio', { words: 'the spreads as a share' }),
      text('elect', 'Élections'),
    ]
    await store.replaceKind('glossary', items, null)
    expect(slugs(await store.search('what is the spread?', T, 10))).toEqual(['spread', 'las'])
    expect(slugs(await store.search('ELECTION', T, 10))).toEqual(['elect'])
    expect(await store.search('spread', T, 10, ['opinion'])).toEqual([])
  })

  it.each(['"', 'spread" OR "x', 'NEAR(', 'title:spread*', '-', '💥', 'a'.repeat(10_000), '日本'])(
    'treats %.20s as plain words',
    async (query) => {
      const store = await opened()
      await store.replaceKind('glossary', [text('spread', 'Spread')], null)
      await expect(store.search(query, T, 10)).resolves.toBeInstanceOf(Array)
    },
  )

  it('returns the texts of an instant: no later and no removed ones', async () => {
    const store = await opened()
    await store.replaceKind('technical', [text('a', 'Rain'), text('b', 'Sun')].map(technical), T)
    await store.replaceKind(
      'technical',
      [text('b', 'Sun'), text('c', 'Snow')].map(technical),
      LATER,
    )
    const titles = async (instant: typeof T) =>
      (await store.list('technical', instant)).map(({ title }) => title)
    expect(await titles(at('2026-11-20T13:59:59Z'))).toEqual([])
    expect(await titles(T)).toEqual(['Rain', 'Sun'])
    expect(await titles(LATER)).toEqual(['Snow', 'Sun'])
    expect(slugs(await store.search('rain', T, 5))).toEqual(['a'])
    expect(await store.search('rain', LATER, 5)).toEqual([])
    await store.dropRetired(at('2026-11-21T00:00:00Z'))
    expect(await titles(T)).toEqual(['Sun'])
    expect(await store.find('technical', 'b', T)).toMatchObject({ title: 'Sun', publishedAt: T })
  })

  it('scores a past instant by the texts of that time, whatever was published since', async () => {
    const store = await opened()
    const items = [
      text('rain', 'Rain in Spain', { words: 'how rain is measured where it falls' }),
      text('sun', 'Sun', { words: 'what the sun does to rain' }),
      text('wind', 'Wind', { words: 'what wind does' }),
    ]
    await store.replaceKind('technical', items.map(technical), T)
    const before = await store.search('rain and sun', T, 10)
    expect(before.length).toBeGreaterThan(1)
    const more = Array.from({ length: 30 }, (_, n) => text(`more-${n}`, `Rain ${n}`))
    await store.replaceKind('technical', [...items, ...more].map(technical), LATER)
    expect(await store.search('rain and sun', T, 10)).toEqual(before)
    expect(await store.search('rain and sun', LATER, 10)).not.toEqual(before)
  })
})

const technical = (item: Content): Content => ({ ...item, kind: 'technical' })
