import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { Indicators, MarketRow, RegimeSignals, Mover } from '../../contract/market.ts'
import { Gauges } from '../../contract/indices.ts'
import { questionApp } from '../../testing/question-app.ts'
import { TechRow } from '../../contract/editorial.ts'
import { methodologyPage } from './texts/term-markdown.ts'
import { GUIDE_INTENTS, SKILLS, TERM_CATEGORIES, TERMS } from './texts/texts.ts'
import type { TermCategory } from './texts/texts.ts'

const app = questionApp()
const get = async (path: string) => (await app).get(`/api/public${path}`)
const bodyOf = async (response: Response) => (await response.json()) as Record<string, unknown>

/** Served fields that are names or addresses, not quantities. */
const NAMES = new Set(
  (
    'ticker venue title subtitle slug eventId eventTitle seriesId category topics status pageUrl apiUrl ' +
    'inspectUrl url sample openTime asOf summary'
  ).split(' '),
)

describe('the glossary', () => {
  it('has a term for every quantity that markets, indicators, gauges and technicals serve', () => {
    const served = [MarketRow, Indicators, RegimeSignals, Gauges, Mover, TechRow].flatMap(
      ({ properties }) => Object.keys(properties),
    )
    const explained = new Set(TERMS.flatMap(({ fields }) => fields))
    expect(served.filter((field) => !NAMES.has(field) && !explained.has(field))).toEqual([])
  })

  it('names each term once, and only terms that exist', () => {
    const slugs = TERMS.map(({ slug }) => slug)
    expect(slugs.filter((slug, index) => slugs.indexOf(slug) !== index)).toEqual([])
    expect(TERMS.flatMap(({ seeAlso }) => seeAlso).filter((slug) => !slugs.includes(slug))).toEqual(
      [],
    )
  })

  it.each(Object.keys(TERM_CATEGORIES) as TermCategory[])(
    'is the source of docs/methodology/%s.md',
    (category) => {
      const path = join(import.meta.dirname, '../../../docs/methodology', `${category}.md`)
      expect(readFileSync(path, 'utf8')).toBe(methodologyPage(category, TERMS))
    },
  )

  // [glossary.list.rows]
  it('lists terms by name, by words and by page', async () => {
    const all = await bodyOf(await get('/glossary?limit=500'))
    const terms = all['terms'] as { term: string; slug: string }[]
    expect(all).toMatchObject({ total: TERMS.length, count: TERMS.length, limit: 500, offset: 0 })
    expect(terms.map(({ term }) => term.toLowerCase())).toEqual(
      terms.map(({ term }) => term.toLowerCase()).sort(),
    )
    expect(await bodyOf(await get('/glossary?limit=2&offset=1'))).toMatchObject({ count: 2 })
    expect(await bodyOf(await get('/glossary?q=cliff'))).toMatchObject({ total: 1 })
    const edges = await bodyOf(await get('/glossary?category=EDGES'))
    expect(edges['total']).toBe(TERMS.filter(({ category }) => category === 'edges').length)
    expect((await get('/glossary?asOf=2999-01-01')).status).toBe(400)
  })

  // [glossary.get.term]
  it('explains one term as JSON and as markdown', async () => {
    expect(await bodyOf(await get('/glossary/cliff-ratio'))).toMatchObject({
      slug: 'cliff-ratio',
      formula: 'cri = max(p, 100 − p) / min(p, 100 − p)',
      fields: ['cri'],
      aliases: ['cri', 'cliff'],
    })
    const markdown = await get('/glossary/CLIFF-RATIO?format=markdown')
    expect(markdown.headers.get('content-type')).toBe('text/markdown; charset=utf-8')
    expect(await markdown.text()).toMatch(/^# Cliff ratio\n/)
    const missing = await get('/glossary/nothing')
    expect(missing.status).toBe(404)
    expect(await missing.json()).toEqual({ error: 'Term not found', code: 'NOT_FOUND' })
  })
})

describe('skills and theses', () => {
  // [skills.public.list]
  it('lists skills by category, then name, and serves the prompt as markdown', async () => {
    const { skills } = (await bodyOf(await get('/skills'))) as { skills: typeof SKILLS }
    expect(skills).toHaveLength(SKILLS.length)
    const keys = skills.map(({ category, name }) => `${category} ${name}`)
    expect(keys).toEqual([...keys].sort())
    const [first] = SKILLS
    const prompt = await get(`/skill/${first?.slug ?? ''}?format=markdown`)
    expect(await prompt.text()).toBe(first?.prompt)
    expect((await get('/skill/none')).status).toBe(404)
  })

  // [theses.public.empty]
  it('has no public thesis while none can be published', async () => {
    expect(await bodyOf(await get('/theses?sort=return'))).toEqual({
      theses: [],
      count: 0,
      total: 0,
      limit: 50,
      offset: 0,
    })
    expect((await get('/theses?sort=best')).status).toBe(400)
  })
})

describe('the guide', () => {
  // [guide.find.intents]
  it('lists intents, finds them by words, and shows the steps of one', async () => {
    const list = await bodyOf(await get('/guide'))
    expect(list['intents']).toHaveLength(GUIDE_INTENTS.length)
    expect(list).toMatchObject({ query: null, intent: null, steps: [] })
    const found = (await bodyOf(await get('/guide?q=explain%20a%20price%20jump'))) as {
      intents: { slug: string }[]
      steps: { order: number; url: string }[]
    }
    expect(found.intents[0]?.slug).toBe('explain-a-move')
    expect(found.intents.length).toBeLessThanOrEqual(5)
    expect(found.steps.map(({ order }) => order)).toEqual([1, 2, 3])
    const named = await bodyOf(await get('/guide?intent=find-edges&q=zzz&nextActions=off'))
    expect(named).toMatchObject({ query: null, intent: { slug: 'find-edges' } })
    expect(named).not.toHaveProperty('nextActions')
    const missing = await get('/guide?intent=fly')
    expect(missing.status).toBe(404)
    expect(await missing.json()).toEqual({
      error: 'Intent not found',
      code: 'NOT_FOUND',
      intents: GUIDE_INTENTS.map(({ slug }) => slug),
    })
    expect((await get('/guide?q=a')).status).toBe(400)
  })

  // [guide.find.limited]
  it('limits callers without a credential only if they send a text', async () => {
    const server = await (await app).listen()
    try {
      const ask = (query: string) => fetch(`${server.url}/api/public/guide${query}`)
      const counted = await ask('?q=what+changed')
      expect(counted.headers.get('x-ratelimit-limit')).toBe('10')
      expect((await ask('?intent=find-edges')).headers.get('x-ratelimit-limit')).toBeNull()
      expect((await ask('')).headers.get('x-ratelimit-limit')).toBe('120')
      for (let i = 0; i < 9; i++) await ask(`?q=word${i}`)
      const refused = await ask('?q=once+more')
      expect(refused.status).toBe(429)
      expect(refused.headers.get('retry-after')).toBe('60')
    } finally {
      await server.close()
    }
  })
})
