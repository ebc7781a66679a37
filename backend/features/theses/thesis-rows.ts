import type { DeletedBasis } from '../../domain/portfolio/intent.ts'
import type { ServedThesis } from '../../contract/theses/thesis.ts'
import { isOpenThesis } from '../../domain/theses/status.ts'
import type { Evaluation, Thesis } from '../../domain/theses/thesis.ts'
import type { CausalTree } from '../../domain/theses/tree.ts'
import type { Millis } from '../../domain/units.ts'
import type { OutgoingEvent } from '../../domain/webhooks/payload.ts'
import type { Urls } from '../../http/next-actions.ts'
import { instantOf, type Instant } from '../../http/request/as-of.ts'
import type { Clock } from '../../lib/clock.ts'
import { Conflict, NotFound } from '../../lib/errors.ts'
import type { LanguageModel } from '../../lib/language-model.ts'
import type { PerUserQueue } from '../../lib/per-user-queue.ts'
import type { EventOutbox } from '../../state/event-outbox.ts'
import type { ThesisBoard } from './thesis-markets.ts'
import type { ModelCalls } from './model/model-calls.ts'
import { contractsBought } from './holdings/holdings-served.ts'
import type { StrategyTrading } from './heartbeat/strategy-trading.ts'
import type { HeartbeatStore } from './heartbeat/heartbeat.store.ts'
import { SHORT_ID, servedThesis } from './thesis-served.ts'
import { spanUntil, type ThesesStore } from './theses.store.ts'

export interface Paging {
  readonly limit: number
  readonly cursor: string | null
}

/** The webhook endpoint of each thesis that has an address for its events. */
export interface ThesisEndpoints {
  /** The address that it had at an instant; null without. */
  urlOf(thesis: Pick<Thesis, 'id' | 'userId'>, at: Millis): Promise<string | null>
  /** @throws InvalidInput for a refused address, Conflict when no endpoint can be added */
  checkedAddress(userId: string, url: string): Promise<string>
  /** Makes, moves or, with null, removes it. Returns the secret of one that was made. */
  set(
    thesis: { readonly id: string; readonly userId: string; readonly shortId: string },
    url: string | null,
  ): Promise<{ readonly endpointId: string; readonly secret: string } | null>
}

export interface ThesisDeps {
  readonly store: ThesesStore
  readonly heartbeats: HeartbeatStore
  readonly outbox: EventOutbox
  readonly userQueue: PerUserQueue
  readonly board: ThesisBoard
  readonly urls: Urls
  readonly clock: Clock
  /** The configured language model; null without one. */
  readonly model: () => LanguageModel | null
  /** Called after a thesis or a strategy was deleted. */
  readonly onDeleted: (userId: string, deletedBasis: DeletedBasis) => Promise<void>
  /** The webhook endpoints that theses manage. */
  readonly endpoints: () => ThesisEndpoints
  /** Trading of the strategies of theses. */
  readonly trading: () => StrategyTrading
  /** Called when the owner paused or ended a thesis, or an evaluation killed it. */
  readonly onStopped: (thesis: Thesis) => void
  /** Called when a thesis became active. */
  readonly onActive: (thesis: Thesis) => void
  /** Aborts when the service stops: calls of models are abandoned. */
  readonly stopping: AbortSignal
  /** Calls of models for theses. */
  readonly calls: ModelCalls
}

/** The stored theses as every route reads and writes them. */
export function createThesisRows({
  store,
  outbox,
  board,
  urls,
  endpoints,
  trading,
  clock,
}: ThesisDeps) {
  /** The only one of those whose id begins with a text. @throws NotFound, Conflict for two */
  const uniqueMatch = async <T>(
    thesisRef: string,
    read: (prefix: string) => Promise<readonly T[]>,
  ): Promise<T> => {
    const prefix = thesisRef.toLowerCase()
    if (!/^[0-9a-f-]+$/.test(prefix) || prefix.length < SHORT_ID)
      throw new NotFound('Thesis not found')
    const [matchingRow, other] = await read(prefix)
    if (matchingRow === undefined) throw new NotFound('Thesis not found')
    if (other !== undefined) {
      throw new Conflict(
        'more than one thesis begins with this id: give more characters',
        'AMBIGUOUS_ID',
      )
    }
    return matchingRow
  }
  /** @throws NotFound; Conflict when two theses begin with the text */
  const thesisOfUser = (userId: string, thesisRef: string): Promise<Thesis> =>
    uniqueMatch(thesisRef, (prefix) => store.byIdPrefix(userId, prefix))
  /**
   * An own thesis as it was at an instant; null for now.
   * @throws NotFound also before it existed
   */
  const thesisOfUserAt = async (
    userId: string,
    thesisRef: string,
    requestedAsOf: Millis | null,
  ): Promise<{ readonly thesis: Thesis } & Instant> => {
    const instant = instantOf(requestedAsOf, clock.now(), true)
    const now = await thesisOfUser(userId, thesisRef)
    const thesis = instant.asOf === null ? now : await store.at(now.id, instant.asOf)
    if (thesis === null) throw new NotFound('Thesis not found')
    return { thesis, ...instant }
  }
  const newest = async (id: string, at: Millis = clock.now()): Promise<Evaluation | null> =>
    (await store.evaluations(id, spanUntil(at), null, 1))[0] ?? null
  const serveThesis = async (
    thesis: Thesis,
    instant: Instant = { asOf: null, at: clock.now() },
    last?: Evaluation | null,
  ): Promise<ServedThesis> =>
    servedThesis({ board, urls }, thesis, {
      last: last === undefined ? await newest(thesis.id, instant.at) : last,
      webhookUrl: thesis.hasEndpoint === false ? null : await endpoints().urlOf(thesis, instant.at),
      bought: await contractsBought(trading(), thesis, instant.asOf),
      instant,
    })

  /** An own thesis as it was at an instant, with all that a read of it shows; null for now. */
  const readThesis = async (
    userId: string,
    thesisRef: string,
    requestedAsOf: Millis | null,
  ): Promise<ServedThesis> => {
    if (requestedAsOf !== null) {
      const { thesis, ...instant } = await thesisOfUserAt(userId, thesisRef, requestedAsOf)
      return serveThesis(thesis, instant)
    }
    const matchingThesis = await uniqueMatch(thesisRef, (prefix) =>
      store.byIdPrefixWithNewest(userId, prefix),
    )
    return serveThesis(matchingThesis.thesis, undefined, matchingThesis.newest)
  }

  const saveThesis = async (
    thesis: Thesis,
    evaluation: Evaluation | null = null,
    usedSignalIds: readonly string[] = [],
    events: readonly OutgoingEvent[] = [],
  ) => {
    if (!(await store.put(thesis, evaluation, usedSignalIds, events))) {
      throw new NotFound('Thesis not found')
    }
    if (events.length > 0) outbox.wake()
  }

  return {
    thesisOfUser,
    thesisOfUserAt,
    newest,
    served: serveThesis,
    readThesis,
    saveThesis,
  }
}
export type ThesisRows = ReturnType<typeof createThesisRows>

/** The tree of a thesis that may be worked on. @throws Conflict for any other thesis */
export function openTree(thesis: Thesis): CausalTree {
  if (thesis.tree === null || thesis.status === 'forming') {
    throw new Conflict('the thesis is still being formed', 'THESIS_FORMING')
  }
  if (!isOpenThesis(thesis.status)) {
    throw new Conflict(`the thesis is ${thesis.status}, not active`, 'THESIS_NOT_ACTIVE')
  }
  return thesis.tree
}
