import { sql } from 'kysely'
import { rarityOf } from '../../domain/text/bm25f.ts'
import { sumOf } from '../../domain/statistics/statistics.ts'
import { termsOf } from '../../domain/text/terms.ts'
import { relevanceOf } from '../../domain/text/relevance.ts'
import { wordsOf } from '../../domain/text/tokens.ts'
import type { Millis } from '../../domain/units.ts'
import type { State } from '../../state/open.ts'

export const CONTENT_KINDS = [
  'opinion',
  'technical',
  'glossary',
  'topic',
  'answer',
  'skill',
] as const
export type ContentKind = (typeof CONTENT_KINDS)[number]

/** A text to be indexed. */
export interface Content {
  readonly kind: ContentKind
  readonly slug: string
  readonly title: string
  readonly excerpt: string
  /** Additional search terms. */
  readonly words: string
  readonly topics: readonly string[]
  readonly tickers: readonly string[]
  /** Content of its page, if stored; JSON defined by the owner. */
  readonly body: string | null
}

export interface StoredContent extends Omit<Content, 'words'> {
  /** Null if it has no publication date (always visible). */
  readonly publishedAt: Millis | null
}

/** A text with its relevance: 1 is the best of its search. */
export interface ContentHit {
  readonly item: StoredContent
  readonly score: number
}

export interface ContentStore {
  /**
   * Replaces the texts of a kind: new and changed ones are published at `at`, missing ones
   * retired, equal ones unchanged.
   * @param at null for texts without publication dates, whose earlier versions are deleted
   */
  replaceKind(kind: ContentKind, items: readonly Content[], at: Millis | null): Promise<void>
  /** Publishes a text without replacing others of its kind. */
  publish(item: Content, at: Millis): Promise<void>
  /** Searches the texts that were published at `at`, best first. */
  search(
    query: string,
    at: Millis,
    limit: number,
    kinds?: readonly ContentKind[],
  ): Promise<ContentHit[]>
  /** The text of a slug that was published at `at`; null if there is none. */
  find(kind: ContentKind, slug: string, at: Millis): Promise<StoredContent | null>
  /** Texts of a kind that were published at `at`, newest first, equal ones by slug. */
  list(kind: ContentKind, at: Millis): Promise<StoredContent[]>
  /** Deletes texts that were retired before an instant. */
  dropRetired(retiredBefore: Millis): Promise<void>
}

interface Row {
  readonly seq: number
  readonly kind: string
  readonly slug: string
  readonly title: string
  readonly excerpt: string
  readonly subjects: string
  readonly body: string | null
  readonly published_at: number | null
}

/** A text with its searched words. */
interface IndexedRow extends Row {
  readonly words: string
}

const storedContent = (row: Row): StoredContent => {
  const subjects = JSON.parse(row.subjects) as Pick<Content, 'topics' | 'tickers'>
  return {
    kind: row.kind as ContentKind,
    slug: row.slug,
    title: row.title,
    excerpt: row.excerpt,
    topics: subjects.topics,
    tickers: subjects.tickers,
    body: row.body,
    publishedAt: row.published_at as Millis | null,
  }
}

/** Most query words that are searched; further ones are ignored. */
const MAX_WORDS = 24
const CANDIDATES = 60
/** Share of a query's words that a text must contain, and share of the best score it must reach. */
const MIN_WORDS = 0.5
const MIN_SHARE = 0.15

/** Search terms of a query with their index variants, quoted so that none is an operator. */
function termsIn(query: string): ReadonlyMap<string, string> {
  const termsByKind = new Map<string, Set<string>>()
  for (const { term, word } of termsOf(query).slice(0, MAX_WORDS)) {
    const existing = termsByKind.get(term) ?? new Set()
    for (const part of wordsOf(word)) existing.add(`"${part.replaceAll('"', '')}"`)
    if (existing.size > 0) termsByKind.set(term, existing)
  }
  return new Map([...termsByKind].map(([term, parts]) => [term, [...parts].join(' OR ')]))
}

/** The words of a text that are searched beside its title. */
const indexedTextOf = ({ excerpt, words }: Content): string => `${excerpt} ${words}`

const subjectsOf = ({ topics, tickers }: Content): string => JSON.stringify({ topics, tickers })

