import * as answers from './answers.ts'
import { missesOf, type Shape } from './shape.ts'

/** One line of the client's dashboard. */
export interface DashboardLine {
  readonly title: string
  readonly confidence: number | null
  readonly delta: number | null
  readonly edges: readonly string[]
  readonly openPositions: number
}

interface Row {
  readonly id: string
  readonly title: string
  readonly status: string
  readonly confidence: number | null
}
interface Whole extends Row {
  readonly edgeAnalysis: {
    readonly edges: readonly { readonly marketTitle: string; readonly edgeSize: number | null }[]
  } | null
  readonly positions: readonly { readonly status: string }[]
  readonly causalTree: { readonly nodes: readonly { readonly id: string }[] } | null
}

/**
 * A client that knows the service only by the contract: it sends the documented names, and fails
 * when a field that it reads is missing or has another type.
 */
export class ThesisClient {
  readonly #url: string
  readonly #authorization: string
  constructor(url: string, authorization: string) {
    this.#url = url
    this.#authorization = authorization
  }

  /** @throws Error with every field that is missing or wrongly typed */
  async #read<T>(method: string, path: string, shape: Shape, body?: object): Promise<T> {
    const response = await fetch(`${this.#url}${path}`, {
      method,
      headers: {
        authorization: this.#authorization,
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    const answer: unknown = await response.json()
    if (!response.ok) throw new Error(`${response.status} ${JSON.stringify(answer)}`)
    const misses = missesOf(answer, shape)
    if (misses.length > 0) throw new Error(`${method} ${path}:\n${misses.join('\n')}`)
    return answer as T
  }

  list = () => this.#read<{ theses: readonly Row[] }>('GET', '/api/thesis', answers.THESIS_LIST)
  get = (id: string) => this.#read<Whole>('GET', `/api/thesis/${id}`, answers.THESIS)
  create = (rawThesis: string) =>
    this.#read<{ thesisId: string; statusUrl: string }>(
      'POST',
      '/api/thesis/create',
      answers.QUEUED,
      { rawThesis },
    )
  createSync = (rawThesis: string) =>
    this.#read<Whole>('POST', '/api/thesis/create?sync=true', answers.FORMED, { rawThesis })
  context = (id: string) =>
    this.#read<{ edges: readonly object[]; causalTree: { nodes: readonly { id: string }[] } }>(
      'GET',
      `/api/thesis/${id}/context`,
      answers.CONTEXT,
    )
  signal = (id: string, content: string) =>
    this.#read<{ pending: number }>('POST', `/api/thesis/${id}/signal`, answers.SIGNAL, {
      type: 'news',
      content,
      source: 'cli',
    })
  evaluate = (id: string) =>
    this.#read<{ evaluation: { newConfidence: number } }>(
      'POST',
      `/api/thesis/${id}/evaluate`,
      answers.EVALUATED,
    )
  publish = (id: string, slug: string) =>
    this.#read<{ url: string; apiUrl: string }>(
      'POST',
      `/api/thesis/${id}/publish`,
      answers.PUBLISHED,
      { slug, description: 'By a client' },
    )
  unpublish = (id: string) =>
    this.#read<{ unpublished: boolean }>('DELETE', `/api/thesis/${id}/publish`, answers.UNPUBLISHED)
  feed = (hours: number) =>
    this.#read<{ feed: readonly { thesisId: string; delta: number | null }[] }>(
      'GET',
      `/api/feed?hours=${hours}&limit=200`,
      answers.FEED,
    )
  strategies = (id: string) =>
    this.#read<{ strategies: readonly { market: string }[] }>(
      'GET',
      `/api/thesis/${id}/strategies`,
      answers.STRATEGIES,
    )
  addStrategy = (id: string, marketId: string, entry: number) =>
    this.#read<{ id: string }>('POST', `/api/thesis/${id}/strategies`, answers.CREATED, {
      marketId,
      direction: 'yes',
      entry,
      horizon: 'short',
    })
  whatIf = (id: string, nodeId: string, newProb: number) =>
    this.#read<{ newConfidence: number; edges: readonly object[] }>(
      'POST',
      `/api/thesis/${id}/whatif`,
      answers.WHAT_IF,
      { overrides: [{ nodeId, newProb }] },
    )
  edges = (asOf: string) =>
    this.#read<{ edges: readonly { ticker: string; thesisId?: string }[] }>(
      'GET',
      `/api/edges?limit=100&asOf=${asOf}`,
      answers.EDGES,
    )

  /** What `dashboard --once` prints: active theses with their last move, edges and positions. */
  async dashboard(): Promise<DashboardLine[]> {
    const [{ theses }, { feed }] = await Promise.all([this.list(), this.feed(24)])
    const active = theses.filter(({ status }) => status === 'active')
    return Promise.all(
      active.map(async ({ id, title, confidence }) => {
        const { edgeAnalysis, positions } = await this.get(id)
        return {
          title,
          confidence,
          delta: feed.find(({ thesisId }) => thesisId === id)?.delta ?? null,
          edges: (edgeAnalysis?.edges ?? []).map(
            ({ marketTitle, edgeSize }) => `${marketTitle}: ${edgeSize ?? '–'}`,
          ),
          openPositions: positions.filter(({ status }) => status === 'open').length,
        }
      }),
    )
  }
}
