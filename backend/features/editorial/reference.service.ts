import { mostTraded } from '../../computed/board/most-traded.ts'
import { containsAll, termsOfFilter } from '../../domain/text/word-filter.ts'
import { TextIndex } from '../../domain/text/index-search.ts'
import { foldText } from '../../domain/text/tokens.ts'
import { DAY, type Millis } from '../../domain/units.ts'
import { instantOf, notInFuture } from '../../http/request/as-of.ts'
import { absoluteUrl, get } from '../../http/next-actions.ts'
import { isoOf } from '../../lib/clock.ts'
import { NotFound } from '../../lib/errors.ts'
import type { EditorialDeps } from './editorial.deps.ts'
import { pageOfList, slugIn } from './editorial.params.ts'
import type {
  Glossary,
  GlossaryTerm,
  Guide,
  GuideQuery,
  GuideStep,
  PageQuery,
  ReferenceQuery,
  SkillPage,
  Skills,
  PublicThesisRow,
  Theses,
  ThesesQuery,
} from '../../contract/reference.ts'
import { termBody, termMarkdown } from './texts/term-markdown.ts'
import { GUIDE_INTENTS, SKILLS, TERMS } from './texts/texts.ts'
import type { GuideIntent, Skill, Term } from './texts/texts.ts'

const MAX_INTENTS = 5
const compareText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)
const BY_NAME = [...TERMS].sort((a, b) => compareText(foldText(a.term), foldText(b.term)))
const MIN_RELEVANCE = 0.15