/** Texts in SQLite with a full-text index, ranked by BM25. */
export function createContentStore(state: State): ContentStore {
  const insert = async (db: State, item: Content, at: Millis | null): Promise<void> => {
    const { seq } = await db
      .insertInto('content_item')
      .values({
        id: `${item.kind}:${item.slug}`,
        kind: item.kind,
        slug: item.slug,
        title: item.title,
        excerpt: item.excerpt,
        subjects: subjectsOf(item),
        body: item.body,
        published_at: at,
        retired_at: null,
      })
      .returning('seq')
      .executeTakeFirstOrThrow()
    const indexedText = indexedTextOf(item)
    await sql`insert into content_text (rowid, title, words) values (${seq}, ${item.title}, ${indexedText})`.execute(
      db,
    )
  }
  const drop = async (db: State, seqs: readonly number[]): Promise<void> => {
    for (const seq of seqs) {
      await sql`delete from content_text where rowid = ${seq}`.execute(db)
      await db.deleteFrom('content_item').where('seq', '=', seq).execute()
    }
  }
  const isCurrent = (at: Millis) => sql<boolean>`
    (i.published_at is null or i.published_at <= ${at}) and (i.retired_at is null or i.retired_at > ${at})`

  /** The texts published at `at` that contain each term: their number, and the terms of each. */
  const textsWith = async (terms: ReadonlyMap<string, string>, at: Millis) => {
    const holders = new Map<string, number>()
    const termsByText = new Map<number, string[]>()
    for (const [term, match] of terms) {
      const { rows } = await sql<{ readonly seq: number }>`
        select i.seq from content_text t join content_item i on i.seq = t.rowid
         where content_text match ${match} and ${isCurrent(at)}`.execute(state)
      holders.set(term, rows.length)
      for (const { seq } of rows) termsByText.set(seq, [...(termsByText.get(seq) ?? []), term])
    }
    return { holders, termsByText }
  }
  /**
   * Number and mean length of the texts published at `at`; later texts must not affect the
   * ranking.
   */
  const sizesAt = async (at: Millis) => {
    const { rows } = await sql<{
      readonly count: number
      readonly titleLength: number | null
      readonly wordsLength: number | null
    }>`
      select count(*) as count, avg(length(t.title)) as "titleLength",
             avg(length(t.words)) as "wordsLength"
        from content_text t join content_item i on i.seq = t.rowid where ${isCurrent(at)}`.execute(
      state,
    )
    const [row] = rows
    return {
      count: row?.count ?? 0,
      titleLength: row?.titleLength ?? 0,
      wordsLength: row?.wordsLength ?? 0,
    }
  }

  return {
    replaceKind: (kind, items, at) =>
      state.transaction().execute(async (db) => {
        const { rows } = await sql<IndexedRow>`
          select i.*, t.words from content_item i join content_text t on t.rowid = i.seq
           where i.kind = ${kind} and i.retired_at is null`.execute(db)
        const bySlug = new Map(items.map((item) => [item.slug, item]))
        for (const row of rows) {
          const item = bySlug.get(row.slug)
          const isSame =
            item !== undefined &&
            item.title === row.title &&
            item.excerpt === row.excerpt &&
            indexedTextOf(item) === row.words &&
            item.body === row.body
          if (isSame) bySlug.delete(row.slug)
          else if (at === null) await drop(db, [row.seq])
          else {
            await db
              .updateTable('content_item')
              .set({ retired_at: at })
              .where('seq', '=', row.seq)
              .execute()
          }
        }
        for (const item of bySlug.values()) await insert(db, item, at)
      }),
    publish: (item, at) => state.transaction().execute((db) => insert(db, item, at)),
    async search(query, at, limit, kinds) {
      const terms = termsIn(query)
      if (terms.size === 0 || kinds?.length === 0) return []
      const { holders, termsByText } = await textsWith(terms, at)
      const corpus = { ...(await sizesAt(at)), holders }
      const rarity = (term: string): number => rarityOf(corpus.count, holders.get(term) ?? 0)
      const candidates = [...termsByText]
        .filter(([, matchedTerms]) => matchedTerms.length / terms.size >= MIN_WORDS)
        .map(([seq, matchedTerms]) => ({
          seq,
          found: matchedTerms,
          rank: sumOf(matchedTerms.map(rarity)),
        }))
        .sort((a, b) => b.rank - a.rank || a.seq - b.seq)
        .slice(0, CANDIDATES)
      const { rows } = await sql<IndexedRow>`
        select i.*, t.words from content_text t join content_item i on i.seq = t.rowid
         where i.seq in (select value from json_each(${JSON.stringify(candidates.map(({ seq }) => seq))}))
         order by i.kind, i.slug`.execute(state)
      const rankedContent = rows.map((row) => {
        const matchedTerms = termsByText.get(row.seq) ?? []
        return {
          row,
          share: matchedTerms.length / terms.size,
          rank: relevanceOf(row, matchedTerms, corpus),
        }
      })
      const best = Math.max(0, ...rankedContent.map(({ rank }) => rank))
      return rankedContent
        .filter(({ row }) => kinds?.includes(row.kind as ContentKind) ?? true)
        .map(({ row, rank, share }) => ({
          item: storedContent(row),
          score: best > 0 ? (rank / best) * share : 0,
        }))
        .filter(({ score }) => score >= MIN_SHARE)
        .sort((a, b) => b.score - a.score)
        .slice(0, limit)
    },
    async find(kind, slug, at) {
      const { rows } = await sql<Row>`
        select i.* from content_item i
         where i.kind = ${kind} and i.slug = ${slug} and ${isCurrent(at)}
         order by i.published_at desc limit 1`.execute(state)
      return rows[0] === undefined ? null : storedContent(rows[0])
    },
    async list(kind, at) {
      const { rows } = await sql<Row>`
        select i.* from content_item i where i.kind = ${kind} and ${isCurrent(at)}
         order by i.published_at desc, i.slug`.execute(state)
      return rows.map(storedContent)
    },
    dropRetired: (before) =>
      state.transaction().execute(async (db) => {
        const rows = await db
          .selectFrom('content_item')
          .select('seq')
          .where('retired_at', '<', before)
          .execute()
        await drop(
          db,
          rows.map(({ seq }) => seq),
        )
      }),
  }
}
