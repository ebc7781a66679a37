import type { ContextEngine, WorldSnapshot } from '../../computed/context-engine.ts'
import type { MarketView } from '../../computed/board/market-board.ts'
import { worldAsOf } from '../../computed/snapshot/historical-snapshot.ts'
import { wordsOf } from '../../domain/text/tokens.ts'
import { DAY, type Millis } from '../../domain/units.ts'
import { explainMove } from '../../domain/world/explain/explain.ts'
import type { PathMove } from '../../domain/world/explain/move-start.ts'
import { hypothesisRow } from '../../domain/world/markdown/operations-markdown.ts'
import { headingOf } from '../../domain/world/markdown/snapshot-markdown.ts'
import type { ScoredCandidate } from '../../domain/world/salient/salient.ts'
import { selectSalient } from '../../domain/world/salient/selection.ts'
import { servedItem, type SalientItem } from '../../domain/world/snapshot.ts'
import { candidatesIn } from '../../domain/world/world.ts'
import { inspectUrl, type Urls } from '../../http/next-actions.ts'
import { NotFound } from '../../lib/errors.ts'
import {
  busiestHour,
  flowFacts,
  linkedFacts,
  moveSince,
  peerFacts,
  statedFacts,
} from './explain-sources.ts'
import { explainSubject, type ExplainSubject } from './explain-subject.ts'
import { findRegion } from './region-snapshot.ts'
import { snapshotAction } from './world-answer.ts'
import type { WorldDeps } from './world.deps.ts'

/** Sources that are checked; sources of providers are added when configured. */
const CHECKED_SOURCES = ['calendar', 'changes', 'links', 'cross_venue', 'trades', 'book'] as const
/** Ranks refer to the longest list that is served. */
const MAX_LIST_LENGTH = 30
/** Shorter words are not treated as names. */
const MIN_LETTERS = 4

interface ExplainedMarket {
  readonly item: SalientItem
  readonly candidate: ScoredCandidate
  readonly worldSnapshot: WorldSnapshot
}

type ExplainDeps = Pick<WorldDeps, 'board' | 'history' | 'urls'> & {
  readonly context: Pick<ContextEngine, 'world'>
}

/** Explains salient items of the current and the previous window. */
export function createExplanations(deps: ExplainDeps) {
  const { context, board, history, urls } = deps

  const findItem = (worldSnapshot: WorldSnapshot, id: string): ExplainedMarket | null => {
    const { world } = worldSnapshot
    const candidate =
      world.candidates.find((candidate) => candidate.id === id) ??
      [...world.shifts.values()].find((candidate) => candidate.id === id)
    if (candidate === undefined) return null
    const salient = selectSalient(candidatesIn(world, findRegion(world, [])), MAX_LIST_LENGTH)
    const index = salient.findIndex((selectedItem) => selectedItem.candidate.id === id)
    const selectedItem = salient[index] ?? { candidate, score: candidate.score }
    const rank = index < 0 ? salient.length : index
    return { item: servedItem(selectedItem, rank, [], urls), candidate, worldSnapshot }
  }

  const find = async (
    worldSnapshots: readonly WorldSnapshot[],
    id: string,
  ): Promise<ExplainedMarket | null> => {
    for (const worldSnapshot of worldSnapshots) {
      const explainedMarket = findItem(worldSnapshot, id)
      if (explainedMarket !== null) return explainedMarket
    }
    const [newest] = worldSnapshots
    if (newest === undefined) return null
    const justBefore = (newest.world.at - 1) as Millis
    const previous = await worldAsOf(context, justBefore)
    return previous === null ? null : findItem(previous, id)
  }

  /** Size and start of what is to be explained. */
  const effectOf = async (
    { candidate, worldSnapshot }: ExplainedMarket,
    { since, gap }: ExplainSubject,
    view: MarketView,
  ): Promise<PathMove> => {
    const { at } = worldSnapshot.world
    if (candidate.type === 'residual') {
      const from = (at - DAY) as Millis
      const hours = await history.microstructure({ market: view.market, from, asOf: at })
      const busy = busiestHour(hours, at)
      const move = await moveSince(history, view, from, at)
      return { startedAt: busy?.hour.start ?? move?.startedAt ?? at, cents: move?.cents ?? 0 }
    }
    const move = await moveSince(history, view, since, at)
    return { startedAt: move?.startedAt ?? at, cents: gap ?? move?.cents ?? 0 }
  }

  const factsOf = async (
    explainedMarket: ExplainedMarket,
    subject: ExplainSubject,
    view: MarketView,
  ) => {
    const { snapshot, world } = explainedMarket.worldSnapshot
    const { at } = world
    const terms = wordsOf(`${view.facts.title} ${view.facts.subtitle ?? ''}`)
    const entityTerms = terms.filter((word) => word.length >= MIN_LETTERS)
    const move = { ...(await effectOf(explainedMarket, subject, view)), entityWords: entityTerms }
    const peers = subject.peers.flatMap(({ ticker, ...rest }) => {
      const peer = snapshot.markets.get(ticker)?.view
      return peer === undefined ? [] : [{ view: peer, ...rest }]
    })
    const isVolume = explainedMarket.candidate.type === 'residual'
    const facts = await Promise.all([
      statedFacts(deps, view, move, at, explainedMarket.candidate.type),
      peerFacts(deps, peers, subject.since, at),
      linkedFacts(deps, snapshot, view, subject.since, at, isVolume),
      flowFacts(deps, view, move, at, isVolume),
    ])
    return { move, facts: facts.flat() }
  }

  return {
    /**
     * Possible causes of an item, from data known at its world's instant.
     * @param worldSnapshots those that may contain its id, newest first; the window before is searched too
     * @throws NotFound for an id in none of them
     */
    async explain(worldSnapshots: readonly WorldSnapshot[], id: string) {
      const explainedMarket = await find(worldSnapshots, id)
      if (explainedMarket === null) {
        throw new NotFound('Salient item not found or expired', {
          suggestion: snapshotAction(urls),
        })
      }
      const { at } = explainedMarket.worldSnapshot.world
      const subject = explainSubject(explainedMarket.candidate, explainedMarket.worldSnapshot.world)
      const { ticker } = subject
      const view =
        ticker === null
          ? null
          : (explainedMarket.worldSnapshot.snapshot.markets.get(ticker)?.view ??
            (await board.market(ticker, at)))
      const { move, facts } =
        view === null
          ? { move: { startedAt: at, cents: 0, entityWords: [] }, facts: [] }
          : await factsOf(explainedMarket, subject, view)
      const { hypotheses, unexplained } = explainMove(facts, move, at)
      const explain = {
        item: explainedMarket.item,
        hypotheses,
        checked: CHECKED_SOURCES,
        unexplained,
      }
      const causes = unexplained
        ? ['unexplained: none of the searched sources has a cause']
        : hypotheses.map(hypothesisRow)
      // The next question is how to act on it, so the text contains the next action too.
      const nextAction = ticker === null ? [] : [`next: \`GET ${dossierUrl(urls, ticker)}\``]
      return {
        explain,
        rows: [`item: ${headingOf(explainedMarket.item)}`, ...causes, ...nextAction],
      }
    },
  }
}

const dossierUrl = (urls: Urls, ticker: string): string =>
  `${inspectUrl(urls, ticker)}?format=markdown`