/** Texts that ship with the service: glossary, skills, guide; and the published theses. */
export function createReferenceService({
  board,
  clock,
  urls,
  publishedTheses,
}: Pick<EditorialDeps, 'board' | 'clock' | 'urls' | 'publishedTheses'>) {
  const { baseUrl } = urls
  const intents = new TextIndex()
  for (const [key, { title, summary, words }] of GUIDE_INTENTS.entries()) {
    intents.put(key, { title, subtitle: words, tags: [], eventTitle: '', rules: summary })
  }
  /** These texts have no publication date, but a future instant is refused. */
  const checkTime = ({ asOf }: Pick<PageQuery, 'asOf'>) => notInFuture(asOf, clock.now())

  const termUrl = ({ slug }: Term): string => `${baseUrl}/api/public/glossary/${slug}`
  const termRow = (term: Term): Glossary['terms'][number] => ({
    slug: term.slug,
    term: term.term,
    short: term.short,
    category: term.category,
    aliases: term.aliases,
    url: termUrl(term),
  })
  const skillPage = (skill: Skill): SkillPage => ({
    ...skill,
    url: `${baseUrl}/api/public/skill/${skill.slug}`,
  })
  const guideUrl = ({ slug }: GuideIntent): string =>
    absoluteUrl(baseUrl, '/api/public/guide', { intent: slug })
  const intentRow = (intent: GuideIntent): Guide['intents'][number] => ({
    slug: intent.slug,
    title: intent.title,
    summary: intent.summary,
    url: guideUrl(intent),
  })
  /** A market that certainly answers; null without markets. */
  const exampleAt = async (asOf: Millis | null): Promise<string | null> =>
    mostTraded(await board.at(asOf))?.facts.ticker ?? null

  /** Steps with the placeholders of their addresses filled in. */
  const stepsOf = async (steps: GuideIntent['steps'], asOf: Millis | null) => {
    const { at } = instantOf(asOf, clock.now(), board.ready)
    const example = await exampleAt(asOf)
    const yesterday = isoOf((at - DAY) as Millis)
    return steps.map(({ title, tool, method, path, query, why }, index): GuideStep => {
      const usesMarket = [path, ...Object.values(query)].some((text) => text.includes('{ticker}'))
      const fillPlaceholders = (text: string, ticker: string): string =>
        text.replace('{ticker}', ticker).replace('{yesterday}', yesterday)
      const values = Object.entries(query).map(([name, text]) => [
        name,
        fillPlaceholders(text, example ?? ''),
      ])
      const url =
        usesMarket && example === null
          ? absoluteUrl(baseUrl, '/api/public/markets')
          : absoluteUrl(
              baseUrl,
              fillPlaceholders(path, encodeURIComponent(example ?? '')),
              Object.fromEntries(values) as Record<string, string>,
            )
      const exampleField = usesMarket && example !== null ? { example } : {}
      return { order: index + 1, title, tool, method, url, why, ...exampleField }
    })
  }

  const findTerm = (slug: string): Term => {
    const term = TERMS.find((candidate) => candidate.slug === slugIn(slug))
    if (term === undefined) throw new NotFound('Term not found')
    return term
  }
  const findSkill = (slug: string): Skill => {
    const skill = SKILLS.find((candidate) => candidate.slug === slugIn(slug))
    if (skill === undefined) throw new NotFound('Skill not found')
    return skill
  }

  /** Intents by relevance to a text. */
  const relevantTo = (q: string): GuideIntent[] => {
    const { keys, scores } = intents.search(q, (key) => key, MIN_RELEVANCE)
    return keys
      .map((key, hitIndex) => ({ key, score: scores[hitIndex] ?? 0 }))
      .sort((a, b) => b.score - a.score || a.key - b.key)
      .slice(0, MAX_INTENTS)
      .flatMap(({ key }) => GUIDE_INTENTS[key] ?? [])
  }

  return {
    glossary(glossaryQuery: ReferenceQuery): Glossary {
      checkTime(glossaryQuery)
      const terms = termsOfFilter(glossaryQuery.q ?? '')
      const matchingTerms = BY_NAME.filter(
        ({ term, short, aliases, category }) =>
          (glossaryQuery.category === null || category === glossaryQuery.category.toLowerCase()) &&
          containsAll(foldText([term, short, ...aliases].join('\n')), terms),
      )
      const { rows, ...page } = pageOfList(matchingTerms, glossaryQuery)
      return { terms: rows.map(termRow), ...page }
    },
    /** @throws NotFound */
    term(slug: string, pageQuery: PageQuery): GlossaryTerm {
      checkTime(pageQuery)
      const term = findTerm(slug)
      return {
        ...termRow(term),
        body: termBody(term),
        formula: term.formula,
        seeAlso: term.seeAlso,
        fields: term.fields,
      }
    },
    termMarkdown: (slug: string): string => termMarkdown(findTerm(slug)),

    skills(skillsQuery: ReferenceQuery): Skills {
      checkTime(skillsQuery)
      const terms = termsOfFilter(skillsQuery.q ?? '')
      const matchingSkills = SKILLS.filter(
        ({ name, description, trigger, tags, category }) =>
          (skillsQuery.category === null || category === skillsQuery.category.toLowerCase()) &&
          containsAll(foldText([name, description, trigger, ...tags].join('\n')), terms),
      )
      const { rows, ...page } = pageOfList(matchingSkills, skillsQuery)
      return { skills: rows.map(skillPage), ...page }
    },
    /** @throws NotFound */
    skill(slug: string, pageQuery: PageQuery): SkillPage {
      checkTime(pageQuery)
      return skillPage(findSkill(slug))
    },

    /** Published theses whose title has the words, as they were at `asOf`. */
    async theses(thesesQuery: ThesesQuery): Promise<Theses> {
      checkTime(thesesQuery)
      const { asOf, q, sort } = thesesQuery
      const terms = termsOfFilter(q ?? '')
      const matchingTheses = (await publishedTheses(asOf)).filter(({ title }) =>
        containsAll(foldText(title), terms),
      )
      const valueOf = ({ confidence, impliedReturn }: PublicThesisRow): number =>
        (sort === 'confidence' ? confidence : impliedReturn) ?? -Infinity
      const orderedTheses =
        sort === 'recent'
          ? matchingTheses
          : matchingTheses.toSorted((left, right) => valueOf(right) - valueOf(left) || 0)
      const { rows: theses, ...page } = pageOfList(orderedTheses, thesesQuery)
      return { theses, ...page }
    },

    /** @throws NotFound with the intents that exist */
    async guide(guideQuery: GuideQuery): Promise<Guide> {
      checkTime(guideQuery)
      const namedIntent =
        guideQuery.intent === null
          ? null
          : GUIDE_INTENTS.find(({ slug }) => slug === guideQuery.intent?.toLowerCase())
      if (namedIntent === undefined) {
        throw new NotFound('Intent not found', { intents: GUIDE_INTENTS.map(({ slug }) => slug) })
      }
      const relevant =
        guideQuery.intent === null && guideQuery.q !== null ? relevantTo(guideQuery.q) : null
      const template = namedIntent ?? relevant?.[0] ?? null
      const listedIntents = relevant ?? (namedIntent === null ? GUIDE_INTENTS : [namedIntent])
      const steps = template === null ? [] : await stepsOf(template.steps, guideQuery.asOf)
      const first = steps[0] ?? null
      const start =
        first === null
          ? listedIntents.map((intent) => get(intent.title, guideUrl(intent)))
          : [get(first.title, first.url)]
      return {
        query: guideQuery.intent === null ? guideQuery.q : null,
        intent:
          template === null
            ? null
            : { slug: template.slug, title: template.title, summary: template.summary },
        intents: listedIntents.map(intentRow),
        steps,
        tools: [...new Set(steps.map(({ tool }) => tool))],
        skills: template?.skills ?? [],
        ...(guideQuery.nextActions ? { nextActions: { start } } : {}),
      }
    },
  }
}
export type ReferenceService = ReturnType<typeof createReferenceService>
