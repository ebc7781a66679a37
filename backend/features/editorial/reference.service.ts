import { containsAll, wordsOfFilter } from '../../domain/matches.ts'
import { TextIndex } from '../../domain/text-search.ts'
import { foldText } from '../../domain/words.ts'
import { notInFuture } from '../../http/as-of.ts'
import { addressOf, get } from '../../http/next-actions.ts'
import type { Urls } from '../../http/next-actions.ts'
import type { Clock } from '../../lib/clock.ts'
import { NotFound } from '../../lib/errors.ts'
import { pageOfList, slugIn } from './editorial.params.ts'
import { GUIDE_INTENTS } from './guide-intents.ts'
import type { GuideIntent } from './guide-intents.ts'
import type {
  Glossary,
  GlossaryTerm,
  Guide,
  GuideQuery,
  PageQuery,
  ReferenceQuery,
  SkillPage,
  Skills,
  Theses,
  ThesesQuery,
} from './reference.schema.ts'
import { SKILLS } from './skill-records.ts'
import type { Skill } from './skill-records.ts'
import { termBody, termMarkdown } from './terms/term-markdown.ts'
import type { Term } from './terms/term.ts'
import { TERMS } from './terms/terms.ts'

const MOST_INTENTS = 5
const compareText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)
const BY_NAME = [...TERMS].sort((a, b) => compareText(foldText(a.term), foldText(b.term)))
const LEAST_RELEVANCE = 0.15

/** Texts that come with the service: glossary, skills, the guide; and theses, of which there are none. */
export function createReferenceReads({ clock, urls }: { clock: Clock; urls: Urls }) {
  const { baseUrl } = urls
  const intents = new TextIndex()
  for (const [key, { title, summary, words }] of GUIDE_INTENTS.entries()) {
    intents.put(key, { title, subtitle: words, tags: [], eventTitle: '', rules: summary })
  }
  /** What comes with the service was always there, but nothing is known of the future. */
  const checkTime = ({ asOf }: Pick<PageQuery, 'asOf'>) => notInFuture(asOf, clock.now())

  const termUrl = ({ slug }: Term): string => `${baseUrl}/api/public/glossary/${slug}`
  const termRow = (term: Term): Glossary['terms'][number] => ({
    slug: term.slug,
    term: term.term,
    short: term.short,
    category: term.category,
    aliases: [...term.aliases],
    url: termUrl(term),
  })
  const skillPage = ({ tags, toolsUsed, ...skill }: Skill): SkillPage => ({
    ...skill,
    tags: [...tags],
    toolsUsed: [...toolsUsed],
    url: `${baseUrl}/api/public/skill/${skill.slug}`,
  })
  const guideUrl = ({ slug }: GuideIntent): string =>
    addressOf(baseUrl, '/api/public/guide', { intent: slug })
  const intentRow = (intent: GuideIntent): Guide['intents'][number] => ({
    slug: intent.slug,
    title: intent.title,
    summary: intent.summary,
    url: guideUrl(intent),
  })
  /** Placeholders in an address stay readable. */
  const stepUrl = ({ path, query = {} }: GuideIntent['steps'][number]): string =>
    addressOf(baseUrl, path, query).replaceAll('%7B', '{').replaceAll('%7D', '}')

  const termNamed = (slug: string): Term => {
    const term = TERMS.find((candidate) => candidate.slug === slugIn(slug))
    if (term === undefined) throw new NotFound('Term not found')
    return term
  }
  const skillNamed = (slug: string): Skill => {
    const skill = SKILLS.find((candidate) => candidate.slug === slugIn(slug))
    if (skill === undefined) throw new NotFound('Skill not found')
    return skill
  }

  /** Intents in order of relevance to a text. */
  const relevantTo = (q: string): GuideIntent[] => {
    const { keys, scores } = intents.search(q, (key) => key, LEAST_RELEVANCE)
    return keys
      .map((key, hit) => ({ key, score: scores[hit] ?? 0 }))
      .sort((a, b) => b.score - a.score || a.key - b.key)
      .slice(0, MOST_INTENTS)
      .flatMap(({ key }) => GUIDE_INTENTS[key] ?? [])
  }

  return {
    glossary(asked: ReferenceQuery): Glossary {
      checkTime(asked)
      const words = wordsOfFilter(asked.q ?? '')
      const found = BY_NAME.filter(
        ({ term, short, aliases, category }) =>
          (asked.category === null || category === asked.category.toLowerCase()) &&
          containsAll(foldText([term, short, ...aliases].join('\n')), words),
      )
      const { rows, ...page } = pageOfList(found, asked)
      return { terms: rows.map(termRow), ...page }
    },
    /** @throws NotFound */
    term(slug: string, asked: PageQuery): GlossaryTerm {
      checkTime(asked)
      const term = termNamed(slug)
      return {
        ...termRow(term),
        body: termBody(term),
        formula: term.formula,
        seeAlso: [...term.seeAlso],
        fields: [...term.fields],
      }
    },
    termMarkdown: (slug: string): string => termMarkdown(termNamed(slug)),

    skills(asked: ReferenceQuery): Skills {
      checkTime(asked)
      const words = wordsOfFilter(asked.q ?? '')
      const found = SKILLS.filter(
        ({ name, description, trigger, tags, category }) =>
          (asked.category === null || category === asked.category.toLowerCase()) &&
          containsAll(foldText([name, description, trigger, ...tags].join('\n')), words),
      )
      const { rows, ...page } = pageOfList(found, asked)
      return { skills: rows.map(skillPage), ...page }
    },
    /** @throws NotFound */
    skill(slug: string, asked: PageQuery): SkillPage {
      checkTime(asked)
      return skillPage(skillNamed(slug))
    },

    /** Published theses; nobody can publish one yet. */
    theses(asked: ThesesQuery): Theses {
      checkTime(asked)
      const { rows: theses, ...page } = pageOfList<Theses['theses'][number]>([], asked)
      return { theses, ...page }
    },

    /** @throws NotFound with the intents that exist */
    guide(asked: GuideQuery): Guide {
      checkTime(asked)
      const named =
        asked.intent === null
          ? null
          : GUIDE_INTENTS.find(({ slug }) => slug === asked.intent?.toLowerCase())
      if (named === undefined) {
        throw new NotFound('Intent not found', { intents: GUIDE_INTENTS.map(({ slug }) => slug) })
      }
      const relevant = asked.intent === null && asked.q !== null ? relevantTo(asked.q) : null
      const chosen = named ?? relevant?.[0] ?? null
      const listed = relevant ?? (named === null ? GUIDE_INTENTS : [named])
      const steps = (chosen?.steps ?? []).map((step, index) => ({
        order: index + 1,
        title: step.title,
        tool: step.tool,
        method: step.method,
        url: stepUrl(step),
        why: step.why,
      }))
      const first = steps[0] ?? null
      const start =
        first === null
          ? listed.map((intent) => get(intent.title, guideUrl(intent)))
          : [get(first.title, first.url)]
      return {
        query: asked.intent === null ? asked.q : null,
        intent:
          chosen === null
            ? null
            : { slug: chosen.slug, title: chosen.title, summary: chosen.summary },
        intents: listed.map(intentRow),
        steps,
        tools: [...new Set(steps.map(({ tool }) => tool))],
        skills: [...(chosen?.skills ?? [])],
        ...(asked.nextActions ? { nextActions: { start } } : {}),
      }
    },
  }
}
export type ReferenceReads = ReturnType<typeof createReferenceReads>
